package import BenchDrivers
package import BenchScenario

/// Options of a scenario's runs that do not belong to the scenario.
package struct RunOptions: Sendable {
  /// The folder of the database during a single run, or of a folder for each of several runs. It is created if it is
  /// missing, and must not contain a file of a run's database yet.
  package var dataFolder: String
  /// Whether the databases of several runs are left in `dataFolder`. The database of a single run always is, and so is
  /// the database of a run that failed, was interrupted, or violated an invariant.
  package var keepsDatabase: Bool
  /// Whether the run only shows that everything works: the scenario is shortened, and failed expectations do not count.
  package var isSmoke: Bool
  /// Whether an expectation that compares variants fails if the runs cannot decide it.
  package var isStrict = false
  /// The number of rounds of retries after all planned runs. Each round makes, for each variant, as many runs as it
  /// lacks valid ones.
  package var retriesOfInvalid = 0
  /// The longest wait for a quieter machine before disturbed runs are repeated. Without one, or after a first round of
  /// runs that are invalid for other causes, no more runs are made. nil: all runs are made, without a wait.
  package var quietWaitNanoseconds: UInt64?
  /// Measures the use of the machine by other processes instead of `QuietWait`; only for tests.
  package var measureOthers: (@Sendable () -> OthersUse)?
  /// Receives the times of transactions, operations and events during the run; nil if they are not logged.
  package var latencyLog: LatencyLog?
  /// Whether the machine is described and the harness's own costs are measured, which takes a part of a second.
  package var measuresHarness = true
  /// The time that transactions may take to end after a phase; nil for the usual one. A run gives them up after it.
  package var patienceNanoseconds: UInt64?
  /// Whether each commit contains an entry of a ledger, and all versions of rows are kept in memory. Some invariants
  /// need both, but they change the figures.
  package var keepsLedger = false
  /// Whether the workers take `Turns`, so that their instructions can be counted. Their times then mean nothing, and no
  /// expectation ends the run. The scenario must have no `Scenario.obstacleToTurns`.
  package var takesTurns = false
  /// Called with the number of each commit of a read-write transaction after it has returned, on any thread; nil if
  /// that is not needed.
  package var onAcknowledgement: (@Sendable (UInt64) -> Void)?
  /// The invariants that are checked; nil for the scenario's invariants.
  package var invariants: Set<Invariant>?
  /// Changes of the engine with which stress campaigns try it.
  package var engineTests = EngineTestSettings()
  /// Wraps the opened database before it is used, given its path; only for tests.
  package var decorate: (@Sendable (_ database: any DriverDatabase, _ path: String) -> any DriverDatabase)?

  package init(dataFolder: String, keepsDatabase: Bool = false, isSmoke: Bool = false) {
    self.dataFolder = dataFolder
    self.keepsDatabase = keepsDatabase
    self.isSmoke = isSmoke
  }
}
