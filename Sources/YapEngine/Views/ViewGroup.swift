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
  struct PagePlace: Equatable {
    var span: Int
    var slot: Int
  }

  let name: ByteString
  /// The number of rows in all pages.
  private(set) var count = 0
  private(set) var spans: [Span] = []
  private var lastSpan: Int32 = 0

  init(name: ByteString) {
    self.name = name
  }

  var isEmpty: Bool { count == 0 }

  func slot(_ place: PagePlace) -> Slot { spans[place.span].slots[place.slot] }

  /// Returns the page that contains the row at an index, and the row's offset in the page. The group must have a row at
  /// the index.
  func page(ofIndex index: Int) -> (place: PagePlace, offset: Int) {
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
    return (PagePlace(span: span, slot: slot), rest)
  }

  /// Returns the number of rows before a page.
  func firstIndex(of place: PagePlace) -> Int {
    let before = spans[..<place.span].reduce(0) { $0 + $1.count }
    return spans[place.span].slots[..<place.slot].reduce(before) { $0 + Int($1.count) }
  }

  func place(ofPage page: Int32, inSpan number: Int32) -> PagePlace {
    guard let span = spans.firstIndex(where: { $0.number == number }),
      let slot = spans[span].slots.firstIndex(where: { $0.page == page })
    else { preconditionFailure("page \(page) names span \(number), which does not have it") }
    return PagePlace(span: span, slot: slot)
  }

  func before(_ place: PagePlace) -> PagePlace? {
    if place.slot > 0 { return PagePlace(span: place.span, slot: place.slot - 1) }
    return place.span > 0 ? PagePlace(span: place.span - 1, slot: spans[place.span - 1].slots.count - 1) : nil
  }

  func after(_ place: PagePlace) -> PagePlace? {
    if place.slot + 1 < spans[place.span].slots.count { return PagePlace(span: place.span, slot: place.slot + 1) }
    return place.span + 1 < spans.count ? PagePlace(span: place.span + 1, slot: 0) : nil
  }

  var last: PagePlace? {
    spans.last.map { PagePlace(span: spans.count - 1, slot: $0.slots.count - 1) }
  }

  // MARK: Changing

  /// Records that a page has gained rows, or has lost them if `rows` is negative.
  mutating func add(_ rows: Int, at place: PagePlace) {
    count += rows
    spans[place.span].count += rows
    spans[place.span].slots[place.slot].count += Int32(rows)
  }

  /// Inserts a page without rows after another page, or before all pages if `place` is nil.
  /// - Returns: The number of the page's span, and the pages whose span has changed.
  mutating func insert(page: Int32, after place: PagePlace?) -> (span: Int32, moved: (pages: [Int32], span: Int32)?) {
    let slot = Slot(page: page, count: 0)
    guard !spans.isEmpty else {
      lastSpan += 1
      spans = [Span(number: lastSpan, count: 0, slots: [slot])]
      return (lastSpan, nil)
    }
    let span = place?.span ?? 0
    let position = place.map { $0.slot + 1 } ?? 0
    spans[span].slots.insert(slot, at: position)
    guard spans[span].slots.count > Span.capacity else { return (spans[span].number, nil) }
    // Pages are appended mostly because rows arrive in order. Then the full span is left full.
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
  mutating func removePage(at place: PagePlace) {
    spans[place.span].slots.remove(at: place.slot)
    if spans[place.span].slots.isEmpty { spans.remove(at: place.span) }
  }
}
