/// The state of an engine at one moment, as a driver reports it. It becomes a part of an `EngineSample`.
public struct EngineState: Codable, Sendable {
  /// The number of the newest commit.
  public var commit: Int
  /// The size of all files of the database.
  public var storageBytes: Int
  /// nil for a driver without SQLite's WAL.
  public var wal: EngineSample.WAL?
  public var connections: [EngineSample.Connection]
  /// The writes since the database was opened for the first time in the run; nil for a driver that does not count them.
  public var writes: FileWrites?
  /// The figures that only this engine has, by the names of their metrics.
  public var figures: [String: Int]

  public init(
    commit: Int,
    storageBytes: Int,
    wal: EngineSample.WAL? = nil,
    connections: [EngineSample.Connection],
    writes: FileWrites? = nil,
    figures: [String: Int] = [:]
  ) {
    self.commit = commit
    self.storageBytes = storageBytes
    self.wal = wal
    self.connections = connections
    self.writes = writes
    self.figures = figures
  }
}
