internal import Glibc
internal import SQLiteBinding
internal import ThreadingPrimitives

/// The action for a file that is found, at open, to be damaged or not a database.
public enum YapDatabaseCorruptAction: String, Sendable, CaseIterable {
  /// Opening throws; the files are left unchanged.
  case fail
  /// The file is renamed to `<name>.<number>.corrupt`, its WAL and index likewise, and an empty database is created.
  case rename
  /// The files are deleted, and an empty database is created.
  case delete
}

/// The action that was taken for a damaged file when the database was opened.
public struct YapDatabaseReplacedFile: Sendable {
  /// SQLite's error: SQLITE_CORRUPT or SQLITE_NOTADB. No other error counts as damage.
  public let cause: YapDatabaseError
  public let action: YapDatabaseCorruptAction
  /// The new paths of the files, the database file first; empty if they were deleted.
  public let files: [String]
}

/// Renames or deletes the files of an unusable database. All are removed, because SQLite would treat a remaining one as
/// part of the next database.
enum CorruptFile {
  /// The order of removal. The database file is last, so that after an interruption no other file is left without it.
  private static let suffixes = ["-wal", "-shm", ""]

  static func isCause(_ error: YapDatabaseError) -> Bool {
    error.sqliteCode.map(SQLiteCode.isDamage) ?? false
  }

  /// Removes the files as `action` specifies. No handle may be open on them.
  static func remove(
    _ path: String,
    action: YapDatabaseCorruptAction,
    cause: YapDatabaseError
  ) throws(YapDatabaseError) -> YapDatabaseReplacedFile {
    let present = suffixes.filter { DatabasePath.exists(path + $0) }
    switch action {
    case .fail: throw cause
    case .delete:
      for suffix in present { try check(unlink(path + suffix), of: path + suffix, attempt: "deleted", cause: cause) }
      return YapDatabaseReplacedFile(cause: cause, action: action, files: [])
    case .rename:
      let target = freeName(path)
      for suffix in present {
        try check(rename(path + suffix, target + suffix), of: path + suffix, attempt: "renamed", cause: cause)
      }
      return YapDatabaseReplacedFile(cause: cause, action: action, files: present.reversed().map { target + $0 })
    }
  }

  private static func freeName(_ path: String) -> String {
    var number = 1
    while suffixes.contains(where: { DatabasePath.exists("\(path).\(number).corrupt\($0)") }) { number += 1 }
    return "\(path).\(number).corrupt"
  }

  private static func check(
    _ result: Int32,
    of path: String,
    attempt: String,
    cause: YapDatabaseError
  ) throws(YapDatabaseError) {
    guard result != 0 else { return }
    throw YapDatabaseError(
      .storage,
      "\(path) is damaged and cannot be \(attempt) (\(String(cString: strerror(errno)))). The damage: \(cause.message)",
      sqliteCode: cause.sqliteCode
    )
  }
}

/// The first error by which SQLite reported damage of the file, or of the disk below it, while the database was open.
///
/// Reads that do not meet the damage still succeed. Writes are refused, because they could spread the damage.
final class Damage: Sendable {
  private let path: String
  private let first = Guarded<YapDatabaseError?>(nil)
  private let isKnown = StopFlag()

  init(path: String) { self.path = path }

  var error: YapDatabaseError? { isKnown.isRaised ? first.withLock { $0 } : nil }

  /// Records an error if its code means damage and no earlier one is recorded.
  func note(_ error: YapDatabaseError) {
    guard let code = error.sqliteCode, Self.codes.contains(SQLiteCode.primary(of: code)) || Self.codes.contains(code)
    else { return }
    first.withLock { $0 = $0 ?? error }
    isKnown.raise()
  }

  /// - Throws: An error with the code and the message of the recorded damage, if there is any.
  func check() throws(YapDatabaseError) {
    guard let error else { return }
    throw YapDatabaseError(
      error.code,
      "\(path) can no longer be written, because of an earlier failure: \(error.message). Close the database, check "
        + "the disk and the file, and open it again.",
      sqliteCode: error.sqliteCode
    )
  }

  /// Damage of the file, and failures after which the state of the disk is unknown. A full disk is not included,
  /// because it is temporary.
  private static let codes: Set = [
    SQLiteCode.corrupt, SQLiteCode.notADatabase, SQLiteCode.ioRead, SQLiteCode.ioShortRead, SQLiteCode.ioWrite,
    SQLiteCode.ioSync, SQLiteCode.ioFolderSync, SQLiteCode.ioTruncate, SQLiteCode.ioFileSize,
  ]
}
