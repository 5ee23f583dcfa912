internal import Foundation
internal import Glibc

enum SystemCall {
  /// Throws the error of a system call that has failed, which returns -1 and sets `errno`.
  /// - Throws: `POSIXError`.
  static func check(_ result: Int32) throws {
    guard result < 0 else { return }
    throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
  }
}
