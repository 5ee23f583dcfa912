#if LMDB
  internal import BenchResults
  internal import BenchScenario
  internal import Foundation

  /// LMDB, which keeps the data in one memory-mapped file. A commit writes changed pages to free pages of the file, and
  /// replaced pages become free once no snapshot needs them. So a long-lived read lets the file grow.
  ///
  /// The database has no caches of objects, and connections do not learn which rows others have changed. Listeners are
  /// notified only of commits of this process.
  final class LMDBDriverDatabase: CountingDatabase {
    let environment: LMDBEnvironment
    let databases: LMDBDatabases
    let writeLock = WriteLock()
    let commits: CommitCounter
    let pins: PinRecord
    private let path: String
    private let readers: LMDBReaderRecord

    init(
      _ engine: EngineSettings,
      _ dataset: [DatasetCollection],
      path: String,
      mapBytes: Int = LMDBEnvironment.defaultMapBytes
    ) throws {
      self.path = path
      environment = try LMDBEnvironment(
        path: path,
        syncsCommits: engine.synchronous != .off,
        databases: dataset.count + 1,  // one for the commits
        mapBytes: mapBytes
      )
      databases = try LMDBDatabases(dataset, in: environment)
      let reader = try LMDBReader(in: environment)
      try reader.renew()
      let commit = try databases.commit(in: reader.pointer, of: environment)
      commits = CommitCounter(newest: commit)
      pins = PinRecord(newest: commit)
      readers = try LMDBReaderRecord(environment)
    }

    var pageSize: Int { environment.pageSize }

    var configuration: EngineConfiguration {
      EngineConfiguration(
        library: LMDBEnvironment.library,
        options: [
          .init("sync", environment.syncsCommits ? "each commit" : "none (MDB_NOSYNC)"),
          .init("map size", "\(environment.mapBytes) B"),
          .init("reader slots", "\(LMDBEnvironment.readerSlots)"),
          .init("readers", "one per connection, reset and renewed (MDB_NOTLS)"),
          .init("table", "named database for each collection; object and metadata in one value"),
        ]
      )
    }

    func connect(_ settings: ConnectionSettings) throws -> any DriverConnection {
      let reader = try LMDBReader(in: environment)
      return LMDBDriverConnection(name: settings.name, number: pins.addConnection(settings.name), reader, self)
    }

    func observe() -> EngineSample? {
      // A damaged file is reported by the transactions that read it.
      try? readers.state(pins, storageBytes: DatabaseFiles.bytes(at: path, suffixes: [""]))
    }

    func isDamage(_ error: any Error) -> Bool { error is DamagedStoredRow || (error as? LMDBError)?.isDamage == true }

    /// Has no effect: every commit is in the file, and the environment is closed when the last connection is.
    func close() {}
  }
#endif
