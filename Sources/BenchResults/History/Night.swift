internal import Foundation

/// The comparison of one night's build with the pinned one, as the history keeps it.
public struct Night: Codable, Sendable, Equatable {
  public struct Figure: Codable, Sendable, Equatable {
    public var name: FigureName
    public var role: FigureRole
    public var unit: FigureUnit
    public var better: BetterValues
    /// The change against the pinned build, as a logarithm, positive if worse; nil without a ratio: for a figure that
    /// is 0 on one side, or whose change could not be estimated.
    public var effect: Double?
    public var interval95Percent: PercentInterval?
    /// The median of each arm's runs.
    public var base: Double
    public var head: Double
    public var verdict: EffectVerdict

    /// The change of the figure itself, in percent, positive if the night's is greater; nil as `effect`.
    public var changePercent: Double? { effect.map { PercentInterval.percent($0, better) } }

    /// The night's figure divided by the pinned build's; nil as `effect`.
    public var ratio: Double? { effect.map { exp(better == .lower ? $0 : -$0) } }
  }

  /// The time at which the comparison's last run began: ISO 8601, UTC.
  public var time: String
  /// The commit of the measured build; the SHA-256 of its executable if the commit is unknown.
  public var commit: String
  /// The commit of the pinned build, or the SHA-256 of its executable.
  public var reference: String
  /// The changes to the scenarios that only one side made, the pinned build's first.
  public var settings: [String] = []
  public var machine: ComparedMachine
  /// The compared figures, without parts, in the order of their names.
  public var figures: [Figure]
}

extension Night {
  /// - Parameter result: the result of a comparison whose base is the pinned build.
  public init(_ result: ComparisonOutcome) {
    let figures = result.figures.filter { $0.role != .part }.map { Figure($0, effect: Self.effect(of: $0)) }
    self.init(
      time: result.lastRunAt,
      commit: result.head.commit ?? result.head.sha256,
      reference: result.base.commit ?? result.base.sha256,
      settings: result.base.settings + result.head.settings,
      machine: result.machine,
      figures: figures.sorted { $0.name < $1.name }
    )
  }

  private static func effect(of figure: FigureResult) -> Double? {
    // A count that is 0 on both sides has no change in percent, and has not changed.
    guard let change = figure.changePercent else { return figure.verdict == .unchanged ? 0 : nil }
    guard change > -100 else { return nil }
    let growth = log(1 + change / 100)
    return figure.better == .lower ? growth : -growth
  }

  /// Returns whether both nights compare with the same pinned build, on the same machine, with the same settings.
  public func isComparable(with other: Night) -> Bool { differences(from: other).isEmpty }

  /// Returns the reasons for which the nights are not comparable, such as `another file system`.
  public func differences(from other: Night) -> [String] {
    machine.differences(from: other.machine) + (reference == other.reference ? [] : ["another pinned build"])
      + (settings == other.settings ? [] : ["other settings"])
  }

  /// Returns the effect of a figure; nil in a night without it, or without a ratio.
  public func effect(of name: FigureName) -> Double? { figures.first { $0.name == name }?.effect }
}

extension Night.Figure {
  public init(_ result: FigureResult, effect: Double?) {
    (name, role, unit, better) = (result.name, result.role, result.unit, result.better)
    (base, head, verdict) = (result.base, result.head, result.verdict)
    (self.effect, interval95Percent) = (effect, result.interval95Percent)
  }
}
