/// Elements in the order in which they are removed. Each has a ticket.
struct TicketLine<Element: Sendable>: Sendable {
  private var entries: [(ticket: UInt64, element: Element?)] = []
  private var first = 0

  var count: Int { entries.count - first }
  var firstTicket: UInt64? { first < entries.count ? entries[first].ticket : nil }
  var elements: [Element] { entries[first...].compactMap(\.element) }

  mutating func append(_ element: Element, ticket: UInt64) { entries.append((ticket, element)) }

  mutating func insertFirst(_ element: Element) { entries.insert((0, element), at: first) }

  mutating func removeFirst() -> Element? {
    guard first < entries.count else { return nil }
    // The line must not keep the element alive.
    let element = entries[first].element.take()
    first += 1
    // Moving the rest down only when half of the entries are consumed keeps the cost constant per element.
    if first * 2 >= entries.count {
      entries.removeFirst(first)
      first = 0
    }
    return element
  }

  /// Removes the first element that fulfils a condition; returns nil if there is none.
  mutating func remove(where fulfils: (_ ticket: UInt64, Element) -> Bool) -> Element? {
    let index = entries[first...].firstIndex { ticket, element in element.map { fulfils(ticket, $0) } ?? false }
    return index.flatMap { entries.remove(at: $0).element }
  }
}
