internal import Foundation
internal import Glibc

enum SystemCall {
  /// Checks the result of a system call, and throws the error in `errno` if it is negative.
  /// - Throws: `POSIXError`.
  static func check(_ result: Int32) throws {
    guard result < 0 else { return }
    throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
  }
}
