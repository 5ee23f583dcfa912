#if RocksDB
  internal import BenchResults
  internal import BenchScenario
  internal import CRocksDB

  /// The options of a store, which RocksDB's guide to tuning recommends for a general load, and those that the scenario
  /// sets. https://github.com/facebook/rocksdb/wiki/Setup-Options-and-Basic-Tuning
  ///
  /// Rows are not compressed, as in the other drivers.
  // The options are not changed after `init`, and any thread may read them.
  final class RocksDBOptions: @unchecked Sendable {
    private static let blockCacheBytes = DriverKind.rocksdb.abilities.sharedCacheBytes
    private static let memtableBytes = DriverKind.rocksdb.abilities.writeBufferBytes
    private static let blockKibibytes = 16
    private static let filterBits = 10
    private static let backgroundJobs: Int32 = 2
    private static let bytesPerSync: UInt64 = 1 << 20
    /// The levels of RocksDB's own log, from `INFO_LEVEL`, 1, on.
    private static let warnings: Int32 = 2
    /// A recovery keeps the commits up to the first damaged or incomplete one.
    private static let pointInTimeRecovery: Int32 = 2

    let handle: OpaquePointer
    /// The options of a write.
    let write: OpaquePointer
    /// The options of a read of the newest rows.
    let readNewest: OpaquePointer
    private let isSynced: Bool

    init(_ engine: EngineSettings) {
      handle = rocksdb_options_create()
      write = rocksdb_writeoptions_create()
      readNewest = rocksdb_readoptions_create()
      isSynced = engine.synchronous == .full
      rocksdb_writeoptions_set_sync(write, isSynced ? 1 : 0)
      setTableOptions()
      rocksdb_options_set_create_if_missing(handle, 1)
      rocksdb_options_set_create_missing_column_families(handle, 1)
      rocksdb_options_increase_parallelism(handle, Self.backgroundJobs)
      rocksdb_options_set_level_compaction_dynamic_level_bytes(handle, 1)
      rocksdb_options_set_write_buffer_size(handle, Self.memtableBytes)
      rocksdb_options_set_compression(handle, Int32(rocksdb_no_compression))
      rocksdb_options_set_bytes_per_sync(handle, Self.bytesPerSync)
      rocksdb_options_set_wal_recovery_mode(handle, Self.pointInTimeRecovery)
      rocksdb_options_enable_statistics(handle)
      // RocksDB would write its statistics to its log and to a column family of its own at intervals.
      rocksdb_options_set_stats_dump_period_sec(handle, 0)
      rocksdb_options_set_stats_persist_period_sec(handle, 0)
      rocksdb_options_set_info_log_level(handle, Self.warnings)
      rocksdb_options_set_keep_log_file_num(handle, 1)
    }

    private func setTableOptions() {
      let table = rocksdb_block_based_options_create()
      defer { rocksdb_block_based_options_destroy(table) }
      // The options share the cache and own the filter.
      let cache = rocksdb_cache_create_lru(Self.blockCacheBytes)
      defer { rocksdb_cache_destroy(cache) }
      rocksdb_block_based_options_set_block_cache(table, cache)
      rocksdb_block_based_options_set_filter_policy(
        table,
        rocksdb_filterpolicy_create_bloom_full(Double(Self.filterBits))
      )
      rocksdb_block_based_options_set_block_size(table, Self.blockKibibytes << 10)
      rocksdb_block_based_options_set_cache_index_and_filter_blocks(table, 1)
      rocksdb_block_based_options_set_pin_l0_filter_and_index_blocks_in_cache(table, 1)
      rocksdb_options_set_block_based_table_factory(handle, table)
    }

    /// The options by RocksDB's names, for reports.
    var list: [EngineConfiguration.Option] {
      [
        .init(
          "WriteOptions.sync",
          isSynced ? "true: fdatasync of the log at each commit" : "false: written to the log"
        ),
        .init("wal_recovery_mode", "kPointInTimeRecovery"),
        .init("block_cache", "LRU, \(Self.blockCacheBytes >> 20) MiB for all collections"),
        .init("filter_policy", "Bloom, \(Self.filterBits) bits for each key"),
        .init("block_size", "\(Self.blockKibibytes) KiB"),
        .init("cache_index_and_filter_blocks", "true, those of level 0 pinned"),
        .init("write_buffer_size", "\(Self.memtableBytes >> 20) MiB for each collection"),
        .init("max_background_jobs", "\(Self.backgroundJobs)"),
        .init("level_compaction_dynamic_level_bytes", "true"),
        .init("bytes_per_sync", "\(Self.bytesPerSync >> 20) MiB"),
        .init("compression", "none"),
        .init("statistics", "on, for the bytes and syncs of files"),
      ]
    }

    deinit {
      rocksdb_readoptions_destroy(readNewest)
      rocksdb_writeoptions_destroy(write)
      rocksdb_options_destroy(handle)
    }
  }
#endif
