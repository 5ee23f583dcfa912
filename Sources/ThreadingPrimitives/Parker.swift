internal import CPlatform
internal import Synchronization

/// Lets one thread sleep until another wakes it. A wake that comes first is not lost.
public final class Parker: Sendable {
  /// 0: nobody woke it; 1: woken. It lives in memory of its own because the kernel is told its address.
  // The pointer never changes and what it points at is atomic.
  private nonisolated(unsafe) let word: UnsafeMutablePointer<Atomic<UInt32>>

  public init() {
    word = .allocate(capacity: 1)
    word.initialize(to: Atomic(0))
  }

  deinit {
    word.deinitialize(count: 1)
    word.deallocate()
  }

  /// Sleeps until `unpark()` has been called since the last `park`.
  /// - Parameter deadline: nanoseconds of `MonotonicClock`; nil waits for ever.
  /// - Returns: false when the deadline came first.
  @discardableResult
  public func park(deadline: UInt64? = nil) -> Bool {
    while word.pointee.exchange(0, ordering: .acquiring) == 0 {
      if !cplatform_futex_wait(word, 0, deadline ?? .max) {
        return word.pointee.exchange(0, ordering: .acquiring) == 1
      }
    }
    return true
  }

  public func unpark() {
    if word.pointee.exchange(1, ordering: .releasing) == 0 { cplatform_futex_wake_one(word) }
  }
}
