#if RocksDB
  internal import CRocksDB

  /// The state of a store, as RocksDB reports it.
  extension RocksDBStore {
    /// The figures by the names of their metrics. A property that RocksDB does not report is left out.
    var figures: [String: Int] {
      var figures = ["rocksdb.walBytes": RocksDBFiles.logBytes(at: path)]
      figures["rocksdb.sstBytes"] = sum("rocksdb.total-sst-files-size")
      figures["rocksdb.memtableBytes"] = sum("rocksdb.size-all-mem-tables")
      figures["rocksdb.pendingCompactionBytes"] = sum("rocksdb.estimate-pending-compaction-bytes")
      figures["rocksdb.snapshots"] = property("rocksdb.num-snapshots", of: families[0])
      figures["rocksdb.delayedWriteRate"] = property("rocksdb.actual-delayed-write-rate", of: families[0])
      return figures
    }

    /// The sum of a property over the column families.
    private func sum(_ name: String) -> Int? {
      families.reduce(0) { sum, family in
        guard let sum, let value = property(name, of: family) else { return nil }
        return sum + value
      }
    }

    private func property(_ name: String, of family: OpaquePointer) -> Int? {
      var value: UInt64 = 0
      return rocksdb_property_int_cf(handle, family, name, &value) == 0 ? Int(clamping: value) : nil
    }

    /// The counts of RocksDB's statistics since the store was opened.
    var statistics: RocksDBStatistics {
      guard let text = rocksdb_options_statistics_get_string(options.handle) else { return RocksDBStatistics("") }
      defer { rocksdb_free(text) }
      return RocksDBStatistics(String(cString: text))
    }
  }
#endif
