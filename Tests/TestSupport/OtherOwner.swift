import CPlatform
import Foundation
import Glibc

/// The owner's lock of a database file. It belongs to an open file description, so the kernel treats it like one of
/// another process, even if this process holds it.
package final class OtherOwner: Sendable {
  private let descriptor: Int32

  /// Acquires the lock. This process must not have the database open, because the end of this instance closes a
  /// descriptor of the file.
  /// - Throws: `POSIXError` if the file cannot be opened, or if its lock is held.
  package init(_ path: String) throws {
    descriptor = open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    let code = cplatform_lock_owner(descriptor)
    guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
  }

  deinit { close(descriptor) }

  package func release() { cplatform_unlock_owner(descriptor) }

  /// The process other than this one that holds SQLite's lock on the file; 0 if there is none.
  package var sqliteLockHolder: Int32 { cplatform_sqlite_lock_holder(descriptor) }
}
