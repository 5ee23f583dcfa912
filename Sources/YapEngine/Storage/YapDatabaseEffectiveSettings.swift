internal import SQLiteBinding

/// What is in force on a SQLite handle, read back from it. It need not be what the options asked for: the page size of
/// a file that exists stays, for instance, and no more of a file is mapped than SQLite was built for.
public struct YapDatabaseEffectiveSettings: Sendable, Equatable {
  /// "wal" for every handle of an open database.
  public let journalMode: String
  public let synchronous: YapDatabaseOptions.Synchronous
  /// Bytes of a page of the database file.
  public let pageSize: Int
  /// Bytes of the database file that are mapped into memory at most; 0 for none.
  public let mmapSize: Int
  /// Bytes to which the WAL file is cut when it is written from its beginning again; nil for never.
  public let journalSizeLimit: Int?
  public let autoVacuum: YapDatabaseOptions.AutoVacuum
  /// Frames in the WAL at which SQLite would make a checkpoint by itself. 0: only the engine's checkpointer makes them.
  public let automaticCheckpointFrames: Int
}

extension YapDatabaseReadTransaction {
  /// The settings of the handle that the transaction runs on: the connection's own for a read, the one that writes for
  /// a read-write transaction.
  public final func effectiveSettings() throws -> YapDatabaseEffectiveSettings { try handle().effectiveSettings() }
}

extension YapDatabaseConnection {
  /// The settings of the connection's own handle. Inside a transaction ask that.
  /// - Throws: as `read` does.
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

  /// A pragma that gives no answer, as mmap_size of a SQLite that maps nothing, is one that gives 0.
  private func number(_ pragma: String) throws -> Int { Int(try integer("PRAGMA \(pragma)") ?? 0) }

  private func synchronous() throws -> YapDatabaseOptions.Synchronous {
    switch try number("synchronous") {
    case 0: .off
    case 1: .normal
    default: .full
    }
  }
}
