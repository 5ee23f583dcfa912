public import BenchModel

/// The rules that turn an estimate into a verdict.
///
/// Source of the test of no change: Schuirmann, "A comparison of the two one-sided tests procedure and the power
/// approach for assessing the equivalence of average bioavailability", 1987.
public struct VerdictRules: Sendable, Equatable {
  /// The largest share of comparisons without a change that may be reported as one.
  public var alpha: Double
  /// The smallest change that counts, as a logarithm.
  public var margin: Double
  /// Whether the whole interval has to lie beyond the margin, and not the estimate alone.
  public var requiresWholeInterval: Bool

  public init(alpha: Double, margin: Double, requiresWholeInterval: Bool = false) {
    self.alpha = alpha
    self.margin = margin
    self.requiresWholeInterval = requiresWholeInterval
  }

  /// - Parameter adjustedPValue: the estimate's, adjusted for the family that it is judged in.
  public func verdict(of estimate: EffectEstimate, adjustedPValue: Double) -> EffectVerdict {
    guard let interval95 = estimate.interval95, let interval90 = estimate.interval90, !estimate.isContradicted else {
      return .inconclusive
    }
    let bound = requiresWholeInterval ? margin : 0
    if adjustedPValue <= alpha {
      if estimate.effect >= margin, interval95.lowerBound > bound { return .regressed }
      if estimate.effect <= -margin, interval95.upperBound < -bound { return .improved }
    }
    if !interval95.contains(0), abs(estimate.effect) < margin { return .changedSmall }
    if interval90.lowerBound > -margin, interval90.upperBound < margin { return .unchanged }
    return .inconclusive
  }
}
