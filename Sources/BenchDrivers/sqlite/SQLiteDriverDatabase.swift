internal import BenchModel
internal import Foundation
internal import SQLiteBinding
internal import Synchronization

/// Plain SQLite in WAL mode, as a careful program uses it without any engine above: a table for each collection, a
/// handle with kept statements for each connection, one writer at a time, and a checkpoint by whoever commits when the
/// WAL has a thousand frames, which is what SQLite does by itself.
///
/// Non-goals: caches, and telling one connection what another has changed. Commits are told within this process only,
/// so that somebody can follow them.
final class SQLiteDriverDatabase: DriverDatabase {
  /// SQLite's own default of `wal_autocheckpoint`.
  static let framesOfAutomaticCheckpoint = 1_000

  let settings: EngineSettings
  let path: String
  let collections: SQLiteCollections
  let writing = SQLiteWriteLock()
  let account: SQLiteAccount
  let pageSize: Int
  private let files: CountedFiles
  private let newest = Atomic<UInt64>(0)
  private let numbers = Atomic<Int>(0)
  // Held from the first to the last, so that the file's first handle is its last one too. Once the database is open it
  // is used by whoever holds the lock of the writers.
  private let first: SQLiteConnectionHandle
  private let interval: SQLiteIntervalCheckpoint?
  private let listeners = CommitListeners()

  init(_ engine: EngineSettings, _ dataset: [DatasetCollection], path: String) throws {
    settings = engine
    self.path = path
    account = SQLiteAccount(writing)
    collections = SQLiteCollections(dataset)
    files = try CountedFiles(ofDatabaseAt: path)
    first = try SQLiteConnectionHandle(path: path, engine, collections, isFirst: true)
    newest.store(try first.commit(), ordering: .releasing)
    pageSize = Int(try first.sqlite.integer("PRAGMA page_size") ?? 0)
    if let checkpoint = engine.checkpoint {
      let handle = try SQLiteConnectionHandle(path: path, engine, collections)
      interval = SQLiteIntervalCheckpoint(checkpoint, handle, writing, account)
    } else {
      interval = nil
    }
  }

  var commit: UInt64 { newest.load(ordering: .acquiring) }
  var keepsData: Bool { true }

  func connect(_ settings: ConnectionSettings) throws -> any DriverConnection {
    let handle = try SQLiteConnectionHandle(path: path, self.settings, collections)
    let number = numbers.add(1, ordering: .relaxed).newValue
    account.opened(number, name: settings.name)
    return SQLiteDriverConnection(name: settings.name, number: number, handle, self)
  }

  func observe() -> DriverObservation? {
    account.observation(newest: commit, walBytes: walBytes, files.writes)
  }

  func checkpoints(after number: Int) -> [DriverCheckpoint] { account.checkpoints(after: number) }

  func checkpoint(_ mode: CheckpointModeSetting) throws -> DriverCheckpoint {
    let mode = SQLiteCheckpointMode(mode)
    let asked = SQLiteClock.now
    return try writing.checkpoint {
      let start = SQLiteClock.now
      do {
        return try account.checkpoint(mode, cause: "call", on: first.sqlite, waited: start - asked)
      } catch {
        account.failed(mode, cause: "call", at: start, error)
        throw error
      }
    }
  }

  /// Ends with a commit of no changes, so that whoever follows commits moves on from the file as it was.
  func vacuum() throws {
    try writing.write { _, _ in
      try first.sqlite.execute("VACUUM")
      let commit = try first.commit() + 1
      try first.run("UPDATE commits SET number = number + 1")
      try committed(commit, on: first)
    }
  }

  func onCommit(_ handler: @escaping @Sendable (CommitNews) -> Void) { listeners.add(after: commit, handler) }

  func tellsOfDamage(_ error: any Error) -> Bool {
    // SQLITE_CORRUPT and SQLITE_NOTADB.
    (error as? SQLiteError).map { $0.primaryCode == 11 || $0.primaryCode == 26 } ?? false
  }

  /// Copies the WAL into the file, as SQLite does when the last handle is closed.
  func close() throws {
    interval?.stop()
    _ = try writing.checkpoint { try account.checkpoint(.truncate, cause: "close", on: first.sqlite, waited: 0) }
  }

  /// A writer has committed, and holds the lock of the writers still.
  /// - Returns: nanoseconds that its checkpoint took; 0 where it made none.
  @discardableResult
  func committed(_ commit: UInt64, on handle: SQLiteConnectionHandle) throws -> UInt64 {
    account.committed(commit, frames: handle.sqlite.walFramesAfterCommit)
    newest.store(commit, ordering: .releasing)
    listeners.tell(CommitNews(commit))
    guard interval == nil, account.frames >= Self.framesOfAutomaticCheckpoint else { return 0 }
    return try writing.checkpointInside {
      // Whoever commits waits for it too.
      try account.checkpoint(.passive, cause: "wal_autocheckpoint", on: handle.sqlite, waited: 0, madeBy: 1)
    }.durationNanoseconds
  }

  /// Asked of the file's name: opening it a second time would cost the process its locks.
  private var walBytes: Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path + "-wal")
    return (attributes?[.size] as? NSNumber)?.intValue ?? 0
  }
}
