/// The run of one scenario in the suite of a night, as the history keeps it.
public struct SuiteRun: Codable, Sendable, Equatable {
  /// A figure of one variant: the median of its repetitions.
  public struct Figure: Codable, Sendable, Equatable {
    public var name: FigureName
    public var unit: FigureUnit
    public var value: Double

    public init(name: FigureName, unit: FigureUnit, value: Double) {
      (self.name, self.unit, self.value) = (name, unit, value)
    }
  }

  /// The start of the night: ISO 8601, UTC.
  public var night: String
  /// ISO 8601, UTC.
  public var startedAt: String
  public var scenario: String
  /// nil if it is not known.
  public var commit: String?
  public var machine: ComparedMachine
  public var exitCode: ExitStatus
  /// In the order of their names; without times that the machine disturbed.
  public var figures: [Figure]

  /// - Parameter result: All runs of the scenario, of one machine.
  public init(_ result: ScenarioResult, night: String, figures: [Figure]) {
    let first = result.first
    (self.night, startedAt, scenario) = (night, first.startedAt, first.scenario)
    (commit, machine) = (first.environment.commit, ComparedMachine(first.environment))
    (exitCode, self.figures) = (result.verdict.exitCode, figures)
  }
}
