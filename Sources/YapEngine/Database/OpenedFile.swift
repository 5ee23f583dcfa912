internal import Glibc
internal import SQLiteBinding
internal import ThreadingPrimitives

/// Checks the path of a database before any file is opened. SQLite interprets some paths specially, and its errors for
/// others do not name the cause.
enum DatabasePath {
  /// - Throws: `invalidArgument` if a database cannot have this path.
  static func check(_ path: String) throws(YapDatabaseError) {
    if path.isEmpty {
      throw refusal("the path of the database is empty", "give the path of a file")
    }
    if path == ":memory:" {
      throw refusal(
        "\":memory:\" is SQLite's name for a database without a file, which connections cannot share",
        "give the path of a file; one in /dev/shm is kept in memory"
      )
    }
    if path.hasPrefix("file:") {
      throw refusal(
        "\(path) begins with \"file:\", which SQLite reads as a URI",
        "give a plain path, such as ./\(path)"
      )
    }
    if path.utf8.contains(0) {
      throw refusal("the path of the database has a NUL byte, which ends it for SQLite", "give a path without one")
    }
    try checkKind(of: path)
    try checkFolder(of: path)
  }

  /// Anything but a regular file is refused before it is opened, because opening a FIFO for reading waits for a writer.
  private static func checkKind(of path: String) throws(YapDatabaseError) {
    var status = stat()
    if path.hasSuffix("/") || (stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR) {
      throw refusal("\(path) is a folder", "give the path of a file in it")
    }
    guard stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else {
      throw refusal("\(path) is not a regular file", "choose another path")
    }
  }

  private static func checkFolder(of path: String) throws(YapDatabaseError) {
    var status = stat()
    let folder = folder(of: path)
    if stat(folder, &status) == 0 {
      guard status.st_mode & S_IFMT != S_IFDIR else { return }
      throw refusal("\(path) cannot be opened, because \(folder) is not a folder", "choose another path")
    }
    switch errno {
    case ENOENT:
      throw refusal(
        "\(path) cannot be opened, because the folder \(folder) does not exist",
        "create the folder first, or choose another path"
      )
    case ENOTDIR:
      throw refusal("\(path) cannot be opened, because a part of \(folder) is not a folder", "choose another path")
    default: return  // opening the file throws an error that names the cause
    }
  }

  /// The folder of a file; "." for a name without a slash.
  static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func refusal(_ found: String, _ remedy: String) -> YapDatabaseError {
    YapDatabaseError(.invalidArgument, "\(found): \(remedy)")
  }
}

/// An opened database file, and the data that was read from it at open.
struct OpenedFile {
  let handle: EngineHandle
  let damage: Damage
  let lockWaits = LockWaits()
  let snapshot: UInt64
  let pageSize: Int
  let codableFormat: YapDatabaseCodableFormat
  let collections: [(number: Int64, name: String)]
  /// The names of the extensions stored by earlier runs.
  let extensions: [String]
  /// The WAL that an earlier run left, and the time taken to read it; nil if no frame was left.
  let recovery: YapDatabaseRecovery?

  /// Opens the file. If it is damaged and the options allow it, opens an empty database in its place.
  static func open(
    _ path: String,
    options: YapDatabaseOptions
  ) throws -> (file: OpenedFile, replaced: YapDatabaseReplacedFile?) {
    let cause: YapDatabaseError
    do {
      return (try OpenedFile(path, options: options), nil)
    } catch let error as YapDatabaseError where CorruptFile.isCause(error) {
      cause = error
    }
    // The handle of the damaged file is closed by now.
    let replaced = try CorruptFile.remove(path, action: options.corruptAction, cause: cause)
    return (try OpenedFile(path, options: options), replaced)
  }

  private init(_ path: String, options: YapDatabaseOptions) throws {
    let walBytes = WALFile.size(databasePath: path)
    let began = MonotonicClock.now
    damage = Damage(path: path, omissions: options.testHooks.omissions.damage)
    handle = try EngineHandle(
      path: path,
      options: options,
      isFirst: true,
      alone: walBytes > 0 ? FileWithoutWAL(path: path) : .unknown,
      damage: damage,
      lockWaits: lockWaits
    )
    do {
      snapshot = try handle.storedSnapshot()
      let nanoseconds = MonotonicClock.now - began
      pageSize = Int(try handle.sqlite.integer("PRAGMA page_size") ?? 4096)
      recovery = YapDatabaseRecovery(walBytes: walBytes, pageSize: pageSize, nanoseconds: nanoseconds)
      codableFormat = try Self.codableFormat(handle.sqlite, path: path)
      let statement = try handle.sqlite.prepare("SELECT number, name FROM collections")
      var collections: [(number: Int64, name: String)] = []
      while try statement.step() {
        let (number, name) = (statement.integer(at: 0), statement.text(at: 1))
        // Larger numbers are not reached by counting, and the next one would overflow.
        guard number >> 62 == 0 else {
          let found = "the collection \"\(name)\" has the number \(number)"
          throw YapDatabaseError(.corrupt, "\(path): \(found); restore the file from a backup")
        }
        collections.append((number, name))
      }
      self.collections = collections
      extensions = try ExtensionTable(handle: handle).rows().map(\.name)
      try handle.sqlite.setCheckpointOnClose(true)
    } catch let error as SQLiteError {
      throw YapDatabaseError(error)
    }
  }

  private static func codableFormat(_ handle: SQLiteHandle, path: String) throws -> YapDatabaseCodableFormat {
    let number = try handle.integer("SELECT number FROM snapshot WHERE id = 3")
    guard let number, let found = CodableFormatNumber(rawValue: number) else {
      let problem = "the format of Codable values is \(number.map(String.init) ?? "missing"), expected 0 or 1"
      throw YapDatabaseError(.corrupt, "\(path): \(problem); restore the file from a backup")
    }
    return found.format
  }
}

/// The WAL of an earlier run that was found at open, for instance after a crash, and the time taken to read it.
///
/// SQLite reads such a WAL from beginning to end before anything else can be read. Its frames are copied to the
/// database file later, beside transactions. A WAL above `aggressiveCheckpointAt` is then reset, and its file truncated
/// if it is longer than `journalSizeLimit`.
public struct YapDatabaseRecovery: Sendable, Equatable {
  /// The size of the WAL file at open, in bytes.
  public let walBytes: Int
  /// The number of frames that fit into the file, including frames of transactions that were not committed.
  public let frames: Int
  /// The time from the opening of the file until the newest commit's number was read.
  public let nanoseconds: UInt64

  /// nil if the WAL has no frame.
  init?(walBytes: Int, pageSize: Int, nanoseconds: UInt64) {
    frames = WALFile.frames(inBytes: walBytes, pageSize: pageSize)
    guard frames > 0 else { return nil }
    self.walBytes = walBytes
    self.nanoseconds = nanoseconds
  }
}
