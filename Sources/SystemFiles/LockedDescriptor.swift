internal import Glibc

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
