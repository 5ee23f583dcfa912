/// The result of one comparison of a build with itself: a line of the calibration file.
public struct CalibrationRecord: Codable, Sendable, Equatable {
  public struct Figure: Codable, Sendable, Equatable {
    public var name: FigureName
    /// As in `FigureResult`.
    public var changePercent: Double
    public var isPrimary: Bool
    /// Whether it was reported as regressed or improved.
    public var isFalseAlarm: Bool

    public init(name: FigureName, changePercent: Double, isPrimary: Bool, isFalseAlarm: Bool) {
      self.name = name
      self.changePercent = changePercent
      self.isPrimary = isPrimary
      self.isFalseAlarm = isFalseAlarm
    }
  }

  /// The time at which the last run began: ISO 8601, UTC.
  public var time: String
  public var machine: ComparedMachine
  /// Of the executable.
  public var sha256: String
  public var pairs: Int
  public var figures: [Figure]

  /// - Parameter result: of a comparison of an executable with itself.
  public init(_ result: ComparisonOutcome) {
    time = result.lastRunAt
    machine = result.machine
    sha256 = result.base.sha256
    pairs = result.design.pairs
    figures = result.figures.compactMap { figure in
      guard figure.role != .part, !figure.isExact, let change = figure.changePercent else { return nil }
      return Figure(
        name: figure.name,
        changePercent: change,
        isPrimary: figure.role == .primary,
        isFalseAlarm: figure.role == .primary && figure.verdict.isChange
      )
    }
  }
}
