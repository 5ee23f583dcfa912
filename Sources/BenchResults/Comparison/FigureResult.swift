internal import Foundation

/// The verdict of a comparison on one figure.
public enum EffectVerdict: String, Codable, Sendable, CaseIterable {
  case regressed, improved
  /// The figure looked changed in the first stage, and the second stage did not confirm the change.
  case suspect
  /// The 95 % interval excludes 0, but the change is smaller than the margin. For instructions: it exceeds the noise.
  case changedSmall = "changed-small"
  /// The pairs show neither a change nor that the figure is unchanged.
  case inconclusive
  /// The whole 90 % interval lies within the margin: two one-sided tests exclude a change as large as the margin. For
  /// counts: both arms are equal. For instructions: the change does not exceed the noise, which is below the margin.
  case unchanged

  /// Whether the verdict is REGRESSED or IMPROVED.
  public var isChange: Bool { self == .regressed || self == .improved }
}

/// The comparison of one figure.
public struct FigureResult: Codable, Sendable, Equatable {
  public var name: FigureName
  public var role: FigureRole
  public var unit: FigureUnit
  public var better: BetterValues
  /// The median of each arm's runs. Only the verdict on exact counts depends on it.
  public var base = 0.0
  public var head = 0.0
  /// The change from base to head in percent, positive if the head's figure is greater: the Hodges–Lehmann estimate of
  /// the pairs; for instructions their mean; for exact counts the change of the median. nil if 0 makes it undefined.
  public var changePercent: Double?
  /// nil if the pairs are too few, and without an estimate.
  public var interval95Percent: PercentInterval?
  public var interval90Percent: PercentInterval?
  /// The interval of the sign test, which assumes no symmetry.
  public var signInterval95Percent: PercentInterval?
  /// The p-value of the signed-rank test for this figure alone; nil without an estimate.
  public var pValue: Double?
  /// The p-value adjusted for all figures of the second stage; nil for a figure that the second stage did not judge.
  public var adjustedPValue: Double?
  /// The stage whose pairs were judged: 0 for instructions, 1 for the first stage, 2 for fresh pairs.
  public var stage = 1
  public var pairs = 0
  /// The number of pairs in which both figures are equal.
  public var ties = 0
  public var marginPercent = 0.0
  /// The smallest change that four of five such comparisons would find; for instructions, the noise.
  public var detectablePercent: Double?
  /// The number of pairs with which four of five comparisons would find a change as large as the margin.
  public var pairsNeeded: Int?
  public var lag1Autocorrelation: Double?
  public var verdict: EffectVerdict
  /// Whether the verdict needs no statistics: for instructions; for counts that are constant in both arms; for counts
  /// whose ranges do not overlap, if one arm is constant, or if they are a margin apart in at least 16 pairs.
  public var isExact = false
  public var reasons: [String] = []
  /// The figures of each pair, base first, in the order of the pairs.
  public var values: [[Double]] = []

  /// Whether the exit code depends on the verdict.
  public var decides: Bool { role == .primary || isExact }
}

extension FigureResult {
  public init(of figure: RunFigure, verdict: EffectVerdict) {
    (name, role, unit, better) = (figure.name, figure.role, figure.unit, figure.better)
    self.verdict = verdict
  }
}

/// An interval of a change, in percent.
public struct PercentInterval: Codable, Sendable, Equatable {
  public var low: Double
  public var high: Double

  public init(low: Double, high: Double) {
    self.low = low
    self.high = high
  }

  /// Returns the change of a figure in percent, positive if the figure is greater.
  /// - Parameter effect: a logarithm, positive if worse.
  public static func percent(_ effect: Double, _ better: BetterValues) -> Double {
    100 * (exp(better == .lower ? effect : -effect) - 1)
  }
}

/// A figure that could not be compared, and the reason. If it is primary or a count, the comparison does not pass.
public struct FigureNotCompared: Codable, Sendable, Equatable {
  public var name: FigureName
  public var role: FigureRole
  public var reason: String

  public init(name: FigureName, role: FigureRole, reason: String) {
    self.name = name
    self.role = role
    self.reason = reason
  }
}

/// The counts of the verdict line: deciding figures by verdict, primary figures and counts that were not compared, and
/// pairs that were left out.
public struct ComparisonSummary: Codable, Sendable, Equatable {
  public var regressed = 0
  public var improved = 0
  public var suspect = 0
  public var changedSmall = 0
  public var unchanged = 0
  public var inconclusive = 0
  public var notCompared = 0
  /// Pairs that were left out because one of their runs was invalid.
  public var invalidatedPairs = 0
}

extension ComparisonSummary {
  public init(_ deciding: [FigureResult], notCompared: Int, invalidatedPairs: Int) {
    func count(_ verdict: EffectVerdict) -> Int { deciding.count { $0.verdict == verdict } }
    (regressed, improved) = (count(.regressed), count(.improved))
    (suspect, changedSmall) = (count(.suspect), count(.changedSmall))
    (unchanged, inconclusive) = (count(.unchanged), count(.inconclusive))
    (self.notCompared, self.invalidatedPairs) = (notCompared, invalidatedPairs)
  }
}
