#if RocksDB
  internal import BenchResults
  internal import BenchScenario
  internal import Foundation
  internal import Synchronization
  internal import ThreadingPrimitives

  /// RocksDB through its C interface, with a column family for each collection and one writer at a time.
  ///
  /// A transaction's changes are a batch, which is written atomically with the number of its commit. Connections do not
  /// learn which rows others have changed. Listeners are notified only of commits of this process.
  final class RocksDBDriverDatabase: DriverDatabase {
    let store: RocksDBStore
    /// The snapshots of bookmarks. Snapshots of single transactions are not recorded.
    let pins = Guarded(ConnectionPins())
    let writeLock = WriteLock()
    private let newest = Atomic<UInt64>(0)
    private let lastConnectionNumber = Atomic<Int>(0)
    private let listeners = CommitListeners()

    init(_ engine: EngineSettings, _ dataset: [DatasetCollection], path: String) throws {
      store = try RocksDBStore(path: path, engine, dataset)
      newest.store(try RocksDBReader(of: store).renew(), ordering: .releasing)
    }

    var commit: UInt64 { newest.load(ordering: .acquiring) }
    var keepsData: Bool { true }
    var pageSize: Int { 0 }

    func connect(_ settings: ConnectionSettings) -> any DriverConnection {
      let number = lastConnectionNumber.add(1, ordering: .relaxed).newValue
      pins.withLock { $0.addConnection(number, name: settings.name) }
      return RocksDBDriverConnection(name: settings.name, number: number, self)
    }

    var configuration: EngineConfiguration { store.configuration }

    func observe() -> EngineSample? {
      let now = MonotonicClock.now
      let newest = commit
      let (connections, oldest) = pins.withLock { pins in
        (pins.samples(newest: newest, now: now).map(\.sample), pins.pins.values.map(\.commit).min())
      }
      let statistics = store.statistics
      var figures = store.figures
      figures["rocksdb.oldestSnapshotLag"] = Int(newest - min(oldest ?? newest, newest))
      figures["rocksdb.stallTime"] = statistics.stallNanoseconds
      return EngineSample(
        commit: Int(newest),
        storageBytes: RocksDBFiles.allBytes(at: store.path),
        connections: connections,
        writes: statistics.writes,
        figures: figures
      )
    }

    func checkpoints(after number: Int) -> [CheckpointResult] { [] }

    func checkpoint(_ mode: CheckpointModeSetting) -> CheckpointResult {
      preconditionFailure("the loader refuses checkpoints of RocksDB")
    }

    func vacuum() { store.compact() }
    func onCommit(_ handler: @escaping @Sendable (CommitNotification) -> Void) { listeners.add(after: commit, handler) }

    func isDamage(_ error: any Error) -> Bool {
      error is DamagedStoredRow || (error as? RocksDBError)?.isCorruption == true
    }

    /// Writes the memtables to sorted tables. The folder stays locked until the last connection is released.
    func close() throws {
      try store.flush()
      store.stopBackgroundWork()
    }

    func recordPin(of number: Int, at commit: UInt64) {
      let now = MonotonicClock.now
      pins.withLock { $0.pin(number, at: commit, newest: self.commit, now: now) }
    }

    /// Records and reports a commit. Must be called with the writers' lock held.
    func finishCommit(_ commit: UInt64) {
      newest.store(commit, ordering: .releasing)
      let now = MonotonicClock.now
      pins.withLock { $0.recordCommit(commit, now: now) }
      listeners.notify(CommitNotification(commit))
    }
  }
#endif
