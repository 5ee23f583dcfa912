internal import Synchronization

/// A serial lane: at most one holder, first come first served, synchronous callers and queued jobs alike.
///
/// Goals: one compare-and-swap when nobody waits; strict first-in-first-out order when somebody does, because the
/// holder hands the lane to the next in line and never frees it under their noses; an owner that can be asked for
/// before anything blocks. Synchronous work runs on the caller's thread.
///
/// Non-goals: re-entry (ask `isHeldByCurrentThread` and refuse it), priorities, shared holding.
public final class Lane: Sendable {
  private enum Word {
    static let free: UInt32 = 0
    static let held: UInt32 = 1
    static let heldWithWaiters: UInt32 = 2
  }

  /// Free implies that nobody waits: a release hands over instead of freeing as long as the line is not empty.
  private let word = Atomic<UInt32>(Word.free)
  private let owner = Atomic<UInt>(0)
  private let line = Guarded(Line())
  private let pool: WorkerPool

  /// - Parameter pool: runs the queued jobs.
  public init(pool: WorkerPool) {
    self.pool = pool
  }

  /// Whether the calling thread holds the lane. The answer about any other thread would be stale when it is read.
  public var isHeldByCurrentThread: Bool {
    owner.load(ordering: .relaxed) == ThreadToken.current.rawValue
  }

  /// How many threads and jobs wait.
  public var waiterCount: Int { line.withLock { $0.count } }

  /// Takes the lane if nobody holds it.
  public func tryAcquire() -> Bool {
    guard takeIfFree() else { return false }
    owner.store(ThreadToken.current.rawValue, ordering: .relaxed)
    return true
  }

  /// Takes the lane, waiting for its turn.
  /// - Precondition: the calling thread does not hold it.
  public func acquire() {
    _ = acquire(deadline: nil)
  }

  /// Takes the lane, or gives up.
  /// - Parameter deadline: nanoseconds of `MonotonicClock`; nil waits for ever.
  /// - Returns: whether the lane is now held by the calling thread.
  public func acquire(deadline: UInt64?) -> Bool {
    if tryAcquire() { return true }
    precondition(!isHeldByCurrentThread, "a lane was acquired by the thread that holds it: its owner was not asked")
    let parker = Parker()
    guard let ticket = join(.thread(parker)) else {
      owner.store(ThreadToken.current.rawValue, ordering: .relaxed)
      return true
    }
    if !parker.park(deadline: deadline) {
      if leave(ticket) { return false }
      parker.park()  // it was handed over in the same moment
    }
    owner.store(ThreadToken.current.rawValue, ordering: .relaxed)
    return true
  }

  /// Passes the lane to the next in line, or frees it.
  public func release() {
    precondition(isHeldByCurrentThread, "a lane was released by a thread that does not hold it")
    owner.store(0, ordering: .relaxed)
    if word.compareExchange(expected: Word.held, desired: Word.free, ordering: .releasing).exchanged { return }
    let next: Waiter? = line.withLock { line in
      // Whoever waited may have given up since the word was looked at.
      if line.isEmpty {
        word.store(Word.free, ordering: .releasing)
        return nil
      }
      let next = line.removeFirst()
      if line.isEmpty { word.store(Word.held, ordering: .releasing) }
      return next
    }
    if let next { start(next) }
  }

  /// Queues a job behind everything that waits now, and returns at once.
  public func enqueue(_ job: @escaping @Sendable () -> Void) {
    if takeIfFree() { return start(.job(job)) }
    if join(.job(job)) == nil { start(.job(job)) }
  }

  /// Runs `body` in its turn, on the calling thread.
  public func withLane<Result>(_ body: () throws -> Result) rethrows -> Result {
    acquire()
    defer { release() }
    return try body()
  }

  private func takeIfFree() -> Bool {
    word.compareExchange(expected: Word.free, desired: Word.held, ordering: .acquiring).exchanged
  }

  /// Stands in line; nil when the lane became free meanwhile and now belongs to the caller.
  private func join(_ waiter: Waiter) -> UInt64? {
    line.withLock { line in
      while true {
        switch word.load(ordering: .relaxed) {
        case Word.free:
          if takeIfFree() { return nil }
        case Word.held:
          let marked = word.compareExchange(
            expected: Word.held,
            desired: Word.heldWithWaiters,
            ordering: .relaxed
          ).exchanged
          if marked { return line.append(waiter) }
        default:
          return line.append(waiter)
        }
      }
    }
  }

  /// Gives up a place; false when the lane was already handed over.
  private func leave(_ ticket: UInt64) -> Bool {
    line.withLock { line in
      guard line.remove(ticket) else { return false }
      if line.isEmpty { word.store(Word.held, ordering: .relaxed) }
      return true
    }
  }

  /// Hands the lane, which the caller holds, to `waiter`.
  private func start(_ waiter: Waiter) {
    switch waiter {
    case .thread(let parker):
      parker.unpark()
    case .job(let job):
      pool.run { [self] in
        owner.store(ThreadToken.current.rawValue, ordering: .relaxed)
        job()
        release()
      }
    }
  }
}

private enum Waiter: Sendable {
  case thread(Parker)
  case job(@Sendable () -> Void)
}

/// Those who wait, in order. Places are found again by their ticket.
private struct Line: Sendable {
  private var entries: [(ticket: UInt64, waiter: Waiter)] = []
  private var first = 0
  private var lastTicket: UInt64 = 0

  var count: Int { entries.count - first }
  var isEmpty: Bool { count == 0 }

  mutating func append(_ waiter: Waiter) -> UInt64 {
    lastTicket += 1
    entries.append((lastTicket, waiter))
    return lastTicket
  }

  mutating func removeFirst() -> Waiter {
    let waiter = entries[first].waiter
    entries[first].waiter = .job({})  // lets go of what the closure holds
    first += 1
    // Moving the rest down only once half is gone keeps the cost constant per waiter.
    if first * 2 >= entries.count {
      entries.removeFirst(first)
      first = 0
    }
    return waiter
  }

  mutating func remove(_ ticket: UInt64) -> Bool {
    guard let index = entries[first...].firstIndex(where: { $0.ticket == ticket }) else { return false }
    entries.remove(at: index)
    return true
  }
}
