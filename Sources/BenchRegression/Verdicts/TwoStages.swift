public import BenchModel

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
