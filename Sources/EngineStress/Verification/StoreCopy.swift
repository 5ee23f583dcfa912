internal import Glibc
internal import HarnessPrimitives
internal import YapEngine

/// A copy of the files of a database that no process has open: the database file, its WAL, and its rollback journal.
///
/// The WAL-index is not copied, because it is built again from the WAL.
package struct StoreCopy: Sendable {
  /// The path of the copied database file.
  package let path: String
  package let databaseBytes: Int
  /// The size of the WAL file; nil if there is none.
  package let walBytes: Int?

  private static let suffixes = ["", "-wal", "-journal"]
  private static let chunk = 1 << 20
  private static let magic = Array("SQLite format 3\u{0}".utf8)

  /// Copies the files, which are only read.
  /// - Parameter folder: An existing, empty folder.
  /// - Throws: `StoreProblem` if there is no database, if a process has it open or changes it during the copy, or if
  ///   the copy cannot be written; `FileProblem` if reading fails.
  package init(of path: String, in folder: String) throws {
    let source = Self.resolved(path)
    let database = try Self.database(path)
    try Self.checkIsClosed(path)
    let before = Self.suffixes.map { Self.state(of: source + $0) }
    let target = folder + "/" + (source.split(separator: "/").last.map(String.init) ?? "database")
    databaseBytes = try Self.copy(database, to: target)
    var walBytes: Int?
    for suffix in Self.suffixes.dropFirst() where Self.state(of: source + suffix) != nil {
      let bytes = try Self.copy(try Self.opened(source + suffix), to: target + suffix)
      if suffix == "-wal" { walBytes = bytes }
    }
    self.walBytes = walBytes
    try Self.checkIsClosed(path)
    guard Self.suffixes.map({ Self.state(of: source + $0) }) == before else {
      throw StoreProblem(
        .inUse,
        path: path,
        "the file or its WAL was changed while it was copied",
        remedy: "Close the database first."
      )
    }
    self.path = target
  }

  /// - Throws: `StoreProblem` if the file is missing, or is not an SQLite database.
  private static func database(_ path: String) throws -> RegularFile {
    let file = try opened(path)
    guard try file.read(at: 0, count: magic.count) == magic else {
      throw StoreProblem(
        .invalid,
        path: path,
        "this is not an SQLite database",
        remedy: "Name the database file, not its -wal or -shm."
      )
    }
    return file
  }

  private static func opened(_ path: String) throws -> RegularFile {
    do { return try RegularFile(path: path) } catch {
      throw StoreProblem(.missing, path: path, error.explanation, remedy: "Name a database file that can be read.")
    }
  }

  /// - Throws: `StoreProblem` if a process has the database open, or if that cannot be determined.
  private static func checkIsClosed(_ path: String) throws(StoreProblem) {
    do { try YapDatabase.checkIsClosed(path) } catch {
      if error.code == .alreadyOpen {
        throw StoreProblem(.inUse, path: path, "a process has the database open (\(error))", remedy: "Close it first.")
      }
      throw StoreProblem(
        .missing,
        path: path,
        "it cannot be determined whether a process has the database open (\(error))",
        remedy: "Check that the file can be read."
      )
    }
  }

  /// - Returns: The number of copied bytes.
  private static func copy(_ file: RegularFile, to target: String) throws -> Int {
    let descriptor = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw notWritten(target, errno) }
    defer { close(descriptor) }
    var offset = 0
    while true {
      let bytes = try file.read(at: offset, count: chunk)
      if bytes.isEmpty { return offset }
      var written = 0
      while written < bytes.count {
        let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress! + written, $0.count - written) }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw notWritten(target, count < 0 ? errno : ENOSPC) }
        written += count
      }
      offset += bytes.count
    }
  }

  private static func notWritten(_ path: String, _ code: Int32) -> StoreProblem {
    StoreProblem(
      .system,
      path: path,
      "the copy could not be written (\(String(cString: strerror(code))))",
      remedy: "Set TMPDIR to a folder with enough space."
    )
  }

  /// Returns the identity, size and time of a file, which a process that writes to the file changes; nil if there is no
  /// file.
  private static func state(of path: String) -> [Int]? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return [Int(status.st_ino), Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
  }

  /// SQLite names the other files after the path without symbolic links.
  private static func resolved(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
