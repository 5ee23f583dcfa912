internal import ThreadingPrimitives

/// The first error by which SQLite reported damage of the file, or of the disk below it, while the database was open.
///
/// Reads continue as far as they can. Further writes would spread the damage, so they are refused.
final class Damage: Sendable {
  private let path: String
  private let first = Guarded<YapDatabaseError?>(nil)
  private let isKnown = StopFlag()

  init(path: String) { self.path = path }

  var error: YapDatabaseError? { isKnown.isRaised ? first.withLock { $0 } : nil }

  /// Records an error of a statement if its code means damage.
  func note(_ error: YapDatabaseError) {
    guard let code = error.sqliteCode, Self.codes.contains(code & 0xff) || Self.codes.contains(code) else { return }
    first.withLock { $0 = $0 ?? error }
    isKnown.raise()
  }

  /// - Throws: The damage, with the code of its error, if any was recorded.
  func check() throws(YapDatabaseError) {
    guard let error else { return }
    throw YapDatabaseError(
      error.code,
      "\(path) can no longer be written, because of an earlier failure: \(error.message). Close the database, check "
        + "the disk and the file, and open it again.",
      sqliteCode: error.sqliteCode
    )
  }

  /// SQLITE_CORRUPT, SQLITE_NOTADB, and the kinds of SQLITE_IOERR after which the state of the disk is unknown: read,
  /// short read, write, fsync, directory fsync, truncate, fstat. A full disk is not included, because it is temporary.
  private static let codes: Set<Int32> = [11, 26, 266, 522, 778, 1034, 1290, 1546, 1802]
}
