internal import Foundation
internal import NumericConversion

/// The resolution of a comparison: the smallest change that it detects, and the pairs that a smaller change needs.
///
/// Derived from the half-width of the 95 % interval, which is about 1.96 standard errors. A change is found in four of
/// five comparisons if it is 1.96 + 0.84 standard errors large, so 1.43 half-widths. Both are taken from the normal
/// distribution, so the numbers are a guide, and no verdict depends on them.
public struct Resolution: Sendable, Equatable {
  /// (z of 0.975 + z of 0.8) / z of 0.975.
  private static let halfWidths = 1.4294

  /// The smallest change that four of five such comparisons find, as a natural logarithm; infinite below 6 pairs.
  public let minimumDetectableEffect: Double
  private let pairs: Int

  /// - Parameter interval: the 95 % interval of the effect; nil if there were too few pairs for one.
  public init(interval: ClosedRange<Double>?, pairs: Int) {
    minimumDetectableEffect =
      interval.map { Self.halfWidths * ($0.upperBound - $0.lowerBound) / 2 } ?? .infinity
    self.pairs = pairs
  }

  /// Returns the number of pairs that would find a change of `effect` in four of five comparisons: the interval shrinks
  /// with the square root of their number. nil if this comparison says nothing about it.
  public func pairsNeeded(for effect: Double) -> Int? {
    guard minimumDetectableEffect.isFinite, effect > 0 else { return nil }
    let ratio = minimumDetectableEffect / effect
    return max(6, Int(saturating: (Double(pairs) * ratio * ratio).rounded(.up)))
  }
}
