public import BenchModel

/// An upper bound of the file descriptors that a scenario takes while it runs.
public enum DescriptorNeed {
  /// Of the process itself, beside any database: the C library's and Foundation's own, programs that are started, and
  /// the files of the report.
  public static let ofProgram = 48
  /// The database file and its WAL, and one for a descriptor that SQLite may not close yet because closing it would
  /// release the locks of another handle.
  private static let perHandle = 3
  /// The engine's handles beside those of connections: for writing, for checkpoints, for guarding them, and idle ones
  /// that wait to be used again.
  private static let engineHandles = 12
  /// Sockets to an engine in a process of its own, beside one for each connection.
  private static let engineSockets = 16

  /// The need beside descriptors that are open already. An engine's process inherits the limit, so this is the need of
  /// the process that needs more.
  public static func of(_ scenario: Scenario) -> Int {
    let connections = mostConnections(of: scenario)
    let handles = scenario.engine.driver == .null ? 0 : perHandle * (connections + engineHandles)
    return ofProgram + handles + (scenario.hasEngineProcess ? connections + engineSockets : 0)
  }

  /// Named connections, and those that live for one transaction of a thread.
  private static func mostConnections(of scenario: Scenario) -> Int {
    let named = scenario.connections.map(\.count).reduce(0, +)
    let perPhase = scenario.phases.map { phase in
      phase.actors.map(\.settings).filter { $0.connectionLifetime == .perTransaction }.map(\.threads).reduce(0, +)
    }
    return named + (perPhase.max() ?? 0)
  }
}
