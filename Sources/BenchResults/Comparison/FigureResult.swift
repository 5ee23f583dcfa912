/// The verdict of a comparison on one figure.
public enum EffectVerdict: String, Codable, Sendable, CaseIterable {
  case regressed, improved
  /// Looked changed in the first stage; the second stage did not confirm it.
  case suspect
  /// The 95 % interval excludes 0, and the estimate lies within the margin.
  case changedSmall = "changed-small"
  /// The pairs say neither that it changed nor that it did not.
  case inconclusive
  /// The whole 90 % interval lies within the margin: two one-sided tests show that there is no change as large as it.
  case unchanged

  /// Whether the verdict is REGRESSED or IMPROVED.
  public var isChange: Bool { self == .regressed || self == .improved }
}

/// The comparison of one figure.
public struct FigureResult: Codable, Sendable, Equatable {
  public var name: FigureName
  public var role: FigureRole
  public var unit: RunFigure.Unit
  public var better: BetterValues
  /// The medians of each arm's runs, for people: the verdict comes from the pairs.
  public var base: Double
  public var head: Double
  /// By how much the head's figure is greater than the base's: Hodges–Lehmann over the pairs. nil for a count that is 0
  /// in some run. `better` says whether a greater value is worse.
  public var changePercent: Double?
  /// nil for too few pairs.
  public var interval95Percent: PercentInterval?
  public var interval90Percent: PercentInterval?
  /// Of the sign test, which assumes no symmetry.
  public var signInterval95Percent: PercentInterval?
  /// Of the signed-rank test, for this figure by itself, and adjusted for all that were judged with it.
  public var pValue: Double?
  public var adjustedPValue: Double?
  /// 1 if the first stage decided, 2 if fresh pairs did.
  public var stage: Int
  public var pairs: Int
  /// Pairs of equal figures.
  public var ties: Int
  public var marginPercent: Double
  /// The smallest change that four of five such comparisons would find.
  public var detectablePercent: Double?
  /// The pairs that would find a change as large as the margin.
  public var pairsNeeded: Int?
  public var lag1Autocorrelation: Double?
  public var verdict: EffectVerdict
  /// Whether the verdict needs no statistics: the numbers repeat, or those of the two arms have separate ranges.
  public var isExact: Bool
  public var reasons: [String]
  /// The figures of each pair, base first, in the order of the pairs.
  public var values: [[Double]]

  public init(
    name: FigureName,
    role: FigureRole,
    unit: RunFigure.Unit,
    better: BetterValues,
    base: Double,
    head: Double,
    changePercent: Double? = nil,
    interval95Percent: PercentInterval? = nil,
    interval90Percent: PercentInterval? = nil,
    signInterval95Percent: PercentInterval? = nil,
    pValue: Double? = nil,
    adjustedPValue: Double? = nil,
    stage: Int,
    pairs: Int,
    ties: Int = 0,
    marginPercent: Double,
    detectablePercent: Double? = nil,
    pairsNeeded: Int? = nil,
    lag1Autocorrelation: Double? = nil,
    verdict: EffectVerdict,
    isExact: Bool = false,
    reasons: [String] = [],
    values: [[Double]]
  ) {
    self.name = name
    self.role = role
    self.unit = unit
    self.better = better
    self.base = base
    self.head = head
    self.changePercent = changePercent
    self.interval95Percent = interval95Percent
    self.interval90Percent = interval90Percent
    self.signInterval95Percent = signInterval95Percent
    self.pValue = pValue
    self.adjustedPValue = adjustedPValue
    self.stage = stage
    self.pairs = pairs
    self.ties = ties
    self.marginPercent = marginPercent
    self.detectablePercent = detectablePercent
    self.pairsNeeded = pairsNeeded
    self.lag1Autocorrelation = lag1Autocorrelation
    self.verdict = verdict
    self.isExact = isExact
    self.reasons = reasons
    self.values = values
  }

  /// Whether its verdict counts for the exit code.
  public var decides: Bool { role == .primary || isExact }
}

/// An interval of a change, in percent.
public struct PercentInterval: Codable, Sendable, Equatable {
  public var low: Double
  public var high: Double

  public init(low: Double, high: Double) {
    self.low = low
    self.high = high
  }
}

/// A figure that could not be compared, and the reason. It is never a pass.
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

/// The counts of the verdict line. Of primary figures and counts only, which decide.
public struct ComparisonSummary: Codable, Sendable, Equatable {
  public var regressed: Int
  public var improved: Int
  public var suspect: Int
  public var changedSmall: Int
  public var unchanged: Int
  public var inconclusive: Int
  public var notCompared: Int
  /// Pairs that were left out because one of their runs was invalid.
  public var invalidatedPairs: Int

  public init(
    regressed: Int,
    improved: Int,
    suspect: Int,
    changedSmall: Int,
    unchanged: Int,
    inconclusive: Int,
    notCompared: Int,
    invalidatedPairs: Int
  ) {
    self.regressed = regressed
    self.improved = improved
    self.suspect = suspect
    self.changedSmall = changedSmall
    self.unchanged = unchanged
    self.inconclusive = inconclusive
    self.notCompared = notCompared
    self.invalidatedPairs = invalidatedPairs
  }
}
