/// The metrics that only one engine has. Its driver reports each as a figure with the metric's name.
extension Metric {
  static let ofLMDB = engine(
    "lmdb",
    [
      ("lmdb.usedBytes", .bytes, "Size of the file up to the last page in use, including free pages."),
      ("lmdb.heldBytes", .bytes, "Size of the replaced pages that cannot be reused because of the oldest reader."),
      ("lmdb.readers", .count, "Number of open read transactions."),
      ("lmdb.oldestReaderLag", .count, "Number of write transactions after the snapshot of the oldest reader."),
    ]
  )

  static let ofRocksDB = engine(
    "rocksdb",
    [
      ("rocksdb.walBytes", .bytes, "Size of the write-ahead logs."),
      ("rocksdb.sstBytes", .bytes, "Size of the sorted tables."),
      ("rocksdb.memtableBytes", .bytes, "Memory of the tables that are not yet written to files."),
      ("rocksdb.pendingCompactionBytes", .bytes, "Estimated bytes that compactions have to rewrite."),
      ("rocksdb.delayedWriteRate", .bytes, "Bytes per second to which RocksDB slows writers down; 0 without a limit."),
      ("rocksdb.stallTime", .nanoseconds, "Time for which RocksDB has delayed or stopped writers since it was opened."),
      ("rocksdb.snapshots", .count, "Number of snapshots that are held."),
      ("rocksdb.oldestSnapshotLag", .count, "Number of commits after the oldest snapshot that is held."),
    ]
  )

  private static func engine(_ driver: String, _ rows: [(name: String, unit: FigureUnit, summary: String)]) -> [Metric]
  {
    rows.map { row in
      Metric(row.name, row.unit, from: .sample { $0.figures[row.name] }, only: driver).means(row.summary)
    }
  }
}
