#if LMDB
  internal import BenchResults
  internal import BenchScenario
  internal import Foundation
  internal import Synchronization

  /// LMDB, which keeps the data in one memory-mapped file. A commit writes changed pages to free pages of the file, and
  /// replaced pages become free once no snapshot needs them. So a long-lived read lets the file grow.
  ///
  /// The database has no caches of objects, and connections do not learn which rows others have changed. Listeners are
  /// notified only of commits of this process.
  final class LMDBDriverDatabase: DriverDatabase {
    let environment: LMDBEnvironment
    let databases: LMDBDatabases
    let writeLock = WriteLock()
    let readers: LMDBReaderRecord
    let pageSize: Int
    private let path: String
    private let newest: Atomic<UInt64>
    private let lastConnectionNumber = Atomic<Int>(0)
    private let listeners = CommitListeners()

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
        databases: LMDBDatabases.count(for: dataset),
        mapBytes: mapBytes
      )
      databases = try LMDBDatabases(dataset, in: environment)
      pageSize = environment.pageSize
      let reader = try LMDBReader(in: environment)
      try reader.renew()
      let commit = try databases.commit(in: reader.pointer, of: environment)
      newest = Atomic(commit)
      readers = try LMDBReaderRecord(environment, newest: commit)
    }

    var commit: UInt64 { newest.load(ordering: .acquiring) }
    var keepsData: Bool { true }

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
      let number = lastConnectionNumber.add(1, ordering: .relaxed).newValue
      readers.addConnection(number, name: settings.name)
      return LMDBDriverConnection(name: settings.name, number: number, reader, self)
    }

    func observe() -> EngineSample? {
      // A damaged file is reported by the transactions that read it.
      try? readers.state(storageBytes: DatabaseFiles.bytes(at: path, suffixes: [""]))
    }

    func checkpoints(after number: Int) -> [CheckpointResult] { [] }

    func checkpoint(_ mode: CheckpointModeSetting) -> CheckpointResult {
      preconditionFailure("the loader refuses checkpoints of LMDB")
    }

    func vacuum() { preconditionFailure("the loader refuses to vacuum LMDB") }

    func onCommit(_ handler: @escaping @Sendable (CommitNotification) -> Void) { listeners.add(after: commit, handler) }

    func isDamage(_ error: any Error) -> Bool { error is DamagedStoredRow || (error as? LMDBError)?.isDamage == true }

    /// Has no effect: every commit is in the file, and the environment is closed when the last connection is.
    func close() {}

    /// Records and reports a commit. Must be called with the writers' lock held.
    func finishCommit(_ commit: UInt64) {
      newest.store(commit, ordering: .releasing)
      readers.recordCommit(commit)
      listeners.notify(CommitNotification(commit))
    }
  }
#endif
