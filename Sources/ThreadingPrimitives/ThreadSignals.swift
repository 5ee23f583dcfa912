internal import CPlatform
internal import Synchronization

/// Lets one thread sleep until another wakes it. A wake that precedes the sleep is not lost.
public final class Parker: Sendable {
  /// 0: not woken; 1: woken. Allocated separately, because the kernel gets its address.
  // The pointer never changes, and its target is atomic.
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
  /// - Parameter deadline: Nanoseconds of `MonotonicClock`; nil waits without a limit.
  /// - Returns: false if the deadline passed first.
  @discardableResult
  public func park(deadline: UInt64? = nil) -> Bool {
    if let thread = ScheduledThread.current {
      return thread.schedule.park(thread.number, on: self, deadline: deadline)
    }
    return parkUnscheduled(deadline: deadline)
  }

  public func unpark() {
    wake()
    if let thread = ScheduledThread.current { thread.schedule.reach(thread.number, "woke another thread") }
  }

  /// Sleeps, also on a thread of a schedule, which does not learn of it.
  @discardableResult
  package func parkUnscheduled(deadline: UInt64? = nil) -> Bool {
    while !takeWake() {
      if !cplatform_futex_wait(word, 0, deadline ?? .max) { return takeWake() }
    }
    return true
  }

  /// Wakes the thread. Unlike `unpark`, it is no step of a schedule.
  package func wake() {
    if word.pointee.exchange(1, ordering: .releasing) == 0 { cplatform_futex_wake_one(word) }
  }

  /// Whether the next `park` returns immediately.
  package var isWoken: Bool { word.pointee.load(ordering: .acquiring) == 1 }

  /// Consumes a wake.
  /// - Returns: false if there was none.
  package func takeWake() -> Bool { word.pointee.exchange(0, ordering: .acquiring) == 1 }
}

/// Blocks threads until the gate opens, so that they start together and not in the order of their creation.
public final class StartGate: Sendable {
  private let opening = LaneEvent()

  public init() {}

  /// Waits until the gate is open.
  /// - Returns: Whether the gate was closed at the time of the call.
  @discardableResult
  public func wait() -> Bool {
    let parker = Parker()
    guard opening.register(parker) else { return false }
    parker.park()
    return true
  }

  /// Releases all waiting threads. Later calls of `wait` return immediately.
  public func open() { opening.happen() }
}

/// A flag that is raised once and that every thread can read.
public final class StopFlag: Sendable {
  private let raised = Atomic<Bool>(false)

  public init() {}

  public var isRaised: Bool { raised.load(ordering: .acquiring) }

  public func raise() { raised.store(true, ordering: .releasing) }
}
