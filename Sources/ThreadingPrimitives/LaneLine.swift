enum LaneWaiter: Sendable {
  case thread(LaneWait)
  case job(@Sendable () -> Void)

  var hasDeadline: Bool {
    if case .thread(let wait) = self { return wait.hasDeadline }
    return false
  }
}

/// The waiters for a lane, in order. An entry is identified by its ticket.
struct LaneLine: Sendable {
  private var entries: [(ticket: UInt64, waiter: LaneWaiter)] = []
  private var first = 0
  private var lastTicket: UInt64 = 0

  /// The number of waiters that give up at a deadline.
  private(set) var deadlineCount = 0

  var count: Int { entries.count - first }
  var isEmpty: Bool { count == 0 }

  mutating func append(_ waiter: LaneWaiter) -> UInt64 {
    lastTicket += 1
    entries.append((lastTicket, waiter))
    if waiter.hasDeadline { deadlineCount += 1 }
    return lastTicket
  }

  mutating func removeFirst() -> LaneWaiter {
    let waiter = entries[first].waiter
    if waiter.hasDeadline { deadlineCount -= 1 }
    entries[first].waiter = .job({})  // releases the closure's captures
    first += 1
    // Moving the rest down only when half of the entries are consumed keeps the cost constant per waiter.
    if first * 2 >= entries.count {
      entries.removeFirst(first)
      first = 0
    }
    return waiter
  }

  mutating func remove(_ ticket: UInt64) -> Bool {
    guard let index = entries[first...].firstIndex(where: { $0.ticket == ticket }) else { return false }
    if entries.remove(at: index).waiter.hasDeadline { deadlineCount -= 1 }
    return true
  }
}
