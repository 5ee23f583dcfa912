internal import Glibc

/// A lock between processes, on a file that is kept. It is released by deinit, and by the kernel when the process ends.
public final class FileLock: Sendable {
  private let descriptor: Int32

  /// Waits until no other process holds the lock.
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

  /// Acquires the lock if no other process holds it.
  /// - Returns: nil if another process holds it.
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
