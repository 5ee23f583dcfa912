internal import BenchResults
internal import BenchScenario
internal import SQLiteBinding
internal import ThreadingPrimitives

/// Plain SQLite in WAL mode, as a careful program uses it without an engine on top. It has a table per collection, a
/// handle with cached statements per connection, and one writer at a time. A commit that leaves at least 1,000 frames
/// in the WAL makes a checkpoint, as by SQLite's default, unless the scenario sets an interval for checkpoints.
///
/// It has no caches of objects, and connections do not learn which rows others have changed. Listeners are notified
/// only of commits of this process.
final class SQLiteDriverDatabase: SQLiteFileDatabase {
  let settings: EngineSettings
  let path: String
  private let dataset: [DatasetCollection]
  let writeLock = WriteLock()
  let walRecord: SQLiteWALRecord
  let commits: CommitCounter
  let pageSize: Int
  // Stays open until the database is released: SQLite checkpoints and deletes the WAL when the last handle is closed.
  // After `init`, it is used only under the writers' lock.
  private let firstHandle: SQLiteConnectionHandle
  private let intervalCheckpoint: SQLiteIntervalCheckpoint?

  init(_ engine: EngineSettings, _ dataset: [DatasetCollection], path: String) throws {
    settings = engine
    self.path = path
    self.dataset = dataset
    let files = try CountedFiles(ofDatabaseAt: path)
    firstHandle = try SQLiteConnectionHandle(path: path, engine, dataset, isFirst: true)
    commits = CommitCounter(newest: try firstHandle.newestCommit())
    pageSize = Int(try firstHandle.sqlite.integer("PRAGMA page_size") ?? 0)
    walRecord = SQLiteWALRecord(databasePath: path, pageSize: pageSize, files, writeLock)
    intervalCheckpoint = try engine.checkpoint.map { [walRecord] checkpoint in
      let handle = try SQLiteConnectionHandle(path: path, engine, dataset)
      return try SQLiteIntervalCheckpoint(checkpoint, on: handle, walRecord)
    }
  }

  var checkpointsAutomatically: Bool { intervalCheckpoint == nil }

  var configuration: EngineConfiguration {
    let interval = settings.checkpoint.map {
      "\($0.mode.rawValue) every \(Duration.nanoseconds(Int64(clamping: $0.everyNanoseconds)))"
    }
    return EngineConfiguration(
      library: "SQLite \(SQLiteLibrary.version)",
      options: [
        .init("journal_mode", "WAL"), .init("synchronous", settings.synchronous.rawValue),
        .init("checkpoints", interval ?? SQLiteTables.automaticCheckpoint),
        .init("table", SQLiteTables.form),
      ]
    )
  }

  func connect(_ settings: ConnectionSettings) throws -> any DriverConnection {
    let handle = try SQLiteConnectionHandle(path: path, self.settings, dataset)
    let number = walRecord.addConnection(settings.name)
    return SQLiteDriverConnection(name: settings.name, number: number, handle, self)
  }

  func checkpoint(_ mode: CheckpointModeSetting) throws -> CheckpointResult {
    try walRecord.checkpoint(SQLiteCheckpointMode(mode), cause: "call") { try $0(firstHandle.sqlite) }
  }

  /// Ends with a commit that changes no collection, which records the WAL's new length and is reported to listeners.
  func vacuum() throws {
    try writeLock.write { _, _ in
      try firstHandle.sqlite.execute("VACUUM")
      let commit = try firstHandle.newestCommit() + 1
      try firstHandle.countCommit.run()
      try finishCommit(commit, on: firstHandle.sqlite)
    }
  }

  func isDamage(_ error: any Error) -> Bool { (error as? SQLiteError)?.isDamage ?? false }

  /// Stops the interval checkpoints, and copies the WAL to the database file unless a reader blocks the copy.
  func close() throws {
    intervalCheckpoint?.stop()
    try walRecord.checkpoint(.truncate, cause: "close") { try $0(firstHandle.sqlite) }
  }
}

/// Makes a checkpoint whenever a fixed time has passed since the previous one, on its own thread and handle.
final class SQLiteIntervalCheckpoint: Sendable {
  private let end = Parker()
  /// nil once a caller joins it.
  private let thread: Guarded<WorkerThread?>

  init(_ settings: CheckpointSettings, on handle: SQLiteConnectionHandle, _ walRecord: SQLiteWALRecord) throws {
    let mode = SQLiteCheckpointMode(settings.mode)
    let started = try WorkerThread(name: "checkpoints") { [end] in
      while !end.park(deadline: MonotonicClock.now + settings.everyNanoseconds) {
        // A failure is in the ledger, and the next checkpoint may succeed.
        _ = try? walRecord.checkpoint(mode, cause: "interval") { try $0(handle.sqlite) }
      }
    }
    thread = Guarded(started)
  }

  /// Stops the thread and waits until it has ended.
  func stop() {
    end.unpark()
    thread.withLock { $0.take() }?.join()
  }
}

extension SQLiteCheckpointMode {
  init(_ setting: CheckpointModeSetting) {
    self =
      switch setting {
      case .passive: .passive
      case .full: .full
      case .restart: .restart
      case .truncate: .truncate
      }
  }
}
