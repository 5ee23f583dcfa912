internal import Foundation

/// The ratio of a figure of one variant to that of another, over pairs of repetitions.
///
/// The logarithms of the pairs' ratios have a mean and an interval of it by Student's t distribution, with a confidence
/// of 95 %.
public struct PairedRatio: Sendable, Equatable {
  /// The geometric mean of the pairs' ratios.
  public var ratio: Double
  /// The ends of the interval of the mean; nil with fewer than 2 pairs.
  public var interval: ClosedRange<Double>?

  /// - Parameter values: The two values of each pair.
  /// - Returns: nil without pairs, and if a value is not positive, because there is no logarithm.
  public init?(_ values: [(Double, Double)]) {
    guard !values.isEmpty, values.allSatisfy({ $0.0 > 0 && $0.1 > 0 }) else { return nil }
    let count = Double(values.count)
    let logarithms = values.map { log($0.0 / $0.1) }
    let mean = logarithms.reduce(0, +) / count
    ratio = exp(mean)
    guard values.count > 1 else { return }
    let variance = logarithms.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
    let reach = StudentT.quantile975(degreesOfFreedom: values.count - 1) * (variance / count).squareRoot()
    interval = exp(mean - reach)...exp(mean + reach)
  }
}

extension ScenarioResult {
  /// Returns the pairs of runs of two variants: repetitions with the same number, because they were run in the same
  /// round, and then those that are left over, such as retries, in their order.
  public func pairs(of variant: Variant, with other: Variant) -> [(RunResult, RunResult)] {
    let runs = runsWithFigures(of: variant)
    let others = runsWithFigures(of: other)
    let common = Set(runs.map(\.repetition)).intersection(others.map(\.repetition))
    func inPairOrder(_ runs: [RunResult]) -> [RunResult] {
      runs.filter { common.contains($0.repetition) } + runs.filter { !common.contains($0.repetition) }
    }
    return Array(zip(inPairOrder(runs), inPairOrder(others)))
  }
}

/// Student's t distribution.
enum StudentT {
  /// The quantiles of 0.975 for 1 to 10 degrees of freedom.
  private static let small = [12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281]

  /// The factor of the standard error in a two-sided interval with a confidence of 95 %.
  ///
  /// Source of the expansion for more than 10 degrees, with an error below 0.0002: Abramowitz and Stegun, *Handbook of
  /// Mathematical Functions*, 26.7.5.
  static func quantile975(degreesOfFreedom degrees: Int) -> Double {
    if degrees <= small.count { return small[degrees - 1] }
    let normal = 1.959964
    let n = Double(degrees)
    let first = (pow(normal, 3) + normal) / 4
    let second = (5 * pow(normal, 5) + 16 * pow(normal, 3) + 3 * normal) / 96
    let third = (3 * pow(normal, 7) + 19 * pow(normal, 5) + 17 * pow(normal, 3) - 15 * normal) / 384
    return normal + first / n + second / (n * n) + third / (n * n * n)
  }
}
