/// A night from which on a figure has another level. Once raised, an alarm does not change when nights are added.
public struct TrendAlarm: Codable, Sendable, Equatable {
  public var figure: FigureName
  /// The last night of the old level and the first one of the new, with their commits.
  public var lastTime: String
  public var lastCommit: String
  public var firstTime: String
  public var firstCommit: String
  /// As a logarithm, positive if worse.
  public var magnitude: Double
  public var pValue: Double

  public init(
    figure: FigureName,
    lastTime: String,
    lastCommit: String,
    firstTime: String,
    firstCommit: String,
    magnitude: Double,
    pValue: Double
  ) {
    self.figure = figure
    self.lastTime = lastTime
    self.lastCommit = lastCommit
    self.firstTime = firstTime
    self.firstCommit = firstCommit
    self.magnitude = magnitude
    self.pValue = pValue
  }
}
