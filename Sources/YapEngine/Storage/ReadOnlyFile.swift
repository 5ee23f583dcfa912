internal import Glibc
internal import SQLiteBinding
internal import ThreadingPrimitives

/// The files of a database that is read without creating or changing a file.
struct ReadOnlyFile {
  /// The parts of the database that SQLite has to read.
  enum Parts {
    /// The file alone: no process has it open for writing, and no commit is in a WAL.
    case file
    /// The file and its WAL, which another process may be writing.
    case fileAndWAL
  }

  let path: String
  let parts: Parts
  private let stamp: [Int64]?
  /// The sizes of the -wal and the -shm file; nil for one that does not exist.
  private let sides: [Int?]

  /// - Parameter path: The absolute path of a file, which this process has claimed.
  init(_ path: String) {
    self.path = path
    stamp = Self.stamp(path)
    sides = Self.sides(path)
    parts =
      switch (sides[0], sides[1]) {
      case (nil, _), (0, nil): .file
      default: .fileAndWAL
      }
  }

  /// Checks that all commits can be read without creating a file.
  /// - Throws: `incompatible` if commits in the WAL, or a transaction in the journal, cannot be read.
  func check() throws(YapDatabaseError) {
    if Self.size(path + "-journal") ?? 0 > 0 {
      throw YapDatabaseError(
        .incompatible,
        "\(path)-journal contains a transaction that was interrupted, and only a writer can roll it back: open the "
          + "database once for writing"
      )
    }
    if parts == .fileAndWAL, sides[1] == nil {
      throw YapDatabaseError(
        .incompatible,
        "\(path)-wal contains commits that SQLite can read only with the file \(path)-shm, which is missing: copy it "
          + "together with the other two, create it as an empty file, or open the database once for writing"
      )
    }
  }

  /// Opens the file with SQLite.
  func open() throws(SQLiteError) -> SQLiteHandle {
    switch parts {
    case .file: try SQLiteHandle(fileAlone: path)
    case .fileAndWAL: try SQLiteHandle(readingWithWAL: path)
    }
  }

  /// Whether the file, or one of those beside it, has changed since it was examined.
  var hasChanged: Bool { Self.stamp(path) != stamp || Self.sides(path) != sides }

  /// Checks that no other process has begun to write the file, if it is read without its WAL and without locks.
  /// - Throws: `snapshotLost`.
  func checkIsUnchanged() throws(YapDatabaseError) {
    guard parts == .file, hasChanged else { return }
    throw YapDatabaseError(
      .snapshotLost,
      "\(path) was closed when it was opened here for reading, and another process has opened it for writing since: "
        + "close the database and open it again"
    )
  }

  /// Calls `body` again, at most for the busy timeout, while it fails because a process that has just opened the file
  /// has not rebuilt the index of the WAL. That process does so in its first transaction.
  static func awaitingIndex<Result>(_ options: YapDatabaseOptions, _ body: () throws -> Result) throws -> Result {
    let deadline = options.busyDeadline
    while true {
      do { return try body() } catch {
        let isMissing = (error as? YapDatabaseError)?.sqliteCode == SQLiteCode.readOnlyRecovery
        guard isMissing, MonotonicClock.now < deadline else { throw error }
      }
      MonotonicClock.sleep(until: min(MonotonicClock.now + pollNanoseconds, deadline))
    }
  }

  static let pollNanoseconds: UInt64 = 1_000_000

  /// Returns the identity, size and times of a file, of which a write changes at least one; nil if there is none.
  private static func stamp(_ path: String) -> [Int64]? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return [
      Int64(status.st_dev), Int64(bitPattern: UInt64(status.st_ino)), Int64(status.st_size),
      Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec), Int64(status.st_ctim.tv_sec),
      Int64(status.st_ctim.tv_nsec),
    ]
  }

  private static func sides(_ path: String) -> [Int?] { [size(path + "-wal"), size(path + "-shm")] }

  /// Returns the size of a file in bytes; nil if there is none.
  private static func size(_ path: String) -> Int? {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : nil
  }
}
