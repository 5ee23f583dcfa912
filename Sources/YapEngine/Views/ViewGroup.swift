/// The pages of one group of a view, in order, each with its number of rows.
///
/// The list contains page numbers instead of references, so a copy of it is a copy of plain memory. It is divided into
/// spans of at most 256 pages, so that inserting a row into a group of a million rows copies little.
struct ViewGroup: Sendable {
  struct Slot: Sendable {
    let page: Int32
    var count: Int32
  }

  struct Span: Sendable {
    static let capacity = 256
    /// Each page of the span stores this number, which is used to find the page in the group.
    let number: Int32
    var count: Int
    var slots: [Slot]
  }

  /// The position of a page: the index of its span, and its index in the span.
  struct PageLocation: Equatable {
    var span: Int
    var slot: Int
  }

  let name: ByteString
  /// The number of rows in all pages.
  private(set) var count = 0
  private(set) var spans: [Span] = []
  private(set) var lastSpan: Int32 = 0
  /// The number of the state's change that changed the group last. Two versions of a group in the history of one state
  /// have equal numbers only if they have the same rows in the same order.
  var lastChange = 0

  var isEmpty: Bool { count == 0 }

  func slot(_ location: PageLocation) -> Slot { spans[location.span].slots[location.slot] }

  /// Returns the page that contains the row at an index, and the row's offset in the page. The group must have a row at
  /// the index.
  func page(ofIndex index: Int) -> (location: PageLocation, offset: Int) {
    var rest = index
    var span = 0
    while rest >= spans[span].count {
      rest -= spans[span].count
      span += 1
    }
    var slot = 0
    while rest >= Int(spans[span].slots[slot].count) {
      rest -= Int(spans[span].slots[slot].count)
      slot += 1
    }
    return (PageLocation(span: span, slot: slot), rest)
  }

  /// Returns the number of rows before a page.
  func firstIndex(of location: PageLocation) -> Int {
    let before = spans[..<location.span].reduce(0) { $0 + $1.count }
    return spans[location.span].slots[..<location.slot].reduce(before) { $0 + Int($1.count) }
  }

  func location(ofPage page: Int32, inSpan number: Int32) -> PageLocation {
    guard let span = spans.firstIndex(where: { $0.number == number }),
      let slot = spans[span].slots.firstIndex(where: { $0.page == page })
    else { preconditionFailure("page \(page) names span \(number), which does not have it") }
    return PageLocation(span: span, slot: slot)
  }

  func before(_ location: PageLocation) -> PageLocation? {
    if location.slot > 0 { return PageLocation(span: location.span, slot: location.slot - 1) }
    return location.span > 0
      ? PageLocation(span: location.span - 1, slot: spans[location.span - 1].slots.count - 1) : nil
  }

  func after(_ location: PageLocation) -> PageLocation? {
    if location.slot + 1 < spans[location.span].slots.count {
      return PageLocation(span: location.span, slot: location.slot + 1)
    }
    return location.span + 1 < spans.count ? PageLocation(span: location.span + 1, slot: 0) : nil
  }

  var last: PageLocation? {
    spans.last.map { PageLocation(span: spans.count - 1, slot: $0.slots.count - 1) }
  }

  // MARK: Changing

  /// Records that a page has gained rows, or has lost them if `rows` is negative.
  mutating func add(_ rows: Int, at location: PageLocation) {
    count += rows
    spans[location.span].count += rows
    spans[location.span].slots[location.slot].count += Int32(rows)
  }

  /// Inserts a page without rows after another page, or before all pages if `location` is nil.
  /// - Returns: The page's span; the pages that were moved to a new span, and that span, or nil if none were moved.
  mutating func insert(page: Int32, after location: PageLocation?) -> (
    span: Int32, moved: (pages: [Int32], span: Int32)?
  ) {
    let slot = Slot(page: page, count: 0)
    guard !spans.isEmpty else {
      lastSpan += 1
      spans = [Span(number: lastSpan, count: 0, slots: [slot])]
      return (lastSpan, nil)
    }
    let span = location?.span ?? 0
    let position = location.map { $0.slot + 1 } ?? 0
    spans[span].slots.insert(slot, at: position)
    guard spans[span].slots.count > Span.capacity else { return (spans[span].number, nil) }
    // A page is appended mostly because rows arrive in order. In this case the full span stays full.
    let isAtEnd = span == spans.count - 1 && position == Span.capacity
    let cut = isAtEnd ? Span.capacity : Span.capacity / 2
    let moved = Array(spans[span].slots[cut...])
    let movedRows = moved.reduce(0) { $0 + Int($1.count) }
    lastSpan += 1
    spans[span].slots.removeSubrange(cut...)
    spans[span].count -= movedRows
    spans.insert(Span(number: lastSpan, count: movedRows, slots: moved), at: span + 1)
    let home = position >= cut ? lastSpan : spans[span].number
    return (home, (moved.map(\.page), lastSpan))
  }

  /// Removes a page without rows.
  mutating func removePage(at location: PageLocation) {
    spans[location.span].slots.remove(at: location.slot)
    if spans[location.span].slots.isEmpty { spans.remove(at: location.span) }
  }
}

/// Consecutive rows of a group.
struct ViewPage: Sendable {
  /// The maximum number of rows. It is low, so that a change of one row copies little memory and writes a small blob.
  static let capacity = 50

  let group: ByteString
  /// The number of the span that contains the page.
  var span: Int32
  var rowids: [Int64]
  /// The first row as of this snapshot, as a search has read it; nil if none was kept.
  var landmark: Landmark?

  /// The first row of a page, kept in memory so that a search for a row's position reads few rows from the file.
  ///
  /// The row is decoded for this purpose only: of the client's code, only the view's sorting receives the instances.
  // Immutable; only the holder of the write lane reads it.
  final class Landmark: @unchecked Sendable {
    /// The maximum number of landmarks in one view, however many pages it has. The pages with which searches begin get
    /// their landmarks first.
    static let limit = 4_096

    let row: ViewedRow

    init(_ row: ViewedRow) { self.row = row }
  }
}
