public import BenchResults
internal import NumericConversion

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

/// The rules for a family of figures: a screening of all of them, and fresh pairs for those that look changed.
///
/// The fresh pairs alone decide. So however many figures the screening flags by chance, and however it was tuned, at
/// most `confirmingAlpha` of all comparisons without a change report one; and a figure that is reported has been found
/// changed twice.
public struct TwoStages: Sendable, Equatable {
  /// The level of each figure by itself.
  public var screeningAlpha = 0.05
  /// The level of all flagged figures together, by Holm's adjustment.
  public var confirmingAlpha = 0.02
  public var requiresWholeInterval = false

  public init() {}

  /// Returns whether the screening's estimate deserves fresh pairs.
  public func isSuspect(_ estimate: EffectEstimate, margin: Double) -> Bool {
    let rules = VerdictRules(alpha: screeningAlpha, margin: margin, requiresWholeInterval: requiresWholeInterval)
    return rules.verdict(of: estimate, adjustedPValue: estimate.pValue).isChange
  }

  /// Returns the verdicts over the fresh pairs with their adjusted p-values, in the order of the estimates.
  /// - Parameter suspects: the estimate from fresh pairs, and the margin, of every flagged figure.
  public func confirm(
    _ suspects: [(estimate: EffectEstimate, margin: Double)]
  ) -> [(verdict: EffectVerdict, adjustedPValue: Double)] {
    let adjusted = HolmAdjustment.adjusted(suspects.map(\.estimate.pValue))
    return zip(suspects, adjusted).map { suspect, pValue in
      let rules = VerdictRules(
        alpha: confirmingAlpha,
        margin: suspect.margin,
        requiresWholeInterval: requiresWholeInterval
      )
      return (rules.verdict(of: suspect.estimate, adjustedPValue: pValue), pValue)
    }
  }
}

/// Holm's adjustment of p-values for a family of tests: of all families without any real change, at most a share of
/// alpha contains an adjusted p-value of at most alpha, however the tests depend on each other.
///
/// Source: Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics, 1979.
public enum HolmAdjustment {
  /// Returns the adjusted p-values, in the order of the given ones.
  public static func adjusted(_ pValues: [Double]) -> [Double] {
    var adjusted = pValues
    var greatest = 0.0
    let order = pValues.indices.sorted { pValues[$0] < pValues[$1] }
    for (position, index) in order.enumerated() {
      greatest = max(greatest, min(1, pValues[index] * Double(pValues.count - position)))
      adjusted[index] = greatest
    }
    return adjusted
  }

  /// Returns the greatest size of a family in which `pairs` pairs can still show one change: the smallest two-sided
  /// p-value of n pairs is 2/2ⁿ. 0 if they cannot show a change even in a single test.
  public static func greatestFamily(pairs: Int, alpha: Double) -> Int {
    guard pairs < 62 else { return Int.max }
    return Int(saturating: alpha * Double(UInt64(1) << UInt64(max(pairs, 1) - 1)))
  }
}
