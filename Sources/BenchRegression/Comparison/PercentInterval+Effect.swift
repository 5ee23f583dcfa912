public import BenchModel
internal import Foundation

extension PercentInterval {
  /// - Parameter effects: logarithms, positive if worse.
  public init(_ effects: ClosedRange<Double>, _ better: BetterValues) {
    let ends = [effects.lowerBound, effects.upperBound].map { Self.percent($0, better) }
    self.init(low: min(ends[0], ends[1]), high: max(ends[0], ends[1]))
  }

  /// Returns the change of a figure in percent, positive if the figure is greater.
  /// - Parameter effect: a logarithm, positive if worse.
  public static func percent(_ effect: Double, _ better: BetterValues) -> Double {
    100 * (exp(better == .lower ? effect : -effect) - 1)
  }
}
