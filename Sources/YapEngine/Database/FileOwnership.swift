internal import CPlatform
internal import Glibc
internal import Synchronization
internal import ThreadingPrimitives

/// The files that this process has open as databases. Two `YapDatabase` objects of one file would serve stale caches.
enum OpenFiles {
  struct Identity: Hashable, Sendable {
    private let device: UInt64
    private let inode: UInt64
    /// The time at which the file was created; 0 if unknown. A new file may get the inode of a deleted file whose claim
    /// has not been released yet.
    private let birth: UInt64

    /// nil if the file does not exist or cannot be accessed.
    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      device = UInt64(status.st_dev)
      inode = UInt64(status.st_ino)
      birth = cplatform_file_birth(path)
    }
  }

  /// The claim on one file.
  final class Claim: Sendable {
    private let identity: Identity
    private let isReleased = Atomic<Bool>(false)

    fileprivate init(_ identity: Identity) { self.identity = identity }

    deinit { release() }

    /// Releases the claim. Later calls do nothing, because another database may have claimed the file since.
    func release() {
      guard !isReleased.exchange(true, ordering: .relaxed) else { return }
      _ = OpenFiles.open.withLock { $0.remove(identity) }
    }
  }

  private static let open = Guarded<Set<Identity>>([])

  /// Claims the file by its identity, not by its path.
  /// - Throws: `alreadyOpen` if the file is claimed; `storage` if it cannot be found.
  static func claim(_ path: String) throws(YapDatabaseError) -> Claim {
    guard let identity = Identity(path) else {
      throw YapDatabaseError(
        .storage,
        "\(path) cannot be found after it was opened: \(String(cString: strerror(errno)))"
      )
    }
    guard open.withLock({ $0.insert(identity).inserted }) else {
      throw YapDatabaseError(
        .alreadyOpen,
        "\(path) is open in this process: use that database, or close it first"
      )
    }
    return Claim(identity)
  }

  /// Whether the file at `path`, if it exists, is claimed. Checked before SQLite opens the file a second time.
  static func isClaimed(_ path: String) -> Bool {
    guard let identity = Identity(path) else { return false }
    return open.withLock { $0.contains(identity) }
  }
}

/// A file beside the database, locked by the process that has the database open. Two owners would serve stale caches.
///
/// It is a separate file, because closing any descriptor of the database file would drop SQLite's locks on that file.
/// The kernel releases the lock when the process ends, even by a crash. A file that a crash leaves behind does not
/// prevent the next open.
final class OwnerLock: Sendable {
  private static let suffix = "-owner"

  private let path: String
  private let descriptor: Int32
  private let isReleased = Atomic<Bool>(false)

  /// - Throws: `alreadyOpen` if another process holds the lock, with its process id if that can be read; `storage` if
  ///   the file cannot be opened or locked.
  init(databasePath: String) throws(YapDatabaseError) {
    path = Self.resolved(databasePath) + Self.suffix
    descriptor = try Self.lock(path, databasePath)
    let number = "\(getpid())\n"
    // The process id is used only in an error message, so a failure to write it is ignored.
    _ = ftruncate(descriptor, 0)
    _ = number.utf8CString.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, number.utf8.count, 0) }
  }

  deinit {
    release()
  }

  /// Deletes the file and releases the lock. Later calls do nothing.
  /// - Parameter keepsDescriptor: A planted bug: whether the file stays open.
  /// - Returns: Whether this call released the lock.
  @discardableResult
  func release(keepsDescriptor: Bool = false) -> Bool {
    guard !isReleased.exchange(true, ordering: .relaxed) else { return false }
    // The file is deleted while the lock is held: another process then finds no file, or finds that the file that it
    // has opened is no longer at the path.
    unlink(path)
    if !keepsDescriptor { close(descriptor) }
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
      if isStillAtPath(descriptor, path) { return descriptor }
      // The owner has deleted the file since it was opened here.
      close(descriptor)
    }
  }

  /// Checks whether a process has the database open, without creating a file. A database that opens at the same moment
  /// may find the lock taken.
  /// - Throws: `alreadyOpen` if a process holds the lock; `storage` if the file cannot be opened or locked.
  static func checkIsFree(databasePath: String) throws(YapDatabaseError) {
    let path = resolved(databasePath) + suffix
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return }
      throw failure("opened", path: path, databasePath: databasePath)
    }
    defer { close(descriptor) }
    guard flock(descriptor, LOCK_SH | LOCK_NB) == 0 else {
      throw errno == EWOULDBLOCK
        ? owned(by: holder(descriptor), databasePath)
        : failure("locked", path: path, databasePath: databasePath)
    }
  }

  private static func isStillAtPath(_ descriptor: Int32, _ path: String) -> Bool {
    var opened = stat()
    var found = stat()
    return fstat(descriptor, &opened) == 0 && stat(path, &found) == 0 && opened.st_ino == found.st_ino
      && opened.st_dev == found.st_dev
  }

  private static func holder(_ descriptor: Int32) -> Int? {
    var bytes = [UInt8](repeating: 0, count: 20)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    guard count > 0 else { return nil }
    return Int(String(decoding: bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
  }

  /// Returns the path without symbolic links, so that links to a file lead to the same lock. If the file does not exist
  /// yet, only the path of its folder is resolved.
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

extension YapDatabase {
  /// Checks that no process has the database at `path` open, without changing any file.
  /// - Throws: `alreadyOpen` if this process or another has it open; `storage` if that cannot be determined.
  package static func checkIsClosed(_ path: String) throws(YapDatabaseError) {
    guard !OpenFiles.isClaimed(path) else {
      throw YapDatabaseError(.alreadyOpen, "\(path) is open in this process: close it first")
    }
    try OwnerLock.checkIsFree(databasePath: path)
  }
}
