#if RocksDB
  internal import BenchResults

  /// RocksDB's statistics, from the text in which its C interface returns them.
  struct RocksDBStatistics {
    /// The time for which writers were delayed or stopped because flushes and compactions were behind.
    let stallNanoseconds: Int
    /// The bytes that flushes and compactions wrote count as written to the database's files.
    let writes: FileWrites

    private static let syncsOfTables = [
      "rocksdb.table.sync.micros", "rocksdb.compaction.outfile.sync.micros", "rocksdb.manifest.file.sync.micros",
    ]

    /// - Parameter text: Lines such as "rocksdb.wal.bytes COUNT : 4096". A line of a histogram has further fields
    ///   before its count, and the sum of its values after it.
    init(_ text: String) {
      var lines: [Substring: [Substring]] = [:]
      for line in text.split(separator: "\n") {
        let words = line.split(separator: " ")
        if let name = words.first { lines[name] = words }
      }
      func value(_ field: String, of name: String) -> Int {
        guard let words = lines[Substring(name)], let index = words.firstIndex(of: Substring(field)),
          index + 2 < words.count
        else { return 0 }
        return Int(words[index + 2]) ?? 0
      }
      func syncs(_ histograms: [String]) -> (count: Int, nanoseconds: Int) {
        let counts = histograms.map { value("COUNT", of: $0) }
        let microseconds = histograms.map { value("SUM", of: $0) }
        return (counts.reduce(0, +), microseconds.reduce(0, +) * 1_000)
      }
      var writes = FileWrites.zero
      writes.wal.bytes = value("COUNT", of: "rocksdb.wal.bytes")
      (writes.wal.syncs, writes.wal.syncNanoseconds) = syncs(["rocksdb.wal.file.sync.micros"])
      writes.database.bytes =
        value("COUNT", of: "rocksdb.flush.write.bytes") + value("COUNT", of: "rocksdb.compact.write.bytes")
      (writes.database.syncs, writes.database.syncNanoseconds) = syncs(Self.syncsOfTables)
      self.writes = writes
      stallNanoseconds = value("COUNT", of: "rocksdb.stall.micros") * 1_000
    }
  }
#endif
