package import BenchScenario

/// An upper bound of the number of file descriptors that a scenario needs while it runs.
package enum DescriptorNeed {
  /// The need of the process itself, without any database: the C library's and Foundation's own descriptors, programs
  /// that are started, and the files of the report.
  package static let ofProgram = 48
  /// A handle's descriptors: the database file, its WAL, and one that SQLite may keep open, because closing it would
  /// release the locks of another handle.
  private static let perHandle = 3
  /// A connection's handle, and the file with the waits of the thread that moves its bookmark (`ProcessDelay`).
  private static let perConnection = perHandle + 1
  /// A worker's waits for a processor are read from one file by itself, and from another by all workers.
  private static let perWorker = 2
  /// The engine's handles beside the connections': for writing, for checkpoints, for guarding them, and idle ones that
  /// are kept for reuse.
  private static let engineHandles = 12
  /// Sockets to an engine in a process of its own, in addition to one for each connection.
  private static let engineSockets = 16

  /// Returns the number of descriptors in addition to those that are already open. If the engine has a process of its
  /// own, the number is that process's need: it inherits the limit, and needs more than the harness.
  package static func of(_ scenario: Scenario) -> Int {
    let connections = mostConnections(of: scenario)
    let handles = perConnection * connections + perHandle * engineHandles
    return ofProgram + (scenario.engine.driver.keepsData ? handles : 0) + perWorker * mostThreads(of: scenario)
      + (scenario.hasEngineProcess ? connections + engineSockets : 0)
  }

  private static func mostThreads(of scenario: Scenario) -> Int {
    scenario.phases.map { $0.actors.reduce(0) { $0 + $1.settings.threads } }.max() ?? 0
  }

  /// The named connections, and one for each thread that opens a connection for each transaction.
  private static func mostConnections(of scenario: Scenario) -> Int {
    let named = scenario.connections.map(\.count).reduce(0, +)
    let perPhase = scenario.phases.map { phase -> Int in
      let actors = phase.actors.map(\.settings).filter { $0.connectionLifetime == .perTransaction }
      return actors.map(\.threads).reduce(0, +)
    }
    return named + (perPhase.max() ?? 0)
  }
}
