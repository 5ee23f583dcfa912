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
    /// The index of the member that must give up: the first that may fail, counted from the one that was about to wait.
    let victim: Int?
  }

  private var waits: [Thread: Wait] = [:]

  var isEmpty: Bool { waits.isEmpty }

  /// Records that `thread`, which runs, is about to wait.
  ///
  /// Afterwards it waits, unless it is the victim. If another thread is the victim, that thread no longer waits.
  /// - Parameters:
  ///   - holder: Returns the holder of the awaited thing; nil if there is none at this moment.
  ///   - mayFail: Whether a wait may end with an error.
  mutating func begin(
    _ thread: Thread,
    _ wait: Wait,
    holder: (Wait) -> Thread?,
    mayFail: (Wait) -> Bool
  ) -> Circle? {
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
