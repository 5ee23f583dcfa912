/// What is decided for one run and does not belong to its scenario.
public struct RunOptions: Sendable {
  /// Where the database lives while the run lasts. It is created where it is missing, and must hold nothing of a
  /// database's yet.
  public var dataFolder: String
  /// Leaves the database, closed, in `dataFolder`.
  public var keepsDatabase: Bool
  /// Shows that everything works and measures nothing: the scenario has been cut short, and expectations do not judge.
  public var isSmoke: Bool
  /// Is told all latencies while they are measured; nil where nobody keeps them.
  public var latencyLog: LatencyLog?
  /// Names of defects to put into the engine; only in builds for tests.
  package var plantedBugs: [String] = []

  public init(dataFolder: String, keepsDatabase: Bool = false, isSmoke: Bool = false) {
    self.dataFolder = dataFolder
    self.keepsDatabase = keepsDatabase
    self.isSmoke = isSmoke
  }
}
