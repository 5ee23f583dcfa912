#if GRDB
  internal import BenchResults
  internal import BenchScenario
  internal import GRDB
  internal import SQLiteBinding

  /// GRDB as its documentation recommends it: one `DatabasePool`, cached statements, and a `DatabaseSnapshot` for each
  /// long-lived read. It uses the tables of the driver `sqlite`.
  ///
  /// GRDB uses SQLite's automatic checkpoint, which is not reported. `SQLiteHandle` turns it off, and the driver makes
  /// the same checkpoint after the same commits, on the same connection. Listeners are notified only of commits of this
  /// process.
  final class GRDBDriverDatabase: SQLiteFileDatabase {
    /// The version of GRDB that `Package.swift` demands. The library does not report it.
    static let version = "7.10.0"

    let pool: DatabasePool
    /// The collections with the SQL of their statements, by `SQLiteRowStatement.rawValue`.
    let collections: DriverCollections<[String]>
    let writeLock = WriteLock()
    let walRecord: SQLiteWALRecord
    let commits: CommitCounter
    let pageSize: Int
    // The pool's connection for writes. It is used only in the pool's queue of writes.
    nonisolated(unsafe) let writer: SQLiteHandle
    private let synchronous: SynchronousLevel

    init(_ engine: EngineSettings, _ dataset: [DatasetCollection], path: String) throws {
      synchronous = engine.synchronous
      collections = DriverCollections(dataset) { name in SQLiteRowStatement.allCases.map { $0.sql(for: name) } }
      let files = try CountedFiles(ofDatabaseAt: path)
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
      commits = CommitCounter(newest: try pool.read { try $0.newestCommit() })
      walRecord = SQLiteWALRecord(databasePath: path, pageSize: pageSize, files, writeLock)
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

    var checkpointsAutomatically: Bool { true }

    var configuration: EngineConfiguration {
      EngineConfiguration(
        library: "GRDB \(Self.version), SQLite \(SQLiteLibrary.version)",
        options: [
          .init("journal_mode", "WAL"), .init("synchronous", synchronous.rawValue),
          .init("checkpoints", SQLiteTables.automaticCheckpoint),
          .init("table", SQLiteTables.form),
          .init("reads", "DatabasePool, up to \(pool.configuration.maximumReaderCount) at a time"),
          .init("connection", "a serial lane in front of the pool, which chooses a SQLite connection for each read"),
          .init("long-lived read", "DatabaseSnapshot, a new one for each move"),
        ]
      )
    }

    func connect(_ settings: ConnectionSettings) -> any DriverConnection {
      GRDBDriverConnection(name: settings.name, number: walRecord.addConnection(settings.name), self)
    }

    func checkpoint(_ mode: CheckpointModeSetting) throws -> CheckpointResult {
      try checkpoint(SQLiteCheckpointMode(mode), cause: "call")
    }

    private func checkpoint(_ mode: SQLiteCheckpointMode, cause: String) throws -> CheckpointResult {
      try walRecord.checkpoint(mode, cause: cause) { make in
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
          try finishCommit(commit, on: writer)
        }
      }
    }

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
  }
#endif
