package import BenchDrivers

/// Options of one run that do not belong to its scenario.
public struct RunOptions: Sendable {
  /// The folder of the database during the run. It is created if it is missing, and must not contain a file of that
  /// database yet.
  public var dataFolder: String
  /// Whether the closed database is left in `dataFolder`.
  public var keepsDatabase: Bool
  /// Whether the run only shows that everything works: the scenario was cut short, and expectations are not judged.
  public var isSmoke: Bool
  /// Receives all latencies during the run; nil if they are not logged.
  public var latencyLog: LatencyLog?
  /// Wraps the opened database before it is used, given its path; only for tests.
  package var decorate: (@Sendable (_ database: any DriverDatabase, _ path: String) -> any DriverDatabase)?

  public init(dataFolder: String, keepsDatabase: Bool = false, isSmoke: Bool = false) {
    self.dataFolder = dataFolder
    self.keepsDatabase = keepsDatabase
    self.isSmoke = isSmoke
  }
}
