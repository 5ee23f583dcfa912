internal import Foundation

/// The comparison of one night's build with the pinned one, as the history keeps it.
public struct Night: Codable, Sendable, Equatable {
  public struct Figure: Codable, Sendable, Equatable {
    public var name: FigureName
    public var role: FigureRole
    public var unit: RunFigure.Unit
    public var better: BetterValues
    /// The change against the pinned build, as a logarithm, positive if worse.
    public var effect: Double
    public var interval95Percent: PercentInterval?
    /// The median of each arm's runs.
    public var base: Double
    public var head: Double
    public var verdict: EffectVerdict
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
  /// The figures with a change, without parts, in the order of their names.
  public var figures: [Figure]
}

extension Night {
  /// - Parameter result: the result of a comparison whose base is the pinned build.
  public init(_ result: ComparisonOutcome) {
    let figures = result.figures.compactMap { figure -> Figure? in
      guard figure.role != .part, let change = figure.changePercent, change > -100 else { return nil }
      let growth = log(1 + change / 100)
      return Figure(figure, effect: figure.better == .lower ? growth : -growth)
    }
    self.init(
      time: result.lastRunAt,
      commit: result.head.commit ?? result.head.sha256,
      reference: result.base.commit ?? result.base.sha256,
      settings: result.base.settings + result.head.settings,
      machine: result.machine,
      figures: figures.sorted { $0.name < $1.name }
    )
  }

  /// Returns whether both nights compare with the same pinned build, on the same machine, with the same settings.
  public func isComparable(with other: Night) -> Bool {
    reference == other.reference && settings == other.settings && machine.isSame(as: other.machine)
  }

  /// Returns the effect of a figure; nil in a night without it.
  public func effect(of name: FigureName) -> Double? { figures.first { $0.name == name }?.effect }
}

extension Night.Figure {
  public init(_ result: FigureResult, effect: Double) {
    (name, role, unit, better) = (result.name, result.role, result.unit, result.better)
    (base, head, verdict) = (result.base, result.head, result.verdict)
    (self.effect, interval95Percent) = (effect, result.interval95Percent)
  }
}

/// A lasting change of a figure between two nights. Once raised, an alarm does not change when nights are added.
public struct TrendAlarm: Codable, Sendable, Equatable {
  public var figure: FigureName
  /// The last night before the change and the first night after it, with their commits.
  public var lastTime: String
  public var lastCommit: String
  public var firstTime: String
  public var firstCommit: String
  /// The size of the change, as a logarithm, positive if worse.
  public var magnitude: Double
  public var pValue: Double
}

extension TrendAlarm {
  /// - Parameters:
  ///   - last: the last night before the change.
  ///   - first: the first night after it.
  public init(_ figure: FigureName, last: Night, first: Night, magnitude: Double, pValue: Double) {
    (self.figure, self.magnitude, self.pValue) = (figure, magnitude, pValue)
    (lastTime, lastCommit) = (last.time, last.commit)
    (firstTime, firstCommit) = (first.time, first.commit)
  }
}

/// A change of a figure that is known and accepted. The file of acknowledgements belongs in the project's repository.
public struct Acknowledgement: Codable, Sendable, Equatable {
  public var figure: FigureName
  /// The commits before and after the change, as in `TrendAlarm`.
  public var lastCommit: String
  public var firstCommit: String
  /// The reason for which the change is accepted.
  public var note: String

  public init(_ alarm: TrendAlarm, note: String) {
    figure = alarm.figure
    lastCommit = alarm.lastCommit
    firstCommit = alarm.firstCommit
    self.note = note
  }

  public func covers(_ alarm: TrendAlarm) -> Bool {
    figure == alarm.figure && lastCommit == alarm.lastCommit && firstCommit == alarm.firstCommit
  }
}
