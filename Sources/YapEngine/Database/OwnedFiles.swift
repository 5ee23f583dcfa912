internal import CPlatform
internal import Glibc
internal import ThreadingPrimitives

/// The database files that this process owns, and descriptors that it cannot close yet.
struct OwnedFiles: Sendable {
  static let registry = Guarded(OwnedFiles())

  /// Whether the owner of each file is closing it.
  private var isClosing: [FileIdentity: Bool] = [:]
  /// Descriptors of files on which SQLite holds locks in this process. While they are open, no other file gets the same
  /// identity.
  private var unclosed: [FileIdentity: [Int32]] = [:]

  /// Returns the file's owner in this process; nil if this process does not own the file.
  func owner(of identity: FileIdentity) -> FileOwner? { isClosing[identity].map { .thisProcess(isClosing: $0) } }

  mutating func add(_ identity: FileIdentity) { isClosing[identity] = false }
  mutating func remove(_ identity: FileIdentity) { isClosing[identity] = nil }

  mutating func beginClosing(_ identity: FileIdentity) {
    if isClosing[identity] != nil { isClosing[identity] = true }
  }

  /// Removes a descriptor of the file that could not be closed yet, to be used again: without that, each refused open
  /// would keep one more. Returns nil if there is none.
  mutating func takeUnclosed(_ identity: FileIdentity, forWriting: Bool) -> Int32? {
    guard
      let index = unclosed[identity]?.firstIndex(where: { descriptor in
        !forWriting || fcntl(descriptor, F_GETFL) & O_ACCMODE == O_RDWR
      })
    else { return nil }
    return unclosed[identity]?.remove(at: index)
  }

  /// Closes a descriptor of a database file that this process does not own, once that drops no lock of SQLite. The
  /// program may have opened the file with SQLite outside of the engine. Locks of other processes also keep it open,
  /// because the kernel does not distinguish them here.
  mutating func close(_ descriptor: Int32, _ identity: FileIdentity) {
    unclosed[identity, default: []].append(descriptor)
    unclosed = unclosed.filter { identity, descriptors in
      guard let first = descriptors.first else { return false }
      if isClosing[identity] != nil || cplatform_has_sqlite_locks(first) { return true }
      for descriptor in descriptors { Glibc.close(descriptor) }
      return false
    }
  }
}

/// The owner of a file that could not be acquired.
enum FileOwner: Equatable {
  case thisProcess(isClosing: Bool), process(Int32), unknownProcess

  /// Whether a wait for the owner makes sense. A database of this process that is in use may wait for the caller.
  var mayClose: Bool { self != .thisProcess(isClosing: false) }

  /// - Parameter waited: The nanoseconds of the wait; nil if there was none.
  func error(_ path: String, waited: UInt64?) -> YapDatabaseError {
    let time = waited.map { " (waited \(Duration.nanoseconds(Int64(clamping: $0)).inSeconds))" } ?? ""
    return YapDatabaseError(.alreadyOpen, "\(path) \(state): \(remedy)\(time)")
  }

  /// - Parameter waitsFor: The longest wait, in nanoseconds.
  func error(_ path: String, waitsFor nanoseconds: UInt64) -> YapDatabaseError {
    let time = Duration.nanoseconds(Int64(clamping: nanoseconds)).inSeconds
    return YapDatabaseError(.alreadyOpen, "\(path) \(state): waiting for at most \(time) until it is closed there")
  }

  private var state: String {
    switch self {
    case .thisProcess(isClosing: false): "is open in this process"
    case .thisProcess(isClosing: true): "is being closed in this process"
    case .process(let id): "is open in process \(id), and only one process at a time may open it"
    case .unknownProcess: "is open in another process, and only one process at a time may open it"
    }
  }

  private var remedy: String {
    switch self {
    case .thisProcess(isClosing: false): "use that database, or close it first"
    case .thisProcess(isClosing: true): "wait until close has returned there"
    case .process, .unknownProcess: "close it there first"
    }
  }
}

extension YapDatabase {
  /// Checks that no process has the database at `path` open, without changing any file.
  /// - Throws: `alreadyOpen` if this process or another has it open; `storage` if that cannot be determined.
  package static func checkIsClosed(_ path: String) throws(YapDatabaseError) {
    guard let path = try DatabasePath.existing(path), let found = FileIdentity(path: path) else { return }
    let owner = try OwnedFiles.registry.withLock { registry throws(YapDatabaseError) -> FileOwner? in
      if let owner = registry.owner(of: found) { return owner }
      // For writing if possible, so that a descriptor that cannot be closed yet can be used by an owner.
      let flags = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
      var descriptor = registry.takeUnclosed(found, forWriting: false) ?? open(path, O_RDWR | flags)
      if descriptor < 0 { descriptor = open(path, O_RDONLY | flags) }
      guard descriptor >= 0, let identity = FileIdentity(descriptor: descriptor) else {
        throw .ofSystem("\(path) cannot be opened for reading")
      }
      defer { registry.close(descriptor, identity) }
      switch cplatform_has_owner(descriptor) {
      case 0: return nil
      case EAGAIN:
        let process = cplatform_sqlite_lock_holder(descriptor)
        return process > 0 ? .process(process) : .unknownProcess
      case let code: throw .ofSystem("the locks of \(path) cannot be read", code)
      }
    }
    if let owner { throw owner.error(path, waited: nil) }
  }
}

extension Duration {
  /// The duration in seconds with up to three decimal places, such as "0.05 s".
  fileprivate var inSeconds: String {
    let milliseconds = Int64(waitNanoseconds / 1_000_000)
    let (whole, rest) = (milliseconds / 1_000, milliseconds % 1_000)
    guard rest > 0 else { return "\(whole) s" }
    var digits = String(rest + 1_000).dropFirst()
    while digits.last == "0" { digits.removeLast() }
    return "\(whole).\(digits) s"
  }
}
