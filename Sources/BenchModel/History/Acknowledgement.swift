/// A change of a figure that is known and accepted. The file of acknowledgements belongs into the project's repository.
public struct Acknowledgement: Codable, Sendable, Equatable {
  public var figure: FigureName
  /// The last commit of the old level and the first of the new one, as the alarm has them.
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
