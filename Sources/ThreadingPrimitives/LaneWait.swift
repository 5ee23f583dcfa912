internal import Synchronization

/// One thread that waits for a lane.
final class LaneWait: Sendable {
  private enum State {
    static let waiting: UInt8 = 0
    static let granted: UInt8 = 1
    static let refused: UInt8 = 2
  }

  let lane: Lane
  let thread: ThreadToken
  /// Whether the wait may end with an error.
  let mayFail: Bool
  /// Whether the wait has a deadline.
  let hasDeadline: Bool
  let parker = Parker()
  /// The most recently acquired lane of those that the thread holds. `below` leads from it to the others.
  private let innermost: Lane?
  private let state = Atomic<UInt8>(State.waiting)
  // Written once before `state` becomes refused, and read only afterwards.
  private nonisolated(unsafe) var deadlock: LaneDeadlock?

  /// Must be called by the thread that waits.
  init(for lane: Lane, mayFail: Bool, hasDeadline: Bool) {
    self.lane = lane
    self.mayFail = mayFail
    self.hasDeadline = hasDeadline
    thread = .current
    innermost = Lane.innermostOfCurrentThread
  }

  /// Whether the wait can be part of a deadlock: the thread holds a lane, so others may wait for this thread, and the
  /// wait does not end by itself.
  var isWatched: Bool { innermost != nil && !hasDeadline }

  /// The names of the lanes that the thread holds, in the order of acquisition. Valid only while the thread waits.
  var heldLanes: [String] {
    innermost.map { sequence(first: $0, next: \.below).map(\.name).reversed() } ?? []
  }

  /// Gives the lane to the thread, and wakes it.
  @inline(__always)
  func grant() {
    state.store(State.granted, ordering: .releasing)
    parker.unpark()
  }

  /// Makes the wait end with an error; the caller must wake the thread. A grant takes precedence.
  func refuse(_ deadlock: LaneDeadlock) {
    self.deadlock = deadlock
    _ = state.compareExchange(expected: State.waiting, desired: State.refused, ordering: .releasing)
  }

  var isGranted: Bool { state.load(ordering: .acquiring) == State.granted }
  var refusal: LaneDeadlock? { state.load(ordering: .acquiring) == State.refused ? deadlock : nil }
}

enum LaneWaiter: Sendable {
  case thread(LaneWait)
  /// A closure that a thread of the pool calls with the lane held.
  case job(LaneJob, WorkerPool.Share)

  var wait: LaneWait? {
    if case .thread(let wait) = self { return wait }
    return nil
  }
}

/// The waiters for a lane, in order. Each is identified by its ticket.
struct LaneQueue: Sendable {
  private var entries = TicketLine<LaneWaiter>()
  /// The waiters behind all `entries`, even behind those that are added later.
  private var last = TicketLine<LaneWaiter>()
  private var lastTicket: UInt64 = 0

  /// The number of waiters that have a deadline.
  private(set) var deadlineCount = 0
  private var watchedCount = 0

  var count: Int { entries.count + last.count }
  var isEmpty: Bool { count == 0 }

  /// The waits that can be part of a deadlock.
  var watched: [LaneWait] {
    watchedCount == 0 ? [] : (entries.elements + last.elements).compactMap(\.wait).filter(\.isWatched)
  }

  /// - Parameter isLast: Whether later waiters are served before this one, unless they are last too.
  mutating func append(_ waiter: LaneWaiter, behindAll isLast: Bool) -> UInt64 {
    lastTicket += 1
    if isLast { last.append(waiter, ticket: lastTicket) } else { entries.append(waiter, ticket: lastTicket) }
    count(waiter, 1)
    return lastTicket
  }

  private mutating func count(_ waiter: LaneWaiter, _ change: Int) {
    guard let wait = waiter.wait else { return }
    if wait.hasDeadline { deadlineCount += change }
    if wait.isWatched { watchedCount += change }
  }

  mutating func removeFirst() -> LaneWaiter? {
    guard let waiter = entries.removeFirst() ?? last.removeFirst() else { return nil }
    count(waiter, -1)
    return waiter
  }

  mutating func remove(_ ticket: UInt64) -> Bool {
    let removed = last.remove { own, _ in own == ticket } ?? entries.remove { own, _ in own == ticket }
    guard let waiter = removed else { return false }
    count(waiter, -1)
    return true
  }
}

/// An event that happens once. Threads that wait for a lane and for the event stop waiting when it happens, even if it
/// is not their turn.
public final class LaneEvent: Sendable {
  private struct State {
    var hasHappened = false
    var waiting: [Parker] = []
  }

  private let state = Guarded(State())

  public init() {}

  public var hasHappened: Bool { state.withLock { $0.hasHappened } }

  /// Makes the event happen. Writes before this call are visible to every thread that observes `hasHappened`.
  public func happen() {
    let waiting = state.withLock { state in
      state.hasHappened = true
      return exchange(&state.waiting, with: [])
    }
    for parker in waiting { parker.unpark() }
  }

  /// Registers `parker`, which is woken when the event happens.
  /// - Returns: false if the event has already happened; `parker` is then not registered.
  func register(_ parker: Parker) -> Bool {
    state.withLock { state in
      if !state.hasHappened { state.waiting.append(parker) }
      return !state.hasHappened
    }
  }
}
