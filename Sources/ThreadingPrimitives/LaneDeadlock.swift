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

  /// - Returns: The circle that the wait would close, if this wait is the victim. If the victim is another thread's
  ///   wait, that thread is woken, and this one may wait.
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
