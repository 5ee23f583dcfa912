/// The settings of a SQLite handle, as reported by SQLite. They may differ from the options. For example, an existing
/// file keeps its page size, and SQLite maps at most as much of a file as it was built for.
public struct YapDatabaseEffectiveSettings: Sendable, Equatable {
  /// "wal" for every handle of an open database.
  public let journalMode: String
  public let synchronous: YapDatabaseOptions.Synchronous
  /// The page size of the database file, in bytes.
  public let pageSize: Int
  /// The maximum size of the memory-mapped part of the database file, in bytes; 0 for none.
  public let mmapSize: Int
  /// The size to which a longer WAL file is truncated when the WAL restarts, in bytes; nil if it is never truncated.
  public let journalSizeLimit: Int?
  public let autoVacuum: YapDatabaseOptions.AutoVacuum
  /// The number of frames in the WAL at which SQLite itself makes a checkpoint; 0 if only the engine does.
  public let automaticCheckpointFrames: Int
}

extension YapDatabaseReadTransaction {
  /// Returns the settings of the transaction's handle: the connection's own for a read transaction, and the writer's
  /// for a read-write transaction.
  public final func effectiveSettings() throws -> YapDatabaseEffectiveSettings { try handle().effectiveSettings() }
}

extension YapDatabaseConnection {
  /// Returns the settings of the connection's own handle. Within a transaction, call the transaction's method instead.
  /// - Throws: The errors of `read`.
  public func effectiveSettings() throws -> YapDatabaseEffectiveSettings { try read { try $0.effectiveSettings() } }
}

extension EngineHandle {
  func effectiveSettings() throws -> YapDatabaseEffectiveSettings {
    let limit = try number("journal_size_limit")
    return YapDatabaseEffectiveSettings(
      journalMode: try text("PRAGMA journal_mode") ?? "",
      synchronous: try synchronous(),
      pageSize: try number("page_size"),
      mmapSize: try number("mmap_size"),
      journalSizeLimit: limit < 0 ? nil : limit,
      autoVacuum: YapDatabaseOptions.AutoVacuum(rawValue: try number("auto_vacuum")) ?? .none,
      automaticCheckpointFrames: try number("wal_autocheckpoint")
    )
  }

  /// Returns 0 for a pragma without a result, such as mmap_size if SQLite is built without memory mapping.
  private func number(_ pragma: String) throws -> Int { Int(try integer("PRAGMA \(pragma)") ?? 0) }

  private func synchronous() throws -> YapDatabaseOptions.Synchronous {
    switch try number("synchronous") {
    case 0: .off
    case 1: .normal
    default: .full
    }
  }
}
