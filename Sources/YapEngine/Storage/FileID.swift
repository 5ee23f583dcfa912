internal import SQLiteBinding

/// The random 64-bit number that identifies a database file.
///
/// It is a row of the table of the snapshot number and lies on the same page. Each commit writes that page, so every
/// WAL with a commit contains the id of its database. The database file alone contains the id as well: a new file gets
/// its tables before it is put into WAL mode.
///
/// If the two ids differ, the WAL belongs to another database, and SQLite would read its pages as pages of this one. A
/// WAL of the same database, such as an older one, has the same id and cannot be detected. Neither can a WAL that
/// another program wrote and that contains neither a database's first page nor the page of the row.
struct FileID: Equatable, CustomStringConvertible {
  private let number: Int64

  var description: String { String(UInt64(bitPattern: number), radix: 16) }

  /// Returns the id that the handle reads; nil if there is none.
  static func stored(_ handle: SQLiteHandle) throws(SQLiteError) -> FileID? {
    try handle.integer("SELECT number FROM snapshot WHERE id = 2").map { FileID(number: $0) }
  }
}

/// The owner of a database file, determined from the file without its WAL.
enum FileWithoutWAL: Equatable {
  /// There is no WAL; or the file is empty, has no id, or cannot be read without its WAL.
  case unknown
  case ofAnotherProgram
  /// - Parameters:
  ///   - isWhole: Whether the file has all pages that its header counts. If not, the others are in its WAL, or the file
  ///     is damaged.
  ///   - pageSize: The size of the file's pages in bytes.
  case ofEngine(FileID, isWhole: Bool, pageSize: Int)

  /// Reads the file with a handle that is closed on return. No other handle of the process may have the file open.
  init(path: String) {
    // An error proves nothing: after an interrupted checkpoint, the file may be readable only together with its WAL.
    self = (try? Self.read(path)) ?? .unknown
  }

  private static func read(_ path: String) throws(SQLiteError) -> FileWithoutWAL {
    let handle = try SQLiteHandle(fileAlone: path)
    let isWhole = Self.isWhole(handle)
    // With this setting, SQLite reads a file that lacks pages which a checkpoint has left in the WAL.
    if !isWhole { try handle.execute("PRAGMA writable_schema = ON") }
    guard try handle.integer("SELECT count(*) FROM sqlite_master") ?? 0 > 0 else { return .unknown }
    guard try handle.integer("PRAGMA application_id") == Schema.applicationID else { return .ofAnotherProgram }
    guard let id = try FileID.stored(handle) else { return .unknown }
    return .ofEngine(id, isWhole: isWhole, pageSize: Int(try handle.integer("PRAGMA page_size") ?? 0))
  }

  /// Whether the file has all pages that its header counts.
  private static func isWhole(_ handle: SQLiteHandle) -> Bool {
    do { return try handle.integer("PRAGMA application_id") != nil } catch {
      return error.primaryCode != SQLiteCode.corrupt
    }
  }

  /// Checks that the WAL belongs to the file.
  /// - Parameter handle: A handle that reads the file with its WAL, and has written nothing yet.
  /// - Throws: `foreignWAL` if the WAL belongs to another database.
  func check(_ handle: SQLiteHandle, path: String) throws {
    switch self {
    case .unknown: return
    case .ofAnotherProgram:
      guard try handle.integer("PRAGMA application_id") == Schema.applicationID else { return }
      throw Self.foreignWAL(path, "the file belongs to another program, the WAL to this engine")
    case .ofEngine(let id, let isWhole, let pageSize):
      let found: FileID?
      do { found = try Self.idWithWAL(handle) } catch {
        guard error.primaryCode == SQLiteCode.error || error.isDamage else { throw error }
        // If the file alone is sound, a missing table or an invalid page comes from the WAL. So it does if the WAL has
        // pages of another size.
        guard isWhole || WALFile.pageSize(databasePath: path).map({ $0 != pageSize }) == true else { return }
        found = nil
      }
      guard found != id else { return }
      throw Self.foreignWAL(
        path,
        found.map { "the file has the id \(id), the WAL \($0)" } ?? "the file has the id \(id), the WAL none"
      )
    }
  }

  /// Returns the id in the file and its WAL together; nil if there is none.
  private static func idWithWAL(_ handle: SQLiteHandle) throws(SQLiteError) -> FileID? {
    guard try handle.integer("PRAGMA application_id") == Schema.applicationID else { return nil }
    return try FileID.stored(handle)
  }

  private static func foreignWAL(_ path: String, _ difference: String) -> YapDatabaseError {
    YapDatabaseError(
      .foreignWAL,
      "\(path)-wal belongs to another database than \(path): \(difference). Neither was changed. To open the file "
        + "without the commits in its own WAL, move \(path)-wal away; to keep the WAL, restore the database file to "
        + "which it belongs."
    )
  }
}
