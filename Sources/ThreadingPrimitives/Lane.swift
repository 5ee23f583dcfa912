internal import CPlatform
internal import Synchronization

/// A job of a lane. The error is nil unless the system could not start a thread for it.
public typealias LaneJob = @Sendable (ThreadError?) -> Void

/// A serial lane: at most one holder, first come first served, for synchronous callers and queued jobs alike. Only the
/// waits of `acquire(unless:)` are behind all others.
///
/// Goals: one compare-and-swap if no thread waits; no sleep during a short hold, for which a thread waits before it
/// joins the line; strict first-in-first-out order in the line, because the holder hands the lane to the next without
/// freeing it; an owner that can be queried before anything blocks; an error instead of a hang if threads wait for each
/// other in a circle. Synchronous work runs on the caller's thread.
///
/// Non-goals: re-entry (query `isHeldByCurrentThread` and refuse it), priorities, shared holding.
public final class Lane: Sendable {
  private enum Word {
    static let free: UInt32 = 0
    static let held: UInt32 = 1
    static let heldWithWaiters: UInt32 = 2
  }

  /// The time after which a thread tries again to have the job started that holds the lane.
  private static let retryNanoseconds: UInt64 = 20_000_000

  /// The longest time for which a thread tests a held lane before it joins the line. Most holds are shorter, and
  /// falling asleep and waking up takes longer.
  private static let spinNanoseconds: UInt64 = 10_000

  /// The outcome of a wait.
  private enum Outcome {
    case acquired, gaveUp
    case deadlocked(LaneDeadlock)
  }

  /// The lane's name in errors.
  public let name: String

  /// A free lane has no waiters: while the line is not empty, a release hands the lane over instead of freeing it.
  private let word = Atomic<UInt32>(Word.free)
  private let owner = Atomic<UInt>(0)
  private let line = Guarded(LaneQueue())
  private let pool: WorkerPool
  /// The holder's next older lane in the order of acquisition; nil if this is the oldest. Held lanes stay alive.
  // Written only by the holder; read by others only while the holder is known to wait.
  private nonisolated(unsafe) var lower: Unmanaged<Lane>?

  /// - Parameters:
  ///   - name: The lane's name in errors.
  ///   - pool: Runs the queued jobs.
  public init(name: String, pool: WorkerPool) {
    self.name = name
    self.pool = pool
  }

  deinit {
    precondition(word.load(ordering: .relaxed) == Word.free, "the lane \"\(name)\" ended while a thread held it")
  }

  /// Whether the calling thread holds the lane. Only this thread can change the answer.
  public var isHeldByCurrentThread: Bool {
    owner.load(ordering: .relaxed) == ThreadToken.current.rawValue
  }

  /// Whether any thread or job holds the lane at this moment.
  public var isHeld: Bool { word.load(ordering: .acquiring) != Word.free }

  /// Whether the calling thread holds any lane.
  public static var isAnyHeldByCurrentThread: Bool { cplatform_thread_slot().pointee != nil }

  /// Whether the calling thread, which holds this lane, still holds a lane that it acquired earlier.
  public var isInsideAnother: Bool { lower != nil }

  /// The number of threads and jobs that wait.
  public var waiterCount: Int { line.withLock { $0.count } }

  /// The number of callers and jobs that hold the lane or wait for it. Waits with a deadline are not counted, because
  /// they wait for the lane to become idle and do not keep it busy.
  public var occupancy: Int {
    line.withLock { $0.count - $0.deadlineCount + (word.load(ordering: .relaxed) == Word.free ? 0 : 1) }
  }

  // MARK: Acquiring and releasing

  /// Acquires the lane if it is free, and returns whether it was.
  public func tryAcquire() -> Bool {
    guard takeIfFree() else { return false }
    own()
    return true
  }

  /// Acquires the lane, waiting for its turn.
  ///
  /// Threads that hold lanes and wait for each other's would block forever. The wait that closes such a circle detects
  /// it, and ends with an error if it may fail. Otherwise the next wait of the circle that may fail ends with an error.
  /// - Parameter mayFail: Whether this wait may end with an error. Evaluated only if the lane is not free. If no wait
  ///   of a circle may fail, the program is terminated with a message.
  /// - Precondition: The calling thread does not hold the lane.
  public func acquire(mayFail: @autoclosure () -> Bool) throws(LaneDeadlock) {
    if tryAcquire() || spin() { return }
    if case .deadlocked(let deadlock) = wait(deadline: nil, mayFail: mayFail()) { throw deadlock }
  }

  /// Acquires the lane, waiting for its turn. A thread that holds other lanes must not call this, unless their order is
  /// fixed.
  /// - Precondition: The calling thread does not hold the lane.
  public func acquire() {
    if tryAcquire() || spin() { return }
    _ = wait(deadline: nil, mayFail: false)
  }

  /// Acquires the lane, or gives up at the deadline. Such a wait ends by itself, so it cannot be part of a deadlock.
  /// - Parameter deadline: Nanoseconds of `MonotonicClock`.
  /// - Returns: Whether the calling thread now holds the lane.
  public func acquire(deadline: UInt64) -> Bool {
    if tryAcquire() { return true }
    if case .acquired = wait(deadline: deadline, mayFail: false) { return true }
    return false
  }

  /// Acquires the lane once no other thread or job waits for it, unless `event` has happened or happens first. Calls
  /// with other waits are served before this one, even if they are made later. This wait never fails with a deadlock:
  /// see `acquire(mayFail:)`.
  /// - Returns: Whether the calling thread now holds the lane.
  public func acquire(unless event: LaneEvent) -> Bool {
    if case .acquired = wait(deadline: nil, mayFail: false, unless: event, behindAll: true) { return true }
    return false
  }

  /// Acquires the lane, waiting for its turn, unless `event` has happened or happens first. See `acquire(mayFail:)`.
  /// - Returns: Whether the calling thread now holds the lane.
  public func acquire(mayFail: @autoclosure () -> Bool, unless event: LaneEvent) throws(LaneDeadlock) -> Bool {
    if tryAcquire() { return true }
    switch wait(deadline: nil, mayFail: mayFail(), unless: event) {
    case .acquired: return true
    case .gaveUp: return false
    case .deadlocked(let deadlock): throw deadlock
    }
  }

  /// Hands the lane to the next in line, or frees it.
  public func release() {
    if let next = passOn() { start(next) }
  }

  /// Frees the lane, or removes the next waiter from the line, which has the lane then.
  @inline(__always)
  private func passOn() -> LaneWaiter? {
    disown()
    if word.compareExchange(expected: Word.held, desired: Word.free, ordering: .releasing).exchanged { return nil }
    return line.withLock { line in
      guard let next = line.removeFirst() else {
        // The waiters have given up since the word was read.
        word.store(Word.free, ordering: .releasing)
        return nil
      }
      if line.isEmpty { word.store(Word.held, ordering: .releasing) }
      return next
    }
  }

  /// Queues a short job behind all current waiters, and returns immediately.
  ///
  /// The job runs with the lane held on a thread of the pool. If there is no thread, and the system cannot start one,
  /// it runs on the calling thread, or on the one that releases the lane.
  public func enqueue(_ job: @escaping @Sendable () -> Void) {
    enqueue(occupying: .all) { _ in job() }
  }

  /// Queues a call of a client behind all current waiters, and returns immediately.
  /// - Parameters:
  ///   - share: The share of the pool's threads that calls of this kind may occupy.
  ///   - call: Runs with the lane held on a thread of the pool. If there is no thread, and the system cannot start one,
  ///     it gets the error, which it reports without blocking.
  public func enqueue(occupying share: WorkerPool.Share, _ call: @escaping LaneJob) {
    if takeIfFree() || join(.job(call, share)) == nil { start(.job(call, share)) }
  }

  /// Runs `body` on the calling thread with the lane held. See `acquire()`.
  public func withLane<Result>(_ body: () throws -> Result) rethrows -> Result {
    acquire()
    defer { release() }
    return try body()
  }

  // MARK: Waiting

  private func wait(
    deadline: UInt64?,
    mayFail: Bool,
    unless event: LaneEvent? = nil,
    behindAll isLast: Bool = false
  ) -> Outcome {
    precondition(!isHeldByCurrentThread, "a lane was acquired by the thread that already holds it")
    let wait = LaneWait(for: self, mayFail: mayFail, hasDeadline: deadline != nil)
    if let event, !event.register(wait.parker) { return .gaveUp }
    if wait.isWatched, let deadlock = LaneWaits.begin(wait) { return .deadlocked(deadlock) }
    // Runs after `own`. A thread that appears to wait for a lane that it holds is therefore known not to wait any more.
    defer { if wait.isWatched { LaneWaits.end(wait) } }
    guard let ticket = join(.thread(wait), behindAll: isLast) else {
      own()
      return .acquired
    }
    var deadline = deadline
    while !wait.isGranted {
      // A lane that no thread holds may belong to a job that waits for a thread, and so perhaps for this one. When a
      // job is granted the lane later, `start` wakes this thread.
      let isStarted = !wait.isWatched || holder != nil || pool.hurry(ObjectIdentifier(self))
      let isWoken = wait.parker.park(deadline: isStarted ? deadline : MonotonicClock.now + Self.retryNanoseconds)
      if wait.isGranted { break }
      if !isStarted && !isWoken { continue }
      // If the thread cannot leave the line, it has just been handed the lane and is about to be woken.
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

  /// Waits for a short time without sleeping, as long as no other thread or job is in the line.
  ///
  /// A thread that sleeps is handed the lane long before it runs, so that the next thread has to sleep as well. Of two
  /// threads that read single rows on two connections in turn, this took four fifths of the time.
  /// - Returns: Whether the calling thread now holds the lane.
  @inline(never)
  private func spin() -> Bool {
    let end = MonotonicClock.now + Self.spinNanoseconds
    repeat {
      for _ in 0..<16 {
        switch word.load(ordering: .relaxed) {
        case Word.free: if tryAcquire() { return true }
        case Word.held: cplatform_pause()
        default: return false
        }
      }
    } while MonotonicClock.now < end
    return false
  }

  private func takeIfFree() -> Bool {
    word.compareExchange(expected: Word.free, desired: Word.held, ordering: .acquiring).exchanged
  }

  /// Appends a waiter to the line; returns nil if the lane has become free and now belongs to the caller.
  /// - Parameter isLast: Whether later waiters are served before this one, unless they are last too.
  private func join(_ waiter: LaneWaiter, behindAll isLast: Bool = false) -> UInt64? {
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
          if marked { return line.append(waiter, behindAll: isLast) }
        default:
          return line.append(waiter, behindAll: isLast)
        }
      }
    }
  }

  /// Removes a waiter from the line; returns false if the lane was already handed to it.
  private func leave(_ ticket: UInt64) -> Bool {
    line.withLock { line in
      guard line.remove(ticket) else { return false }
      if line.isEmpty { word.store(Word.held, ordering: .relaxed) }
      return true
    }
  }

  /// Hands the lane, which the caller holds, to `waiter`.
  private func start(_ waiter: LaneWaiter) {
    var next: LaneWaiter? = waiter
    // A loop, because any number of jobs may be refused one after the other.
    while let waiter = next {
      next = nil
      switch waiter {
      case .thread(let wait): wait.grant()
      case .job(let job, let share):
        let run: LaneJob = { [self] error in
          own()
          job(error)
          release()
        }
        switch pool.submit(WorkerPool.Job(lane: ObjectIdentifier(self), share: share, body: run)) {
        case .started: break
        // These threads have the pool start the job.
        case .queued: for wait in line.withLock({ $0.watched }) { wait.parker.unpark() }
        case .refused(let error):
          own()
          job(error)
          next = passOn()
        }
      }
    }
  }
}

// MARK: Lanes that a thread holds

extension Lane {
  /// The most recently acquired lane of those that the calling thread holds.
  static var innermostOfCurrentThread: Lane? {
    cplatform_thread_slot().pointee.map { Unmanaged<Lane>.fromOpaque($0).takeUnretainedValue() }
  }

  /// The holder's next older lane; nil if this is the oldest. May be read by the holder, or while the holder waits.
  var below: Lane? { lower?.takeUnretainedValue() }

  /// The thread that holds the lane; nil if none does, or while the lane is being handed over.
  var holder: ThreadToken? {
    let holder = owner.load(ordering: .relaxed)
    return holder == 0 ? nil : ThreadToken(rawValue: holder)
  }

  /// Makes the calling thread the owner of the lane.
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

  /// Removes the lane from the middle of the list of held lanes. Needed if lanes are not released in the reverse order.
  private func unlink() {
    var above = Self.innermostOfCurrentThread
    while let lane = above, lane.below !== self { above = lane.below }
    above?.lower = lower
  }
}
