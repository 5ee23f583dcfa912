#if RocksDB
  internal import BenchResults
  internal import BenchScenario

  /// RocksDB through its C interface, with a column family for each collection and one writer at a time.
  ///
  /// A transaction's changes are a batch, which is written atomically with the number of its commit. Connections do not
  /// learn which rows others have changed. Listeners are notified only of commits of this process.
  final class RocksDBDriverDatabase: CountingDatabase {
    let store: RocksDBStore
    /// The snapshots of bookmarks. Snapshots of single transactions are not recorded.
    let pins: PinRecord
    let commits: CommitCounter
    let writeLock = WriteLock()

    init(_ engine: EngineSettings, _ dataset: [DatasetCollection], path: String) throws {
      store = try RocksDBStore(path: path, engine, dataset)
      let commit = try RocksDBReader(of: store).renew()
      pins = PinRecord(newest: commit)
      commits = CommitCounter(newest: commit)
    }

    var pageSize: Int { 0 }

    func connect(_ settings: ConnectionSettings) -> any DriverConnection {
      RocksDBDriverConnection(name: settings.name, number: pins.addConnection(settings.name), self)
    }

    var configuration: EngineConfiguration {
      let library = RocksDBFiles.version(at: store.path).map { "RocksDB \($0)" } ?? "RocksDB"
      let layout = EngineConfiguration.Option("collections", "a column family for each; the key and its row's parts")
      return EngineConfiguration(library: library, options: store.options.list + [layout])
    }

    func observe() -> EngineSample? {
      let (newest, oldest, connections) = pins.sample()
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

    func vacuum() { store.compact() }

    func isDamage(_ error: any Error) -> Bool {
      error is DamagedStoredRow || (error as? RocksDBError)?.isCorruption == true
    }

    /// Writes the memtables to sorted tables. The folder stays locked until the last connection is released.
    func close() throws {
      try store.flush()
      store.stopBackgroundWork()
    }
  }
#endif
