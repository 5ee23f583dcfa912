internal import ThreadingPrimitives

/// What SQLite first said about damage of the file or of the disk below it, while the database was in use.
///
/// Reads go on as far as they can. Writing on would spread the damage, so it is refused from then on.
final class Damage: Sendable {
  private let path: String
  private let first = Guarded<YapDatabaseError?>(nil)
  private let isKnown = StopFlag()

  init(path: String) { self.path = path }

  var error: YapDatabaseError? { isKnown.isRaised ? first.withLock { $0 } : nil }

  /// Looks at an error that a statement gave.
  func note(_ error: YapDatabaseError) {
    guard let code = error.sqliteCode, Self.codes.contains(code & 0xff) || Self.codes.contains(code) else { return }
    first.withLock { $0 = $0 ?? error }
    isKnown.raise()
  }

  /// - Throws: the damage, with its own code, where there is any.
  func check() throws(YapDatabaseError) {
    guard let error else { return }
    throw YapDatabaseError(
      error.code,
      "\(path) is written no more, because of an earlier failure: \(error.message). Close the database, look after "
        + "the disk or the file, and open it again.",
      sqliteCode: error.sqliteCode
    )
  }

  /// SQLITE_CORRUPT and SQLITE_NOTADB, and the kinds of SQLITE_IOERR that leave unknown what is on the disk: read,
  /// short read, write, fsync, directory fsync, truncate, fstat. A full disk is none of them: it passes.
  private static let codes: Set<Int32> = [11, 26, 266, 522, 778, 1034, 1290, 1546, 1802]
}
