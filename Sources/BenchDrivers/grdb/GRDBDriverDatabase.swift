#if GRDB
  internal import BenchResults
  internal import BenchScenario
  internal import GRDB
  internal import SQLiteBinding
  internal import Synchronization

  /// GRDB as its documentation recommends it: one `DatabasePool`, cached statements, and a `DatabaseSnapshot` for each
  /// long-lived read. It uses the tables of the driver `sqlite`.
  ///
  /// GRDB uses SQLite's automatic checkpoint, which is not reported. `SQLiteHandle` turns it off, and the driver makes
  /// the same checkpoint after the same commits, on the same connection. Listeners are notified only of commits of this
  /// process.
  final class GRDBDriverDatabase: DriverDatabase {
    /// The version of GRDB that `Package.swift` demands. The library does not report it.
    static let version = "7.10.0"

    let pool: DatabasePool
    /// The collections with the SQL of their statements, by `SQLiteRowStatement.rawValue`.
    let collections: DriverCollections<[String]>
    let writeLock = WriteLock()
    let walRecord: SQLiteWALRecord
    let pageSize: Int
    // The pool's connection for writes. It is used only in the pool's queue of writes.
    private nonisolated(unsafe) let writer: SQLiteHandle
    private let synchronous: SynchronousLevel
    private let path: String
    private let files: CountedFiles
    private let newest = Atomic<UInt64>(0)
    private let lastConnectionNumber = Atomic<Int>(0)
    private let listeners = CommitListeners()

    init(_ engine: EngineSettings, _ dataset: [DatasetCollection], path: String) throws {
      self.path = path
      synchronous = engine.synchronous
      collections = DriverCollections(dataset) { name in SQLiteRowStatement.allCases.map { $0.sql(for: name) } }
      files = try CountedFiles(ofDatabaseAt: path)
      pool = try DatabasePool(path: path, configuration: Self.configuration(engine))
      writer = try pool.writeWithoutTransaction { connection in
        guard let handle = connection.sqliteConnection else {
          throw DriverError("GRDB has closed the connection for writes; expected an open one")
        }
        return SQLiteHandle(ofOtherLibrary: handle)
      }
      pageSize = try pool.writeWithoutTransaction { connection in
        // When the pool enters WAL mode, it sets `synchronous` of its writer to NORMAL.
        try connection.execute(sql: engine.synchronousPragma)
        try connection.inTransaction {
          try connection.execute(sql: SQLiteTables.schema(dataset))
          return .commit
        }
        return try Int.fetchOne(connection, sql: "PRAGMA page_size") ?? 0
      }
      newest.store(try pool.read { try $0.newestCommit() }, ordering: .releasing)
      walRecord = SQLiteWALRecord(databasePath: path, pageSize: pageSize) { [writeLock] in writeLock.waitingWriters }
    }

    private static func configuration(_ engine: EngineSettings) -> Configuration {
      var configuration = Configuration()
      configuration.busyMode = .timeout(Double(engine.sqliteBusyNanoseconds) / 1e9)
      configuration.prepareDatabase { connection in
        if let bytes = engine.pageSizeBytes, !connection.configuration.readonly {
          try connection.execute(sql: "PRAGMA page_size = \(bytes)")
        }
        for pragma in engine.sqlitePragmas { try connection.execute(sql: pragma) }
      }
      return configuration
    }

    var commit: UInt64 { newest.load(ordering: .acquiring) }
    var keepsData: Bool { true }

    var configuration: EngineConfiguration {
      EngineConfiguration(
        library: "GRDB \(Self.version), SQLite \(SQLiteLibrary.version)",
        options: [
          .init("journal_mode", "WAL"), .init("synchronous", synchronous.rawValue),
          .init("checkpoints", "passive, after a commit at \(SQLiteDriverDatabase.framesOfAutomaticCheckpoint) frames"),
          .init("table", SQLiteTables.form),
          .init("reads", "DatabasePool, up to \(pool.configuration.maximumReaderCount) at a time"),
          .init("connection", "a serial lane in front of the pool, which chooses a SQLite connection for each read"),
          .init("long-lived read", "DatabaseSnapshot, a new one for each move"),
        ]
      )
    }

    func connect(_ settings: ConnectionSettings) -> any DriverConnection {
      let number = lastConnectionNumber.add(1, ordering: .relaxed).newValue
      walRecord.addConnection(number, name: settings.name)
      return GRDBDriverConnection(name: settings.name, number: number, self)
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
      try checkpoint(SQLiteCheckpointMode(mode), cause: "call")
    }

    private func checkpoint(_ mode: SQLiteCheckpointMode, cause: String) throws -> CheckpointResult {
      try walRecord.checkpoint(mode, cause: cause, under: writeLock) { make in
        try pool.writeWithoutTransaction { _ in try make(writer) }
      }
    }

    /// Rewrites the file without gaps. Then makes a commit that changes no collection, so that the WAL's new length is
    /// recorded and listeners are notified.
    func vacuum() throws {
      try writeLock.write { _, _ in
        try pool.writeWithoutTransaction { connection in
          try connection.execute(sql: "VACUUM")
          let commit = try connection.newestCommit() + 1
          try connection.execute(sql: SQLiteTables.incrementCommit)
          try finishCommit(commit)
        }
      }
    }

    func onCommit(_ handler: @escaping @Sendable (CommitNotification) -> Void) { listeners.add(after: commit, handler) }

    func isDamage(_ error: any Error) -> Bool {
      if let error = error as? DatabaseError {
        return error.resultCode == .SQLITE_CORRUPT || error.resultCode == .SQLITE_NOTADB
      }
      return (error as? SQLiteError)?.isDamage ?? false
    }

    /// Copies the WAL to the database file unless a reader blocks the copy. The pool closes its connections when the
    /// database is released.
    func close() throws {
      _ = try checkpoint(.truncate, cause: "close")
    }

    /// Records and reports a commit, and makes the automatic checkpoint if it is due. Must be called in the pool's
    /// queue of writes with the writers' lock held.
    /// - Returns: The duration of the checkpoint in nanoseconds; 0 if there was none.
    @discardableResult
    func finishCommit(_ commit: UInt64) throws -> UInt64 {
      let frames = writer.walFramesAfterCommit
      walRecord.recordCommit(commit, frames: frames)
      newest.store(commit, ordering: .releasing)
      listeners.notify(CommitNotification(commit))
      guard frames >= SQLiteDriverDatabase.framesOfAutomaticCheckpoint else { return 0 }
      let checkpoint = try writeLock.checkpointInside {
        // The committing thread also waits for the checkpoint.
        try walRecord.checkpoint(.passive, cause: "wal_autocheckpoint", on: writer, waited: 0, madeBy: 1)
      }
      return checkpoint.durationNanoseconds
    }
  }
#endif
