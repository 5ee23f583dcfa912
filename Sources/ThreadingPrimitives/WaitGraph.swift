/// Who waits for whom, and whether one more wait would close a circle. A pure state machine.
///
/// A thread waits for one thing at a time, and a thing has one holder: so from each thread at most one edge leads on,
/// and a circle is found by walking until the walk ends or comes back. A thread that runs has no edge.
///
/// Only a wait can close a circle: whatever is let go is handed to a thread that runs from then on. Therefore each
/// `begin` looks, and nobody else has to.
struct WaitGraph<Thread: Hashable, Wait> {
  struct Circle {
    /// Each waits for what the next holds, the last for what the first holds. The first was about to wait.
    let members: [(thread: Thread, wait: Wait)]
    /// Which of them has to give up: the first that may, counted from the one that was about to wait.
    let victim: Int?
  }

  private var waits: [Thread: Wait] = [:]

  var isEmpty: Bool { waits.isEmpty }

  /// `thread`, which runs, is about to wait.
  ///
  /// Afterwards it waits, unless it is the victim itself; another one that is the victim no longer does.
  /// - Parameters:
  ///   - holder: who holds what a wait is for; nil when nobody does at this moment.
  ///   - mayFail: whether a wait may be ended with an error.
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

  /// The thread has what it waited for, or has given up.
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
      // It holds what it has waited for and is about to say so.
      if next == current { return nil }
      members.append((current, wait))
      current = next
    }
    return Circle(members: members, victim: members.firstIndex { mayFail($0.wait) })
  }
}
