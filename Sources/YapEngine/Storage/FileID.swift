internal import SQLiteBinding

/// The random number of 64 bits that tells one database file from another.
///
/// It is a row of the table of the snapshot number, and on the same page. Each commit writes that page, so each WAL
/// with a commit in it holds the id of its database. The database file alone holds the id as well: a new file gets its
/// tables before it is put into WAL mode, and a file of an earlier layout is checkpointed as soon as it has its id.
///
/// If the two differ, the WAL belongs to another database. SQLite would take its pages for pages of this one. A WAL of
/// the same database, such as an older one, has the same id and cannot be told apart. Neither can a WAL that another
/// program wrote and that holds neither the first page of a database nor the page of the row.
struct FileID: Equatable, CustomStringConvertible {
  private let number: Int64

  var description: String { String(UInt64(bitPattern: number), radix: 16) }

  /// The id that the handle sees; nil if there is none, because the file is of an earlier layout.
  static func stored(_ handle: SQLiteHandle) throws(SQLiteError) -> FileID? {
    try handle.integer("SELECT number FROM snapshot WHERE id = 2").map { FileID(number: $0) }
  }
}

/// The contents of a database file as far as they say whose file it is, without the WAL beside it.
enum FileWithoutWAL: Equatable {
  /// A new file, one of an earlier layout, or one that cannot be read without its WAL.
  case unknown
  case ofAnotherProgram
  case ofEngine(FileID)

  /// Reads the file with a handle of its own, which is closed on return. No other handle of the process may have the
  /// file open.
  init(path: String) {
    // An error says nothing: a checkpoint that was interrupted leaves a file that only its WAL makes whole.
    self = (try? Self.read(path)) ?? .unknown
  }

  private static func read(_ path: String) throws(SQLiteError) -> FileWithoutWAL {
    let handle = try SQLiteHandle(fileAlone: path)
    guard try handle.integer("SELECT count(*) FROM sqlite_master") ?? 0 > 0 else { return .unknown }
    guard try handle.integer("PRAGMA application_id") == Schema.applicationID else { return .ofAnotherProgram }
    return try FileID.stored(handle).map { .ofEngine($0) } ?? .unknown
  }

  /// Compares with what the file and its WAL are together.
  /// - Parameter handle: sees both; nothing has been written with it.
  /// - Throws: `foreignWAL` if the WAL belongs to another database.
  func check(_ handle: SQLiteHandle, path: String) throws {
    switch self {
    case .unknown: return
    case .ofAnotherProgram:
      guard try handle.integer("PRAGMA application_id") == Schema.applicationID else { return }
      throw Self.foreignWAL(path, "the file is another program's, the WAL an engine's")
    case .ofEngine(let id):
      let found = try idWithWAL(handle)
      guard found != id else { return }
      throw Self.foreignWAL(
        path,
        found.map { "the file has the id \(id), the WAL \($0)" } ?? "the file has the id \(id), the WAL none"
      )
    }
  }

  /// - Returns: nil if the database of the WAL has no id, or the pages of the two do not fit together.
  private func idWithWAL(_ handle: SQLiteHandle) throws(SQLiteError) -> FileID? {
    do {
      guard try handle.integer("PRAGMA application_id") == Schema.applicationID else { return nil }
      return try FileID.stored(handle)
    } catch {
      // The file alone is sound: a table that is missing, or a page that is no page of it, comes from the WAL.
      guard [1, 11, 26].contains(error.primaryCode) else { throw error }
      return nil
    }
  }

  private static func foreignWAL(_ path: String, _ difference: String) -> YapDatabaseError {
    YapDatabaseError(
      .foreignWAL,
      "\(path)-wal belongs to another database than \(path): \(difference). Neither was changed. To open the file "
        + "without what only its own WAL held, move \(path)-wal away; to keep the WAL, put the database file back that "
        + "it was written for."
    )
  }
}
