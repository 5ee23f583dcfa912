internal import Glibc
internal import Synchronization

/// A file beside the database, locked by the process that has the database open. Two owners would serve each other
/// stale caches.
///
/// It is a separate file, because closing any descriptor of the database file would drop SQLite's locks. The kernel
/// releases the lock when the process ends, even by a crash. A file that a crash leaves behind does not prevent the
/// next open.
final class OwnerLock: Sendable {
  private static let suffix = "-owner"

  private let path: String
  private let descriptor: Int32
  private let isReleased = Atomic<Bool>(false)

  /// - Throws: `alreadyOpen` if another process holds the lock; the message contains its process id if it can be read.
  init(databasePath: String) throws(YapDatabaseError) {
    path = Self.resolved(databasePath) + Self.suffix
    descriptor = try Self.lock(path, databasePath)
    let number = "\(getpid())\n"
    // The number is only used in an error message; the lock does not depend on it.
    _ = ftruncate(descriptor, 0)
    _ = number.utf8CString.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, number.utf8.count, 0) }
  }

  deinit {
    release()
  }

  /// Removes the file and releases the lock. Later calls do nothing.
  /// - Returns: Whether this call released the lock.
  @discardableResult
  func release() -> Bool {
    guard !isReleased.exchange(true, ordering: .relaxed) else { return false }
    // The file is removed while the lock is held: another process then finds no file, or finds that the file it has
    // opened is no longer at its path.
    unlink(path)
    close(descriptor)
    return true
  }

  private static func lock(_ path: String, _ databasePath: String) throws(YapDatabaseError) -> Int32 {
    while true {
      let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
      guard descriptor >= 0 else { throw failure("opened", path: path, databasePath: databasePath) }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        defer { close(descriptor) }
        throw errno == EWOULDBLOCK
          ? owned(by: holder(descriptor), databasePath)
          : failure("locked", path: path, databasePath: databasePath)
      }
      if isAtItsPlace(descriptor, path) { return descriptor }
      // The owner has removed the file since it was opened here.
      close(descriptor)
    }
  }

  private static func isAtItsPlace(_ descriptor: Int32, _ path: String) -> Bool {
    var opened = stat()
    var placed = stat()
    return fstat(descriptor, &opened) == 0 && stat(path, &placed) == 0 && opened.st_ino == placed.st_ino
      && opened.st_dev == placed.st_dev
  }

  private static func holder(_ descriptor: Int32) -> Int? {
    var bytes = [UInt8](repeating: 0, count: 20)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    guard count > 0 else { return nil }
    return Int(String(decoding: bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
  }

  /// The path without symbolic links, so that all names of a file lead to the same lock. If the file does not exist
  /// yet, the path of its folder is resolved.
  private static func resolved(_ path: String) -> String {
    if let resolved = real(path) { return resolved }
    let folder = DatabasePath.folder(of: path)
    let resolved = real(folder) ?? folder
    let name = path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...]
    return resolved + (resolved.hasSuffix("/") ? "" : "/") + name
  }

  private static func real(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private static func owned(by process: Int?, _ path: String) -> YapDatabaseError {
    let owner = process.map { "process \($0)" } ?? "another process"
    return YapDatabaseError(
      .alreadyOpen,
      "\(path) is open in \(owner), and only one process at a time may open it: close it there first"
    )
  }

  private static func failure(_ attempt: String, path: String, databasePath: String) -> YapDatabaseError {
    YapDatabaseError(
      .storage,
      "\(databasePath) cannot be opened, because \(path) cannot be \(attempt): \(String(cString: strerror(errno)))"
    )
  }
}
