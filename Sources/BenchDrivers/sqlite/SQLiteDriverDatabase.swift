internal import BenchResults
internal import BenchScenario
internal import Foundation
internal import SQLiteBinding
internal import Synchronization

/// Plain SQLite in WAL mode, as a careful program uses it without an engine on top. It has a table per collection, a
/// handle with cached statements per connection, and one writer at a time. A commit that leaves at least 1,000 frames
/// in the WAL makes a checkpoint, as by SQLite's default, unless the scenario sets an interval for checkpoints.
///
/// It has no caches of objects, and connections do not learn which rows others have changed. Listeners are notified
/// only of commits of this process.
final class SQLiteDriverDatabase: DriverDatabase {
  /// SQLite's default of `wal_autocheckpoint`, in frames.
  static let framesOfAutomaticCheckpoint = 1_000

  let settings: EngineSettings
  let path: String
  private let dataset: [DatasetCollection]
  let writeLock = WriteLock()
  let walRecord: SQLiteWALRecord
  let pageSize: Int
  private let files: CountedFiles
  private let newest = Atomic<UInt64>(0)
  private let lastConnectionNumber = Atomic<Int>(0)
  // Stays open until the database is released: SQLite checkpoints and deletes the WAL when the last handle is closed.
  // After `init`, it is used only under the writers' lock.
  private let firstHandle: SQLiteConnectionHandle
  private let intervalCheckpoint: SQLiteIntervalCheckpoint?
  private let listeners = CommitListeners()

  init(_ engine: EngineSettings, _ dataset: [DatasetCollection], path: String) throws {
    settings = engine
    self.path = path
    self.dataset = dataset
    files = try CountedFiles(ofDatabaseAt: path)
    firstHandle = try SQLiteConnectionHandle(path: path, engine, dataset, isFirst: true)
    newest.store(try firstHandle.newestCommit(), ordering: .releasing)
    pageSize = Int(try firstHandle.sqlite.integer("PRAGMA page_size") ?? 0)
    walRecord = SQLiteWALRecord(databasePath: path, pageSize: pageSize) { [writeLock] in writeLock.waitingWriters }
    if let checkpoint = engine.checkpoint {
      let handle = try SQLiteConnectionHandle(path: path, engine, dataset)
      intervalCheckpoint = SQLiteIntervalCheckpoint(checkpoint, on: handle, writeLock: writeLock, walRecord: walRecord)
    } else {
      intervalCheckpoint = nil
    }
  }

  var commit: UInt64 { newest.load(ordering: .acquiring) }
  var keepsData: Bool { true }

  var configuration: EngineConfiguration {
    let interval = settings.checkpoint.map {
      "\($0.mode.rawValue) every \(Duration.nanoseconds(Int64(clamping: $0.everyNanoseconds)))"
    }
    return EngineConfiguration(
      library: "SQLite \(SQLiteLibrary.version)",
      options: [
        .init("journal_mode", "WAL"), .init("synchronous", settings.synchronous.rawValue),
        .init("checkpoints", interval ?? "passive, after a commit at \(Self.framesOfAutomaticCheckpoint) frames"),
        .init("table", SQLiteTables.form),
      ]
    )
  }

  func connect(_ settings: ConnectionSettings) throws -> any DriverConnection {
    let handle = try SQLiteConnectionHandle(path: path, self.settings, dataset)
    let number = lastConnectionNumber.add(1, ordering: .relaxed).newValue
    walRecord.addConnection(number, name: settings.name)
    return SQLiteDriverConnection(name: settings.name, number: number, handle, self)
  }

  func observe() -> EngineSample? {
    walRecord.state(
      newest: commit,
      storageBytes: DatabaseFiles.bytesOfSQLite(at: path),
      walBytes: DatabaseFiles.bytes(at: path, suffixes: ["-wal"]),
      writes: files.writes
    )
  }

  func checkpoints(after number: Int) -> [CheckpointResult] { walRecord.checkpoints(after: number) }

  func checkpoint(_ mode: CheckpointModeSetting) throws -> CheckpointResult {
    try walRecord.checkpoint(SQLiteCheckpointMode(mode), cause: "call", under: writeLock) { try $0(firstHandle.sqlite) }
  }

  /// Ends with a commit that changes no collection, which records the WAL's new length and is reported to listeners.
  func vacuum() throws {
    try writeLock.write { _, _ in
      try firstHandle.sqlite.execute("VACUUM")
      let commit = try firstHandle.newestCommit() + 1
      try firstHandle.countCommit.run()
      try finishCommit(commit, on: firstHandle)
    }
  }

  func onCommit(_ handler: @escaping @Sendable (CommitNotification) -> Void) { listeners.add(after: commit, handler) }

  func isDamage(_ error: any Error) -> Bool {
    (error as? SQLiteError)?.isDamage ?? false
  }

  /// Stops the interval checkpoints, and copies the WAL to the database file unless a reader blocks the copy.
  func close() throws {
    intervalCheckpoint?.stop()
    try walRecord.checkpoint(.truncate, cause: "close", under: writeLock) { try $0(firstHandle.sqlite) }
  }

  /// Records and reports a commit, and makes the automatic checkpoint if it is due. Must be called with the writers'
  /// lock held.
  /// - Returns: The duration of the checkpoint in nanoseconds; 0 if there was none.
  @discardableResult
  func finishCommit(_ commit: UInt64, on handle: SQLiteConnectionHandle) throws -> UInt64 {
    let frames = handle.sqlite.walFramesAfterCommit
    walRecord.recordCommit(commit, frames: frames)
    newest.store(commit, ordering: .releasing)
    listeners.notify(CommitNotification(commit))
    guard intervalCheckpoint == nil, frames >= Self.framesOfAutomaticCheckpoint else { return 0 }
    let checkpoint = try writeLock.checkpointInside {
      // The committing thread also waits for the checkpoint.
      try walRecord.checkpoint(.passive, cause: "wal_autocheckpoint", on: handle.sqlite, waited: 0, madeBy: 1)
    }
    return checkpoint.durationNanoseconds
  }
}

/// Makes a checkpoint whenever a fixed time has passed since the previous one, on its own thread and handle.
// The mutable state is protected by the condition's lock.
final class SQLiteIntervalCheckpoint: @unchecked Sendable {
  private let mode: SQLiteCheckpointMode
  private let seconds: Double
  private let handle: SQLiteConnectionHandle
  private let writeLock: WriteLock
  private let walRecord: SQLiteWALRecord
  private let condition = NSCondition()
  private var isStopped = false
  private var hasEnded = false

  init(
    _ settings: CheckpointSettings,
    on handle: SQLiteConnectionHandle,
    writeLock: WriteLock,
    walRecord: SQLiteWALRecord
  ) {
    mode = SQLiteCheckpointMode(settings.mode)
    seconds = Double(settings.everyNanoseconds) / 1e9
    self.handle = handle
    self.writeLock = writeLock
    self.walRecord = walRecord
    Thread.detachNewThread { self.run() }
  }

  /// Stops the thread and waits until it has ended.
  func stop() {
    condition.withLock {
      isStopped = true
      condition.broadcast()
      while !hasEnded { condition.wait() }
    }
  }

  private func run() {
    while waitUntilDue() {
      // A failure is in the ledger, and the next checkpoint may succeed.
      _ = try? walRecord.checkpoint(mode, cause: "interval", under: writeLock) { try $0(handle.sqlite) }
    }
    condition.withLock {
      hasEnded = true
      condition.broadcast()
    }
  }

  /// Waits until the next checkpoint is due or the thread has to stop.
  /// - Returns: false if the thread has to stop.
  private func waitUntilDue() -> Bool {
    condition.withLock {
      let deadline = Date(timeIntervalSinceNow: seconds)
      while !isStopped, condition.wait(until: deadline) {}
      return !isStopped
    }
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
