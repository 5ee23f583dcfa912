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
  /// Whether the wait gives up at a deadline.
  let hasDeadline: Bool
  let parker = Parker()
  /// The lane that the thread acquired last, of those that it holds meanwhile; it leads to the others.
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

  /// Whether the thread holds a lane. If not, no other thread can wait for it.
  var isInAnybodysWay: Bool { innermost != nil }

  /// The names of the lanes that the thread holds, in the order of acquisition. Valid only while the thread waits.
  var heldLanes: [String] {
    innermost.map { sequence(first: $0, next: \.below).map(\.name).reversed() } ?? []
  }

  /// Gives the lane to the thread, and wakes it.
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
