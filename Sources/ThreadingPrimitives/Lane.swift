internal import CPlatform
internal import Synchronization

/// A serial lane: at most one holder, first come first served, synchronous callers and queued jobs alike.
///
/// Goals: one compare-and-swap when nobody waits; strict first-in-first-out order when somebody does, because the
/// holder hands the lane to the next in line and never frees it under their noses; an owner that can be asked for
/// before anything blocks; a circle of waits is an error and not a hang. Synchronous work runs on the caller's thread.
///
/// Non-goals: re-entry (ask `isHeldByCurrentThread` and refuse it), priorities, shared holding.
public final class Lane: Sendable {
  private enum Word {
    static let free: UInt32 = 0
    static let held: UInt32 = 1
    static let heldWithWaiters: UInt32 = 2
  }

  /// How a wait ended.
  private enum Outcome {
    case acquired, gaveUp
    case deadlocked(LaneDeadlock)
  }

  /// What errors call it.
  public let name: String

  /// Free implies that nobody waits: a release hands over instead of freeing as long as the line is not empty.
  private let word = Atomic<UInt32>(Word.free)
  private let owner = Atomic<UInt>(0)
  private let line = Guarded(LaneLine())
  private let pool: WorkerPool
  /// The lane that its holder had taken last before this one. Held lanes stay alive.
  // Written by the holder only; others read it only while the holder is known to wait.
  private nonisolated(unsafe) var lower: Unmanaged<Lane>?

  /// - Parameters:
  ///   - name: what errors call it.
  ///   - pool: runs the queued jobs.
  public init(name: String, pool: WorkerPool) {
    self.name = name
    self.pool = pool
  }

  deinit {
    precondition(word.load(ordering: .relaxed) == Word.free, "the lane \"\(name)\" ended while somebody held it")
  }

  /// Whether the calling thread holds the lane. The answer about any other thread would be stale when it is read.
  public var isHeldByCurrentThread: Bool {
    owner.load(ordering: .relaxed) == ThreadToken.current.rawValue
  }

  /// Whether anybody holds the lane at this moment.
  public var isHeld: Bool { word.load(ordering: .acquiring) != Word.free }

  /// Whether the calling thread holds any lane.
  public static var isAnyHeldByCurrentThread: Bool { cplatform_thread_slot().pointee != nil }

  /// Whether the calling thread, which holds this lane, held another when it took it.
  public var isInsideAnother: Bool { lower != nil }

  /// How many threads and jobs wait.
  public var waiterCount: Int { line.withLock { $0.count } }

  /// The number of callers and jobs that hold the lane or wait for it. Waits with a deadline are not counted: they
  /// wait for the lane to become idle, and add nothing to what keeps it busy.
  public var occupancy: Int {
    line.withLock { $0.count - $0.deadlineCount + (word.load(ordering: .relaxed) == Word.free ? 0 : 1) }
  }

  // MARK: Taking and passing on

  /// Takes the lane if nobody holds it.
  public func tryAcquire() -> Bool {
    guard takeIfFree() else { return false }
    own()
    return true
  }

  /// Takes the lane, waiting for its turn.
  ///
  /// Threads that hold lanes and wait for each other's would wait for ever. Whoever closes such a circle finds it, and
  /// one wait in it that may fail ends with an error: this one, or else another's that is under way.
  /// - Parameter mayFail: whether this wait may be the one; asked only when there is something to wait for. Where no
  ///   wait of a circle may, the program ends with a sentence.
  /// - Precondition: the calling thread does not hold it.
  public func acquire(mayFail: @autoclosure () -> Bool) throws(LaneDeadlock) {
    if tryAcquire() { return }
    if case .deadlocked(let deadlock) = wait(deadline: nil, mayFail: mayFail()) { throw deadlock }
  }

  /// Takes the lane, waiting for its turn. Not for a thread that holds others, unless it is sure of their order.
  /// - Precondition: the calling thread does not hold it.
  public func acquire() {
    if tryAcquire() { return }
    _ = wait(deadline: nil, mayFail: false)
  }

  /// Takes the lane, or gives up. Such a wait ends by itself, and closes no circle.
  /// - Parameter deadline: nanoseconds of `MonotonicClock`.
  /// - Returns: whether the lane is now held by the calling thread.
  public func acquire(deadline: UInt64) -> Bool {
    if tryAcquire() { return true }
    if case .acquired = wait(deadline: deadline, mayFail: false) { return true }
    return false
  }

  /// Takes the lane, waiting for its turn, unless `event` happens first. No wait in a circle is given up for this one's
  /// sake: see `acquire(mayFail:)`.
  /// - Returns: whether the lane is now held by the calling thread.
  public func acquire(unless event: LaneEvent) -> Bool {
    if case .acquired = wait(deadline: nil, mayFail: false, unless: event) { return true }
    return false
  }

  /// Passes the lane to the next in line, or frees it.
  public func release() {
    disown()
    if word.compareExchange(expected: Word.held, desired: Word.free, ordering: .releasing).exchanged { return }
    let next: LaneWaiter? = line.withLock { line in
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

  /// Runs `body` in its turn, on the calling thread. See `acquire()`.
  public func withLane<Result>(_ body: () throws -> Result) rethrows -> Result {
    acquire()
    defer { release() }
    return try body()
  }

  // MARK: Waiting

  private func wait(deadline: UInt64?, mayFail: Bool, unless event: LaneEvent? = nil) -> Outcome {
    precondition(!isHeldByCurrentThread, "a lane was acquired by the thread that holds it: its owner was not asked")
    let wait = LaneWait(for: self, mayFail: mayFail, hasDeadline: deadline != nil)
    if let event, !event.wakes(wait.parker) { return .gaveUp }
    let isWatched = deadline == nil && wait.isInAnybodysWay
    if isWatched, let deadlock = LaneWaits.begin(wait) { return .deadlocked(deadlock) }
    // After `own`: a thread that is seen to wait for what it holds is known to wait no more.
    defer { if isWatched { LaneWaits.end(wait) } }
    guard let ticket = join(.thread(wait)) else {
      own()
      return .acquired
    }
    var deadline = deadline
    while !wait.isGranted {
      let isWoken = wait.parker.park(deadline: deadline)
      if wait.isGranted { break }
      // Who cannot leave any more has been handed the lane in the same moment, and is about to be told.
      if !isWoken {
        if leave(ticket) { return .gaveUp }
        deadline = nil
      } else if let event, event.hasHappened, leave(ticket) {
        return .gaveUp
      } else if let refusal = wait.refusal, leave(ticket) {
        return .deadlocked(refusal)
      }
    }
    own()
    return .acquired
  }

  private func takeIfFree() -> Bool {
    word.compareExchange(expected: Word.free, desired: Word.held, ordering: .acquiring).exchanged
  }

  /// Stands in line; nil when the lane became free meanwhile and now belongs to the caller.
  private func join(_ waiter: LaneWaiter) -> UInt64? {
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
  private func start(_ waiter: LaneWaiter) {
    switch waiter {
    case .thread(let wait):
      wait.grant()
    case .job(let job):
      pool.run { [self] in
        own()
        job()
        release()
      }
    }
  }
}

// MARK: What a thread holds

extension Lane {
  /// The lane that the calling thread took last, of those that it holds.
  static var innermostOfCurrentThread: Lane? {
    cplatform_thread_slot().pointee.map { Unmanaged<Lane>.fromOpaque($0).takeUnretainedValue() }
  }

  /// The lane that the holder had taken before this one. Asked by the holder, or while it waits.
  var below: Lane? { lower?.takeUnretainedValue() }

  /// Who holds it; nil when nobody does, or it is just being handed over.
  var holder: ThreadToken? {
    let holder = owner.load(ordering: .relaxed)
    return holder == 0 ? nil : ThreadToken(rawValue: holder)
  }

  /// The calling thread holds the lane from now on.
  private func own() {
    let slot = cplatform_thread_slot()
    lower = slot.pointee.map { Unmanaged.fromOpaque($0) }
    slot.pointee = Unmanaged.passUnretained(self).toOpaque()
    owner.store(UInt(bitPattern: slot), ordering: .relaxed)
  }

  private func disown() {
    let slot = cplatform_thread_slot()
    precondition(
      owner.load(ordering: .relaxed) == UInt(bitPattern: slot),
      "a lane was released by a thread that does not hold it"
    )
    owner.store(0, ordering: .relaxed)
    if slot.pointee == Unmanaged.passUnretained(self).toOpaque() {
      slot.pointee = lower?.toOpaque()
    } else {
      unlink()
    }
    lower = nil
  }

  /// Lanes are mostly released in the reverse order; this one is not.
  private func unlink() {
    var above = Self.innermostOfCurrentThread
    while let lane = above, lane.below !== self { above = lane.below }
    above?.lower = lower
  }
}
