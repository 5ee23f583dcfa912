internal import Glibc

/// A lock between processes, on a file that stays. It is released by deinit, and by the kernel when the process ends.
public final class FileLock: Sendable {
  private let descriptor: Int32

  /// Acquires the lock, and waits while another `FileLock` of this or another process holds it.
  /// - Throws: `FileProblem` if the file cannot be created or locked.
  public init(at path: String) throws(FileProblem) {
    descriptor = try Self.opened(path)
    var code: Int32
    repeat { code = flock(descriptor, LOCK_EX) == 0 ? 0 : errno } while code == EINTR
    guard code == 0 else { throw FileProblem(path, .system(operation: "locked", code: code)) }
  }

  /// Acquires the lock if it is free.
  /// - Returns: nil if another `FileLock` of this or another process holds it.
  /// - Throws: `FileProblem` if the file cannot be created or locked.
  public init?(ifFree path: String) throws(FileProblem) {
    descriptor = try Self.opened(path)
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      if code == EWOULDBLOCK { return nil }
      throw FileProblem(path, .system(operation: "locked", code: code))
    }
  }

  private static func opened(_ path: String) throws(FileProblem) -> Int32 {
    let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw FileProblem(path, .system(operation: "created", code: errno)) }
    return descriptor
  }

  deinit { descriptor.unlockAndClose() }
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
