internal import Glibc
internal import SQLiteBinding

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

  /// - Parameter path: The absolute path of the file.
  /// - Throws: `invalidArgument` if there is no file; `incompatible` if commits in the WAL, or a transaction in the
  ///   journal, could not be read without creating a file.
  init(_ path: String) throws(YapDatabaseError) {
    guard PartialCopy.exists(path) else {
      throw YapDatabaseError(.invalidArgument, "\(path) does not exist, and a file that is only read is not created")
    }
    if Self.size(path + "-journal") ?? 0 > 0 {
      throw YapDatabaseError(
        .incompatible,
        "\(path)-journal contains a transaction that was interrupted, and only a writer can roll it back: open the "
          + "database once for writing"
      )
    }
    self.path = path
    switch (Self.size(path + "-wal"), Self.size(path + "-shm")) {
    case (nil, _), (0, nil): parts = .file
    case (_?, _?): parts = .fileAndWAL
    case (_?, nil):
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

  /// Returns the size of a file in bytes; nil if there is none.
  private static func size(_ path: String) -> Int? {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : nil
  }
}
