internal import CSQLite

/// The parts of the WAL-index that prove which commit a snapshot contains.
extension SQLiteHandle {
  /// SQLite's count of the transactions that were written to the WAL, by all handles of all programs; nil if it cannot
  /// be read. Must be called inside a transaction.
  ///
  /// The count is the present one, which may be later than the handle's snapshot. SQLite increments it with every
  /// COMMIT that writes, and leaves it when the WAL restarts.
  @inline(__always)
  public var walRevision: UInt32? {
    if let walIndex { return csqlite_wal_revision(walIndex) }
    return mapWALIndex()
  }

  @inline(never)
  private func mapWALIndex() -> UInt32? {
    // In another journal mode SQLite has no WAL-index: it would be made now, and would not be closed with the handle.
    guard let mode = try? text("PRAGMA journal_mode"), mode == "wal" else { return nil }
    walIndex = csqlite_wal_index(database)
    return walIndex.map { csqlite_wal_revision($0) }
  }

  /// Whether SQLite has taken a snapshot, or holds the lock for writing.
  public var hasSnapshot: Bool { sqlite3_txn_state(database, "main") != SQLITE_TXN_NONE }
}
