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
  /// Whether it may be ended with an error.
  let mayFail: Bool
  /// Whether it gives up at a deadline.
  let hasDeadline: Bool
  let parker = Parker()
  /// What the thread holds meanwhile; the last one taken, which leads to the others.
  private let innermost: Lane?
  private let state = Atomic<UInt8>(State.waiting)
  // Written once before `state` says refused, and read after.
  private nonisolated(unsafe) var deadlock: LaneDeadlock?

  /// Made by the thread that waits.
  init(for lane: Lane, mayFail: Bool, hasDeadline: Bool) {
    self.lane = lane
    self.mayFail = mayFail
    self.hasDeadline = hasDeadline
    thread = .current
    innermost = Lane.innermostOfCurrentThread
  }

  /// Who holds nothing is in nobody's way, and nobody waits for it.
  var isInAnybodysWay: Bool { innermost != nil }

  /// The names of the lanes that the thread holds, the first taken first. Asked only while it waits.
  var heldLanes: [String] {
    innermost.map { sequence(first: $0, next: \.below).map(\.name).reversed() } ?? []
  }

  /// The lane is the thread's.
  func grant() {
    state.store(State.granted, ordering: .releasing)
    parker.unpark()
  }

  /// The thread is to give up; whoever says so unparks it. A grant that comes nevertheless counts more.
  func refuse(_ deadlock: LaneDeadlock) {
    self.deadlock = deadlock
    _ = state.compareExchange(expected: State.waiting, desired: State.refused, ordering: .releasing)
  }

  var isGranted: Bool { state.load(ordering: .acquiring) == State.granted }
  var refusal: LaneDeadlock? { state.load(ordering: .acquiring) == State.refused ? deadlock : nil }
}
