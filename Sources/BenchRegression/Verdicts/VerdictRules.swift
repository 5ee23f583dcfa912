package import BenchResults
internal import HarnessPrimitives

/// The rules that turn an estimate into a verdict.
///
/// Source of the test of no change: Schuirmann, "A comparison of the two one-sided tests procedure and the power
/// approach for assessing the equivalence of average bioavailability", 1987.
package struct VerdictRules: Sendable, Equatable {
  /// The largest share of comparisons without a change that may be reported as one.
  package var alpha: Double
  /// The smallest change that counts, as a logarithm.
  package var margin: Double
  /// Whether a change is reported only if the whole 95 % interval lies beyond the margin, and not the estimate alone.
  package var requiresWholeInterval: Bool

  package init(alpha: Double, margin: Double, requiresWholeInterval: Bool = false) {
    self.alpha = alpha
    self.margin = margin
    self.requiresWholeInterval = requiresWholeInterval
  }

  /// - Parameter adjustedPValue: the estimate's p-value, adjusted for the family of estimates that are judged together.
  package func verdict(of estimate: EffectEstimate, adjustedPValue: Double) -> EffectVerdict {
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
/// Only the fresh pairs decide. So at most the share `confirmingAlpha` of all comparisons without a change report one,
/// however many figures the screening flags by chance. Both stages have found a change of each figure that is reported.
struct TwoStages: Sendable, Equatable {
  /// The level at which the screening flags a figure, for each figure alone.
  var screeningAlpha = 0.05
  /// The level at which fresh pairs confirm a change, for all flagged figures together, by Holm's adjustment.
  var confirmingAlpha = 0.02
  var requiresWholeInterval = false

  /// Returns whether a figure needs fresh pairs, according to its estimate in the screening.
  func isSuspect(_ estimate: EffectEstimate, margin: Double) -> Bool {
    let rules = VerdictRules(alpha: screeningAlpha, margin: margin, requiresWholeInterval: requiresWholeInterval)
    return rules.verdict(of: estimate, adjustedPValue: estimate.pValue).isChange
  }

  /// Returns the verdicts over the fresh pairs with their adjusted p-values, in the order of the estimates.
  /// - Parameter suspects: the estimate from fresh pairs, and the margin, of every flagged figure.
  func confirm(
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

/// Holm's adjustment of p-values for a family of tests. Among families without a real change, at most the share alpha
/// has an adjusted p-value of at most alpha, even if the tests depend on each other.
///
/// Source: Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics, 1979.
enum HolmAdjustment {
  /// Returns the adjusted p-values, in the order of the given ones.
  static func adjusted(_ pValues: [Double]) -> [Double] {
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
  /// p-value of n pairs is 2/2ⁿ. 0 if they cannot show a change even in a single test; without limit from 62 pairs on.
  static func greatestFamily(pairs: Int, alpha: Double) -> Int {
    guard pairs < 62 else { return Int.max }
    return Int(saturating: alpha * Double(UInt64(1) << UInt64(max(pairs, 1) - 1)))
  }
}
