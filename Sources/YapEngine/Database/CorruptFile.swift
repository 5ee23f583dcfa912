internal import Glibc

/// What to do with a file that turns out to be damaged, or no database at all, when it is opened.
public enum YapDatabaseCorruptAction: String, Sendable, CaseIterable {
  /// Opening fails, and the files stay as they are.
  case fail
  /// The files are renamed to `<name>.<number>.corrupt`, and an empty database takes their place.
  case rename
  /// The files are deleted, and an empty database takes their place.
  case delete
}

/// What was done about a damaged file when the database was opened.
public struct YapDatabaseReplacedFile: Sendable {
  /// What SQLite said: SQLITE_CORRUPT or SQLITE_NOTADB. Nothing else counts as damage.
  public let cause: YapDatabaseError
  public let action: YapDatabaseCorruptAction
  /// Where the files are now, the database file first; empty where they were deleted.
  public let files: [String]
}

/// The files of a database that cannot be used: they go together, or SQLite would take what one leaves behind for a
/// part of the next.
enum CorruptFile {
  /// The database file comes last: until it is gone the others still belong to it.
  private static let suffixes = ["-wal", "-shm", ""]

  static func isCause(_ error: YapDatabaseError) -> Bool {
    guard let code = error.sqliteCode else { return false }
    return [11, 26].contains(code & 0xff)
  }

  /// To be called with no handle open on the file.
  static func remove(
    _ path: String,
    action: YapDatabaseCorruptAction,
    cause: YapDatabaseError
  ) throws(YapDatabaseError) -> YapDatabaseReplacedFile {
    let present = suffixes.filter { exists(path + $0) }
    switch action {
    case .fail: throw cause
    case .delete:
      for suffix in present { try check(unlink(path + suffix), "deleted", path + suffix, cause) }
      return YapDatabaseReplacedFile(cause: cause, action: action, files: [])
    case .rename:
      let target = freeName(path)
      for suffix in present { try check(rename(path + suffix, target + suffix), "renamed", path + suffix, cause) }
      return YapDatabaseReplacedFile(cause: cause, action: action, files: present.reversed().map { target + $0 })
    }
  }

  private static func freeName(_ path: String) -> String {
    var number = 1
    while suffixes.contains(where: { exists("\(path).\(number).corrupt\($0)") }) { number += 1 }
    return "\(path).\(number).corrupt"
  }

  private static func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  private static func check(
    _ result: Int32,
    _ what: String,
    _ path: String,
    _ cause: YapDatabaseError
  ) throws(YapDatabaseError) {
    guard result != 0 else { return }
    throw YapDatabaseError(
      .storage,
      "\(path) is damaged and cannot be \(what) (\(String(cString: strerror(errno)))). The damage: \(cause.message)",
      sqliteCode: cause.sqliteCode
    )
  }
}
