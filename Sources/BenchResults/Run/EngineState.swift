/// The state of an engine at one moment, as a driver reports it. It becomes a part of an `EngineSample`.
public struct EngineState: Codable, Sendable {
  /// The number of the newest commit.
  public var commit: Int
  public var wal: EngineSample.WAL
  public var connections: [EngineSample.Connection]
  /// The writes since the database was opened for the first time in the run.
  public var writes: FileWrites

  public init(commit: Int, wal: EngineSample.WAL, connections: [EngineSample.Connection], writes: FileWrites) {
    self.commit = commit
    self.wal = wal
    self.connections = connections
    self.writes = writes
  }
}
