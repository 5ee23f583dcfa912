internal import Synchronization
internal import ThreadingPrimitives

/// The events that wake the checkpointer's thread: requests, moves of pinned snapshots, commits after which the backlog
/// or the WAL is long enough, and the end of the database.
final class CheckpointerSignals: Sendable {
  private struct Orders {
    /// The checkpoints that callers wait for, oldest first.
    var requests: [CheckpointRequest] = []
    var isStopped = false
  }

  private let orders = Guarded(Orders())
  private let parker = Parker()
  /// Whether the thread must be woken when the oldest pinned snapshot moves, because the move may change what is due.
  private let isBlockedByPin = Atomic<Bool>(false)
  private let sleeps = Atomic<Bool>(false)

  /// Whether the thread sleeps between two rounds. It holds no guard then.
  var isAsleep: Bool { sleeps.load(ordering: .acquiring) }

  /// Whether the checkpointer was asked to stop. If so, a reset no longer waits for readers.
  var isStopped: Bool { orders.withLock { $0.isStopped } }

  /// Enqueues a request for a checkpoint.
  /// - Returns: false if the checkpointer is stopped.
  func enqueue(_ request: CheckpointRequest) -> Bool {
    let isTaken = orders.withLock { orders in
      if !orders.isStopped { orders.requests.append(request) }
      return !orders.isStopped
    }
    if isTaken { parker.unpark() }
    return isTaken
  }

  /// Removes the oldest request and returns it; nil if there is none.
  func nextRequest() -> CheckpointRequest? {
    orders.withLock { $0.requests.isEmpty ? nil : $0.requests.removeFirst() }
  }

  /// Makes the thread end after its current round.
  func askToStop() {
    orders.withLock { $0.isStopped = true }
    parker.unpark()
  }

  /// Wakes the thread after a commit with which the backlog or the length of the WAL has reached its threshold.
  func wake() { parker.unpark() }

  /// Wakes the thread if it watches the pins.
  func oldestPinMoved() {
    if isBlockedByPin.exchange(false, ordering: .acquiringAndReleasing) { parker.unpark() }
  }

  /// Makes the thread wake when the oldest pinned snapshot moves. Must be called before the pins are read, so that no
  /// move is missed.
  func watchPins() {
    isBlockedByPin.store(true, ordering: .sequentiallyConsistent)
  }

  /// Continues to watch the pins, or stops if no move of a pin could change what is due.
  func watchPins(if isBlocked: Bool) {
    isBlockedByPin.store(isBlocked, ordering: .relaxed)
  }

  /// Sleeps until an event, such as a move of a pin, or the deadline. Must be called on the checkpointer's thread.
  func waitForPin(until deadline: UInt64) {
    parker.park(deadline: deadline)
  }

  /// Sleeps between two rounds, until an event or the deadline. Must be called on the checkpointer's thread.
  func sleep(until deadline: UInt64) {
    sleeps.store(true, ordering: .releasing)
    parker.park(deadline: deadline)
    sleeps.store(false, ordering: .releasing)
  }
}

/// A checkpoint that a caller has requested. The caller waits for it on its own thread.
final class CheckpointRequest: Sendable {
  let mode: YapDatabaseCheckpoint.Mode
  /// The longest time for which the checkpoint may wait for readers.
  let longestWaitNanoseconds: UInt64
  private let outcome = Guarded<Result<YapDatabaseCheckpoint, YapDatabaseError>?>(nil)
  private let waiting = Parker()

  init(_ mode: YapDatabaseCheckpoint.Mode, longestWaitNanoseconds: UInt64) {
    self.mode = mode
    self.longestWaitNanoseconds = longestWaitNanoseconds
  }

  /// Ends the request with its result. Must be called once.
  func end(_ result: Result<YapDatabaseCheckpoint, YapDatabaseError>) {
    outcome.withLock { $0 = result }
    waiting.unpark()
  }

  /// Waits until the checkpoint has ended, and returns its result. Must be called once.
  func wait() throws(YapDatabaseError) -> YapDatabaseCheckpoint {
    waiting.park()
    guard let result = outcome.withLock({ $0 }) else { preconditionFailure("a checkpoint ended without a result") }
    return try result.get()
  }
}

extension YapDatabaseError {
  static func closedBeforeCheckpoint(of path: String) -> YapDatabaseError {
    YapDatabaseError(.closed, "\(path) was closed before the checkpoint: open it again with a new YapDatabase")
  }
}
