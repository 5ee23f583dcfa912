/// Counts of the writes to a database's files, by kind of file, through all handles.
public struct FileWrites: Codable, Sendable, Equatable {
  public struct Counts: Codable, Sendable, Equatable {
    public var bytes = 0
    public var syncs = 0
    public var syncNanoseconds = 0

    public static let zero = Self()
  }

  /// Writes of the WAL's header and frames. A frame counts each time that it is written.
  public var wal = Counts()
  /// Writes of the database file.
  public var database = Counts()
  /// Writes of the rollback journal, which a new database has until it is put into WAL mode.
  public var journal = Counts()

  public static let zero = Self()

  public var syncs: Int { wal.syncs + database.syncs + journal.syncs }
  public var syncNanoseconds: Int { wal.syncNanoseconds + database.syncNanoseconds + journal.syncNanoseconds }

  public static func += (left: inout Self, right: Self) {
    let files: [WritableKeyPath<Self, Counts>] = [\.wal, \.database, \.journal]
    for file in files {
      left[keyPath: file].bytes += right[keyPath: file].bytes
      left[keyPath: file].syncs += right[keyPath: file].syncs
      left[keyPath: file].syncNanoseconds += right[keyPath: file].syncNanoseconds
    }
  }
}
