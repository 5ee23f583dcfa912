/// A deadlock: threads hold lanes and wait for each other's, so the wait for a lane would never have ended.
public struct LaneDeadlock: Error, CustomStringConvertible {
  /// One of the threads: the lanes that it holds, in the order of acquisition, and the lane that it waits for.
  public struct Member: Sendable {
    public let held: [String]
    public let awaited: String
  }

  /// The threads in order: each waits for a lane that the next holds, and the last for one that the first holds. The
  /// first is the victim.
  public let members: [Member]

  public var description: String {
    members.map { "\($0.held.joined(separator: " with ")) waits for \($0.awaited)" }.joined(separator: ", ")
  }
}

/// The graph of all threads of the process that hold lanes and wait for others, for all databases.
enum LaneWaits {
  private static let graph = Guarded(WaitGraph<ThreadToken, LaneWait>())

  /// - Returns: The circle that the wait would close, if this wait is the victim; nil if it may begin. If the victim is
  ///   the wait of another thread, this call has woken that thread.
  static func begin(_ wait: LaneWait) -> LaneDeadlock? {
    let (own, victim): (LaneDeadlock?, LaneWait?) = graph.withLock { graph in
      let circle = graph.begin(wait.thread, wait, holder: \.lane.holder, mayFail: \.mayFail)
      guard let circle else { return (nil, nil) }
      guard let victim = circle.victim else {
        preconditionFailure("lanes deadlock, and no waiter can be refused: \(deadlock(circle.members, first: 0))")
      }
      // All members wait, so the lanes that they hold do not change.
      let deadlock = deadlock(circle.members, first: victim)
      if victim == 0 { return (deadlock, nil) }
      circle.members[victim].wait.refuse(deadlock)
      return (nil, circle.members[victim].wait)
    }
    victim?.parker.unpark()
    return own
  }

  static func end(_ wait: LaneWait) {
    graph.withLock { $0.end(wait.thread) }
  }

  private static func deadlock(_ members: [(thread: ThreadToken, wait: LaneWait)], first: Int) -> LaneDeadlock {
    LaneDeadlock(
      members: (members[first...] + members[..<first]).map { member in
        LaneDeadlock.Member(held: member.wait.heldLanes, awaited: member.wait.lane.name)
      }
    )
  }
}

/// The waits between threads. Detects that one more wait would close a circle. A pure state machine.
///
/// A thread waits for one thing at a time, and a thing has one holder, so each thread has at most one outgoing edge. A
/// circle is found by following the edges until they end or return to the start. A running thread has no edge.
///
/// Only a new wait can close a circle, because anything that is released is handed to a thread that runs from then on.
/// Therefore it suffices that each `begin` checks.
struct WaitGraph<Thread: Hashable, Wait> {
  struct Circle {
    /// Each member waits for something that the next holds, and the last for something that the first holds. The first
    /// was about to wait.
    let members: [(thread: Thread, wait: Wait)]
    /// The index of the member that must give up: the first whose wait may fail; nil if none may.
    let victim: Int?
  }

  private var waits: [Thread: Wait] = [:]

  var isEmpty: Bool { waits.isEmpty }

  /// Records that `thread`, which runs, is about to wait. Returns the circle that this closes; nil without a circle.
  ///
  /// Afterwards `thread` counts as waiting, unless it is the victim. A victim that is another thread no longer does.
  /// - Parameters:
  ///   - holder: Returns the holder of the awaited thing; nil if there is none at this moment.
  ///   - mayFail: Whether a wait may end with an error.
  mutating func begin(_ thread: Thread, _ wait: Wait, holder: (Wait) -> Thread?, mayFail: (Wait) -> Bool) -> Circle? {
    guard let circle = circle(closedBy: thread, wait, holder: holder, mayFail: mayFail) else {
      waits[thread] = wait
      return nil
    }
    if circle.victim == 0 { return circle }
    if let victim = circle.victim { waits[circle.members[victim].thread] = nil }
    waits[thread] = wait
    return circle
  }

  /// Records that the thread has acquired the awaited thing, or has given up.
  mutating func end(_ thread: Thread) {
    waits[thread] = nil
  }

  private func circle(
    closedBy thread: Thread,
    _ wait: Wait,
    holder: (Wait) -> Thread?,
    mayFail: (Wait) -> Bool
  ) -> Circle? {
    guard var current = holder(wait), waits[current] != nil else { return nil }
    var members = [(thread: thread, wait: wait)]
    while current != thread {
      guard let wait = waits[current], let next = holder(wait) else { return nil }
      // The thread holds the awaited thing already and is about to call `end`.
      if next == current { return nil }
      members.append((current, wait))
      current = next
    }
    return Circle(members: members, victim: members.firstIndex { mayFail($0.wait) })
  }
}
