internal import CPlatform
internal import Glibc
internal import Synchronization
internal import ThreadingPrimitives

/// The identity of a file, which all its names share and which it keeps when it is renamed.
struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64

  private init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
  }

  /// nil if there is no file at `path`, or if it cannot be accessed.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// nil if the descriptor is not open.
  init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }
}

/// A database file that this process owns: no other process, and no second database of this process, opens it. Two
/// owners would serve stale caches.
///
/// The owner holds a lock on a byte of the file itself. The lock therefore covers every name of the file, moves with
/// it, needs no permission but the file's, and leaves nothing behind: the kernel releases it when the process ends,
/// even by a crash.
///
/// The lock needs a descriptor of the database file, and closing any descriptor of a file drops every POSIX lock that
/// the process holds on that file, including SQLite's. Therefore a file that this process owns is never opened a second
/// time, and the descriptor is closed after SQLite has closed the file (`OwnedFiles.close`).
final class OwnedFile: Sendable {
  /// The file's absolute path without symbolic links, resolved when it was opened. Everything uses this path.
  let path: String
  private let identity: FileIdentity
  private let descriptor: Int32
  private let isNew: Bool
  private let isReleased = Atomic<Bool>(false)
  /// The descriptor of the WAL; -1 before `openWAL` and after `release`.
  private let wal = Guarded<Int32>(-1)

  fileprivate init(path: String, identity: FileIdentity, descriptor: Int32, isNew: Bool) {
    self.path = path
    self.identity = identity
    self.descriptor = descriptor
    self.isNew = isNew
  }

  deinit { release() }

  /// Creates the file if it does not exist, and acquires the lock. Waits for an owner that may be about to close the
  /// file, at most for the busy timeout.
  /// - Parameter path: An absolute path without symbolic links.
  /// - Throws: `alreadyOpen`; `invalidArgument` if the file has several names; `storage`.
  static func acquire(_ path: String, options: YapDatabaseOptions) throws(YapDatabaseError) -> OwnedFile {
    var candidate = OwnerCandidate(path: path)
    defer { candidate.close() }
    let began = MonotonicClock.now
    let deadline = options.busyDeadline
    var hasReported = false
    while true {
      let owner: FileOwner
      switch try candidate.attempt() {
      case .acquired(let file): return file
      case .held(let found): owner = found
      }
      let now = MonotonicClock.now
      guard owner.mayClose, now < deadline else { throw owner.error(path, waited: hasReported ? now - began : nil) }
      if !hasReported {
        options.reportOpenWait(owner.error(path, waitsFor: options.busyTimeoutNanoseconds))
        hasReported = true
      }
      MonotonicClock.sleep(until: min(now + pollNanoseconds, deadline))
    }
  }

  /// Acquires the lock without waiting.
  /// - Throws: the errors of `acquire`.
  static func acquireIfFree(_ path: String) throws(YapDatabaseError) -> OwnedFile {
    var options = YapDatabaseOptions()
    options.busyTimeoutNanoseconds = 0
    return try acquire(path, options: options)
  }

  /// Claims a file that is only read, without a lock: other processes may write it, but no second database of this
  /// process opens it, because it would drop this one's POSIX locks when it closes the file.
  /// - Parameter path: An absolute path without symbolic links.
  /// - Throws: `alreadyOpen` if this process has the file open; `invalidArgument` if there is no file, or if it has
  ///   several names.
  static func claimForReading(_ path: String) throws(YapDatabaseError) -> OwnedFile {
    guard let identity = FileIdentity(path: path) else {
      throw YapDatabaseError(.invalidArgument, "\(path) does not exist, and a file that is only read is not created")
    }
    var status = stat()
    if stat(path, &status) == 0 { try OwnerCandidate.checkNames(path, status) }
    let owner = OwnedFiles.registry.withLock { registry -> FileOwner? in
      if let owner = registry.owner(of: identity) { return owner }
      registry.add(identity)
      return nil
    }
    if let owner { throw owner.error(path, waited: nil) }
    return OwnedFile(path: path, identity: identity, descriptor: -1, isNew: false)
  }

  /// Whether another process has the file open, as far as its locks show. No SQLite handle of this process may have the
  /// file open.
  var isOpenElsewhere: Bool {
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return cplatform_has_owner(descriptor) == EAGAIN || cplatform_sqlite_lock_holder(descriptor) > 0
  }

  /// The interval at which a lock that another process holds is tried again. The kernel's own wait has no time limit.
  private static let pollNanoseconds: UInt64 = 10_000_000

  /// Opens the WAL, which SQLite has open. From now on `checkIsAtPath` checks it too.
  func openWAL() throws(YapDatabaseError) {
    let opened = open(path + "-wal", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard opened >= 0 else { throw .ofSystem("\(path)-wal cannot be opened") }
    wal.withLock { $0 = opened }
  }

  /// The descriptor of the WAL. It stays open until `release`.
  var walDescriptor: Int32 { wal.withLock { $0 } }

  /// The size of the WAL in bytes, wherever it has been moved; 0 after `release`.
  var walBytes: Int {
    wal.withLock { descriptor in
      var status = stat()
      return descriptor >= 0 && fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    }
  }

  /// Checks that the path still leads to this file, and the WAL's name to its WAL. Files that are opened by name
  /// between two such checks belong to this database, unless two changes undo each other in between.
  /// - Throws: `fileMoved`.
  func checkIsAtPath() throws(YapDatabaseError) {
    guard FileIdentity(path: path) == identity else { throw moved(path, descriptor) }
    let wal = walDescriptor
    guard wal < 0 || FileIdentity(path: path + "-wal") == FileIdentity(descriptor: wal) else {
      throw moved(path + "-wal", wal)
    }
  }

  /// The status of the file, wherever it has been moved.
  /// - Throws: `storage`.
  func status() throws(YapDatabaseError) -> stat {
    var status = stat()
    guard (descriptor >= 0 ? fstat(descriptor, &status) : stat(path, &status)) == 0 else {
      throw .ofSystem("\(path) cannot be examined")
    }
    return status
  }

  /// Whether the path leads to another file, or to none.
  var isMoved: Bool { FileIdentity(path: path) != identity }

  /// The error that the file at `path` is not the one that was opened.
  private func moved(_ path: String, _ descriptor: Int32) -> YapDatabaseError {
    let found = FileIdentity(path: path) == nil ? "was moved or deleted" : "was replaced by another file"
    // The kernel appends " (deleted)" to the name of a deleted file.
    let now = try? DatabasePath.existing("/proc/self/fd/\(descriptor)")
    return YapDatabaseError(
      .fileMoved,
      "\(path) \(found) while the database was open\(now.map { "; the original is now \($0)" } ?? ""). Connections "
        + "that are open continue with the original. Close the database, move the files together, and open it again."
    )
  }

  /// The error for a file that SQLite has opened and that is not the one at the path.
  var movedError: YapDatabaseError { moved(path, descriptor) }

  /// Records that the database is closing: another one of this process may wait for its end. After `release` it does
  /// nothing, because the file may have a new owner.
  func beginClosing() {
    OwnedFiles.registry.withLock { registry in
      if !isReleased.load(ordering: .relaxed) { registry.beginClosing(identity) }
    }
  }

  /// Releases the lock. SQLite must have closed the file. Later calls do nothing.
  /// - Returns: Whether this call released the lock.
  @discardableResult
  func release() -> Bool {
    guard !isReleased.exchange(true, ordering: .relaxed) else { return false }
    wal.withLock { wal in
      if wal >= 0 { close(wal) }
      wal = -1
    }
    OwnedFiles.registry.withLock { registry in
      if descriptor >= 0 { cplatform_unlock_owner(descriptor) }
      registry.remove(identity)
      if descriptor >= 0 { registry.close(descriptor, identity) }
    }
    return true
  }

  /// Releases the lock after a failure to open the database, and removes the file if it was created for it.
  func abandon() {
    var status = stat()
    if isNew, !isMoved, stat(path, &status) == 0, status.st_size == 0 { unlink(path) }
    release()
  }
}

/// An attempt to own a file. It keeps its descriptor from one try to the next.
private struct OwnerCandidate {
  enum Result { case acquired(OwnedFile), held(FileOwner) }

  let path: String
  private var open: (descriptor: Int32, identity: FileIdentity)?
  private var isNew = false

  init(path: String) { self.path = path }

  /// Tries to acquire the file that is at the path now.
  mutating func attempt() throws(YapDatabaseError) -> Result {
    // Opening, locking and closing a file take system calls that do not wait. With the registry locked, no other thread
    // of the process can have it open in between.
    var candidate = self
    defer { self = candidate }
    return try OwnedFiles.registry.withLock { registry throws(YapDatabaseError) in
      try candidate.attempt(&registry)
    }
  }

  private mutating func attempt(_ registry: inout OwnedFiles) throws(YapDatabaseError) -> Result {
    while true {
      let found = FileIdentity(path: path)
      if let found, let owner = registry.owner(of: found) { return .held(owner) }
      if let open, open.identity != found { close(&registry) }
      guard let (descriptor, identity) = try opened(found, &registry) else { continue }
      var status = stat()
      if fstat(descriptor, &status) == 0 { try Self.checkNames(path, status) }
      if registry.owner(of: identity) != nil { continue }
      switch cplatform_lock_owner(descriptor) {
      case 0: break
      case EAGAIN:
        let process = cplatform_sqlite_lock_holder(descriptor)
        return .held(process > 0 ? .process(process) : .unknownProcess)
      case let code: throw .ofSystem("\(path) cannot be locked", code)
      }
      // The owner may have renamed or replaced the file before it released the lock.
      guard FileIdentity(path: path) == identity else {
        cplatform_unlock_owner(descriptor)
        continue
      }
      open = nil
      registry.add(identity)
      return .acquired(OwnedFile(path: path, identity: identity, descriptor: descriptor, isNew: isNew))
    }
  }

  /// Returns the open file, and opens or creates it first if necessary; nil if another program has just created or
  /// removed it.
  /// - Parameter found: The file that is at the path.
  private mutating func opened(
    _ found: FileIdentity?,
    _ registry: inout OwnedFiles
  ) throws(YapDatabaseError) -> (Int32, FileIdentity)? {
    if let open { return open }
    if let found, let descriptor = registry.takeUnclosed(found, forWriting: true) {
      open = (descriptor, found)
      return open
    }
    let flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    var descriptor = Glibc.open(path, flags)
    isNew = descriptor < 0 && errno == ENOENT
    if isNew {
      // SQLite's mode for new files.
      descriptor = Glibc.open(path, flags | O_CREAT | O_EXCL, 0o644)
      if descriptor < 0, errno == EEXIST { return nil }
    }
    guard descriptor >= 0 else { throw .ofSystem("\(path) cannot be opened for reading and writing") }
    guard let identity = FileIdentity(descriptor: descriptor) else { throw .ofSystem("\(path) cannot be examined") }
    open = (descriptor, identity)
    return open
  }

  /// SQLite finds the WAL by the name of the database file. Under another name it misses the WAL's commits, and later
  /// applies the WAL to a file that has changed since.
  static func checkNames(_ path: String, _ status: stat) throws(YapDatabaseError) {
    if status.st_nlink > 1 {
      throw YapDatabaseError(
        .invalidArgument,
        "\(path) has \(status.st_nlink) names (hard links), and its WAL belongs to only one of them: remove the other "
          + "names, which find -inum \(status.st_ino) lists, or open a copy of the file"
      )
    }
    if cplatform_is_mount_point(path) {
      throw YapDatabaseError(
        .invalidArgument,
        "\(path) is a mount point, so its WAL would stay outside of the mounted file: mount the folder of the file"
      )
    }
  }

  /// Closes the file if it is open, that is, if it was not acquired.
  mutating func close() {
    guard open != nil else { return }
    var candidate = self
    defer { self = candidate }
    OwnedFiles.registry.withLock { candidate.close(&$0) }
  }

  private mutating func close(_ registry: inout OwnedFiles) {
    if let open { registry.close(open.descriptor, open.identity) }
    open = nil
  }
}

extension YapDatabaseOptions {
  /// The end of a wait that begins now and lasts at most for the busy timeout.
  var busyDeadline: UInt64 {
    let (end, isEndless) = MonotonicClock.now.addingReportingOverflow(busyTimeoutNanoseconds)
    return isEndless ? .max : end
  }
}
