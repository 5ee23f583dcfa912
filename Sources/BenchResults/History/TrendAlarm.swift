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
  /// The figure's better values, and the first night's pinned build, settings and machine; nil in alarms of earlier
  /// versions, for which the nights have them.
  public var better: BetterValues?
  public var reference: String?
  public var settings: [String]?
  public var machine: ComparedMachine?
}

extension TrendAlarm {
  /// The least number of comparable nights before the change.
  public static let nightsBefore = 5
  /// The least number of comparable nights since the change: one more than before it, because a change that seems to
  /// begin with the fifth night from the end may begin later.
  public static let nightsSince = 6

  /// - Parameters:
  ///   - last: the last night before the change.
  ///   - first: the first night after it.
  public init(_ figure: FigureName, last: Night, first: Night, magnitude: Double, pValue: Double) {
    (self.figure, self.magnitude, self.pValue) = (figure, magnitude, pValue)
    (lastTime, lastCommit) = (last.time, last.commit)
    (firstTime, firstCommit) = (first.time, first.commit)
    (reference, settings, machine) = (first.reference, first.settings, first.machine)
    better = first.figures.first { $0.name == figure }?.better
  }

  /// Returns whether a night is the first one after the change.
  public func begins(with night: Night) -> Bool { night.time == firstTime && night.commit == firstCommit }
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
