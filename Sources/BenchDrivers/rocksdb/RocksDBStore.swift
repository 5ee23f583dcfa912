#if RocksDB
  internal import BenchScenario
  internal import CRocksDB
  internal import Foundation

  /// An open folder of RocksDB with a column family for each collection. The default column family has one key, whose
  /// value is the number of the newest commit.
  ///
  /// The store is closed when its last reference is released.
  // RocksDB's handles may be used by any thread, and the rest does not change.
  final class RocksDBStore: @unchecked Sendable {
    let path: String
    let handle: OpaquePointer
    let options: RocksDBOptions
    /// The collections of the dataset, with their column families.
    let collections: DriverCollections<OpaquePointer>
    /// All column families, also of collections that the folder had before. The default one is the first.
    let families: [OpaquePointer]
    private let defaultFamily: OpaquePointer

    private static let defaultName = "default"
    private static let prefix = "collection_"
    private static let commitKey = "commit"
    /// `BottommostLevelCompaction::kForceOptimized`.
    private static let forceOptimized: UInt8 = 3

    /// - Throws: `RocksDBError` if the folder cannot be opened.
    init(path: String, _ engine: EngineSettings, _ dataset: [DatasetCollection]) throws {
      self.path = path
      options = RocksDBOptions(engine)
      let names = try Self.familyNames(at: path, options).union(dataset.map { Self.prefix + $0.name })
      let ordered = [Self.defaultName] + names.subtracting([Self.defaultName]).sorted()
      let opened = try Self.open(path, families: ordered, options)
      handle = opened.handle
      families = opened.families
      defaultFamily = families[0]
      let handles = Dictionary(uniqueKeysWithValues: zip(ordered, families))
      collections = DriverCollections(dataset) { handles[Self.prefix + $0].unsafelyUnwrapped }
    }

    /// Returns the names of the column families in a folder, which must all be opened; none for a new folder.
    private static func familyNames(at path: String, _ options: RocksDBOptions) throws -> Set<String> {
      guard FileManager.default.fileExists(atPath: path + "/CURRENT") else { return [] }
      var count = 0
      let names = try RocksDBError.check { rocksdb_list_column_families(options.handle, path, &count, $0) }
      defer { rocksdb_list_column_families_destroy(names, count) }
      return Set((0..<count).compactMap { index in names?[index].map { String(cString: $0) } })
    }

    private static func open(
      _ path: String,
      families names: [String],
      _ options: RocksDBOptions
    ) throws -> (handle: OpaquePointer, families: [OpaquePointer]) {
      let texts = names.map { strdup($0) }
      defer { for text in texts { free(text) } }
      let familyOptions = [OpaquePointer?](repeating: options.handle, count: names.count)
      var families = [OpaquePointer?](repeating: nil, count: names.count)
      let handle = try RocksDBError.check { message in
        texts.map { UnsafePointer($0) }.withUnsafeBufferPointer { texts in
          rocksdb_open_column_families(
            options.handle,
            path,
            Int32(names.count),
            texts.baseAddress,
            familyOptions,
            &families,
            message
          )
        }
      }
      guard let handle else { throw RocksDBError("\(path) cannot be opened") }
      return (handle, families.compactMap { $0 })
    }

    deinit {
      for family in families { rocksdb_column_family_handle_destroy(family) }
      rocksdb_close(handle)
    }

    // MARK: Commits

    /// Returns the number of the newest commit that the options' snapshot contains; 0 if there is none.
    func commit(_ readOptions: OpaquePointer) throws -> UInt64 {
      let value = try RocksDBError.check {
        rocksdb_get_pinned_cf(handle, readOptions, defaultFamily, Self.commitKey, Self.commitKey.utf8.count, $0)
      }
      guard let value else { return 0 }
      defer { rocksdb_pinnableslice_destroy(value) }
      var bytes = 0
      let start = rocksdb_pinnableslice_value(value, &bytes)
      guard let start, bytes == MemoryLayout<UInt64>.size else {
        throw RocksDBError("Corruption: the number of the newest commit has \(bytes) bytes; expected 8")
      }
      return UInt64(littleEndian: UnsafeRawPointer(start).loadUnaligned(as: UInt64.self))
    }

    /// Writes the changes of a batch and the number of their commit atomically.
    func write(_ batch: OpaquePointer, commit: UInt64) throws {
      withUnsafeBytes(of: commit.littleEndian) { bytes in
        let value = bytes.bindMemory(to: CChar.self)
        rocksdb_writebatch_wi_put_cf(
          batch,
          defaultFamily,
          Self.commitKey,
          Self.commitKey.utf8.count,
          value.baseAddress,
          value.count
        )
      }
      try RocksDBError.check { rocksdb_write_writebatch_wi(handle, options.write, batch, $0) }
    }

    // MARK: Maintenance

    /// Writes the memtables to sorted tables, so that the next opening has no log to read.
    func flush() throws {
      let flushOptions = rocksdb_flushoptions_create()
      defer { rocksdb_flushoptions_destroy(flushOptions) }
      for family in families {
        try RocksDBError.check { rocksdb_flush_cf(handle, flushOptions, family, $0) }
      }
    }

    /// Writes the memtables to sorted tables, and rewrites all sorted tables without the rows that no snapshot
    /// contains.
    func compact() {
      let compactOptions = rocksdb_compactoptions_create()
      defer { rocksdb_compactoptions_destroy(compactOptions) }
      // By default RocksDB would leave tables of the last level as they are.
      rocksdb_compactoptions_set_bottommost_level_compaction(compactOptions, Self.forceOptimized)
      for family in families { rocksdb_compact_range_cf_opt(handle, family, compactOptions, nil, 0, nil, 0) }
    }

    /// Ends the background work, so that the process may end while connections are open. Later writes fail.
    func stopBackgroundWork() { rocksdb_cancel_all_background_work(handle, 1) }
  }

  /// The reads of a connection at one snapshot after another. Not thread-safe.
  final class RocksDBReader {
    /// The options of reads at the snapshot that was taken last.
    let options: OpaquePointer
    private var snapshot: OpaquePointer?
    private let store: RocksDBStore

    /// Begins without a snapshot.
    init(of store: RocksDBStore) {
      self.store = store
      options = rocksdb_readoptions_create()
    }

    deinit {
      reset()
      rocksdb_readoptions_destroy(options)
    }

    /// Takes the newest snapshot. Must be called without a snapshot.
    /// - Returns: The number of the newest commit in the snapshot.
    func renew() throws -> UInt64 {
      snapshot = rocksdb_create_snapshot(store.handle)
      rocksdb_readoptions_set_snapshot(options, snapshot)
      do { return try store.commit(options) } catch {
        reset()
        throw error
      }
    }

    /// Releases the snapshot, if there is one.
    func reset() {
      if let snapshot { rocksdb_release_snapshot(store.handle, snapshot) }
      snapshot = nil
    }
  }
#endif
