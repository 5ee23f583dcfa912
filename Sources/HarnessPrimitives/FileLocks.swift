internal import Glibc

/// A lock between processes, on a file that stays. It is released by deinit, and by the kernel when the process ends.
public final class FileLock: Sendable {
  private let descriptor: Int32

  /// Acquires the lock, and waits while another `FileLock` of this or another process holds it.
  /// - Throws: `FileProblem` if the file cannot be created or locked.
  public init(at path: String) throws(FileProblem) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw FileProblem(path, .system(operation: "created", code: errno)) }
    var code: Int32
    repeat { code = flock(descriptor, LOCK_EX) == 0 ? 0 : errno } while code == EINTR
    guard code == 0 else {
      close(descriptor)
      throw FileProblem(path, .system(operation: "locked", code: code))
    }
    self.descriptor = descriptor
  }

  /// Acquires the lock if it is free.
  /// - Returns: nil if another `FileLock` of this or another process holds it.
  /// - Throws: `FileProblem` if the file cannot be created or locked.
  public init?(ifFree path: String) throws(FileProblem) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw FileProblem(path, .system(operation: "created", code: errno)) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      close(descriptor)
      if code == EWOULDBLOCK { return nil }
      throw FileProblem(path, .system(operation: "locked", code: code))
    }
    self.descriptor = descriptor
  }

  deinit { descriptor.unlockAndClose() }
}

/// Marks a temporary path as the property of a living process, so that a later process can remove what a killed one
/// left behind.
///
/// The mark is an empty file beside the path, with the same name and a suffix, on which the owner holds a lock. The
/// kernel releases the lock when the process ends in any way, and reused process ids have no effect. The mark is
/// created before anything at the path, and removed when nothing temporary is left there, so the remains of a killed
/// process always have a mark. A path without a mark is never removed.
public final class OwnershipLock: Sendable {
  static let suffix = ".yapbench-lock"

  /// The path that is owned; it need not exist.
  public let path: String
  private let descriptor: Int32

  /// Marks `path`, which no process may use yet.
  ///
  /// - Returns: nil if the file system has no locks. If the process is then killed, its remains are never removed.
  /// - Throws: `FileProblem` if the mark cannot be created.
  public init?(of path: String) throws(FileProblem) {
    guard let descriptor = try Self.lockedMark(of: path) else { return nil }
    self.path = path
    self.descriptor = descriptor
  }

  /// - Returns: A descriptor of the locked mark; nil if the file system has no locks.
  private static func lockedMark(of path: String) throws(FileProblem) -> Int32? {
    let mark = path + suffix
    while true {
      let descriptor = open(mark, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw FileProblem(path, .system(operation: "created", code: errno)) }
      var code: Int32
      repeat { code = flock(descriptor, LOCK_EX) == 0 ? 0 : errno } while code == EINTR
      if code != 0 {
        unlink(mark)
        close(descriptor)
        return nil
      }
      // Another process may have removed the new mark before it was locked.
      if isFile(descriptor, at: mark) { return descriptor }
      close(descriptor)
    }
  }

  private init(taking path: String, _ descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
  }

  deinit { descriptor.unlockAndClose() }

  /// Removes the mark. Must be called after the contents of the path have been removed or have got their final name.
  public func removeMark() { Self.removeMark(of: path) }

  /// Removes the mark of `path`, whether or not this process has created it.
  public static func removeMark(of path: String) { unlink(path + suffix) }

  /// Takes over each marked path in `folder` that `isOurs` accepts and whose owner has ended.
  ///
  /// - Parameter isOurs: Whether the caller may remove the path with this name, which is given without the folder.
  /// - Returns: Locks of the paths, sorted. The caller removes the contents of each path, and then its mark.
  public static func abandoned(in folder: String, where isOurs: (String) -> Bool) -> [OwnershipLock] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var paths: [String] = []
    while let item = readdir(stream) {
      let name = withUnsafePointer(to: &item.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(validatingCString: $0) }
      }
      guard let name, name.hasSuffix(suffix) else { continue }
      let owned = String(name.dropLast(suffix.count))
      if isOurs(owned) { paths.append(folder + "/" + owned) }
    }
    return paths.sorted().compactMap(takeOver)
  }

  /// - Returns: nil if the owner is alive, or if the mark is not an empty regular file of this user.
  private static func takeOver(_ path: String) -> OwnershipLock? {
    let mark = path + suffix
    let descriptor = open(mark, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    var status = stat()
    let isMark =
      fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_size == 0
      && status.st_uid == geteuid()
    guard isMark, flock(descriptor, LOCK_EX | LOCK_NB) == 0, isFile(descriptor, at: mark) else {
      close(descriptor)
      return nil
    }
    return OwnershipLock(taking: path, descriptor)
  }

  private static func isFile(_ descriptor: Int32, at path: String) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && FileIdentity(status) == FileIdentity(path: path)
  }
}

extension Int32 {
  /// Releases the lock on this file descriptor and closes it.
  ///
  /// Closing alone is not enough: a child process that is being started has a copy of the descriptor until it executes
  /// its program, and the copy keeps the lock.
  func unlockAndClose() {
    flock(self, LOCK_UN)
    close(self)
  }
}
