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
  public var base = 0.0
  public var head = 0.0
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
  public var stage = 1
  public var pairs = 0
  /// Pairs of equal figures.
  public var ties = 0
  public var marginPercent = 0.0
  /// The smallest change that four of five such comparisons would find.
  public var detectablePercent: Double?
  /// The pairs that would find a change as large as the margin.
  public var pairsNeeded: Int?
  public var lag1Autocorrelation: Double?
  public var verdict: EffectVerdict
  /// Whether no statistics are needed: instructions; counts constant in both arms, or in one if the ranges are apart.
  public var isExact = false
  public var reasons: [String] = []
  /// The figures of each pair, base first, in the order of the pairs.
  public var values: [[Double]] = []

  /// Whether its verdict counts for the exit code.
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

/// The counts of the verdict line: deciding figures by their verdict, and figures and pairs without one.
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

  public static let zero = Self()
}
