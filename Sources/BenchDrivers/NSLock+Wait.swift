internal import Foundation
internal import ThreadingPrimitives

extension NSLock {
  /// Acquires the lock.
  /// - Returns: The time waited for it, in nanoseconds.
  func acquire() -> UInt64 {
    if self.try() { return 0 }
    let began = MonotonicClock.now
    lock()
    return MonotonicClock.now - began
  }
}
