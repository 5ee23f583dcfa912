/// The contents of a view at one snapshot: the rows of each group, in order. A value; every commit that changes the
/// view carries a version of it, and versions share the parts that no change has copied.
///
/// The rows of a group are stored on pages of at most 50 rows, and a map contains the page of each row. Rows are found
/// by index, and indexes by rowid. A change usually copies a few small nodes and one page.
///
/// SQLite reuses rowids. In a state, a rowid identifies the row that has it at this snapshot. A comparison of two
/// snapshots cannot conclude from equal rowids that the rows are the same.
struct ViewState: Sendable {
  typealias PageLocation = ViewGroup.PageLocation

  /// The number of rows in all groups.
  private(set) var count = 0
  private(set) var groupCount = 0
  /// The pages whose rows or previous page have changed since the state was last stored, including removed pages.
  private(set) var unstored: Set<Int32> = []

  /// The page of each row; -1 for a row that is left out because the handler of undecodable values skips it; 0 for
  /// other rows that the view does not contain.
  private var pageOfRow = RadixMap<Int32>(absent: 0)
  private var pages = RadixMap<Boxed<ViewPage>?>(absent: nil)
  /// The groups by the low 20 bits of the hash of their names.
  private var groups = RadixMap<[ViewGroup]>(absent: [])
  private var landmarkCount = 0
  private var freePages: [Int32] = []
  private var lastPage: Int32 = 0
  /// The number of changes of groups so far; see `ViewGroup.lastChange`.
  private var changeCount = 0

  // MARK: Questions

  func group(named name: ByteString) -> ViewGroup? {
    groups[Self.slot(ofGroup: name)].first { $0.name == name }
  }

  /// The names of all groups, in no particular order.
  var groupNames: [ByteString] {
    var names: [ByteString] = []
    groups.forEach { names += $0.map(\.name) }
    return names
  }

  func group(ofRow rowid: Int64) -> ByteString? {
    page(ofRow: rowid).flatMap { pages[UInt64($0)]?.value.group }
  }

  /// Returns the group and index of a row; nil if the view does not contain it.
  func position(ofRow rowid: Int64) -> (group: ByteString, index: Int)? {
    guard let location = location(ofRow: rowid) else { return nil }
    return (location.group.name, location.group.firstIndex(of: location.page) + location.offset)
  }

  /// Returns the row at an index; nil if the index is out of range.
  func rowid(at index: Int, inGroup name: ByteString) -> Int64? {
    guard let group = group(named: name), index >= 0, index < group.count else { return nil }
    return rowid(at: index, in: group)
  }

  /// Returns the row at an index. The group must be one of this state, and the index must be in range.
  func rowid(at index: Int, in group: ViewGroup) -> Int64 {
    let (location, offset) = group.page(ofIndex: index)
    return rowids(at: location, in: group)[offset]
  }

  /// The rows of one page.
  func rowids(at location: PageLocation, in group: ViewGroup) -> [Int64] {
    guard let rowids = pages[UInt64(group.slot(location).page)]?.value.rowids else {
      preconditionFailure("group \"\(group.name.text)\" names a page that does not exist")
    }
    return rowids
  }

  /// The rows of a group, in order.
  func rowids(inGroup name: ByteString) -> [Int64] {
    guard let group = group(named: name) else { return [] }
    var rowids: [Int64] = []
    rowids.reserveCapacity(group.count)
    for span in group.spans { for slot in span.slots { rowids += pages[UInt64(slot.page)]?.value.rowids ?? [] } }
    return rowids
  }

  /// Returns a page, and the number of the previous page in its group or 0 if it is the first; nil if there is no page
  /// with this number.
  func storedForm(ofPage number: Int32) -> (page: ViewPage, previous: Int32)? {
    guard let page = pages[UInt64(number)]?.value, let group = group(named: page.group) else { return nil }
    let location = group.location(ofPage: number, inSpan: page.span)
    return (page, group.before(location).map { group.slot($0).page } ?? 0)
  }

  /// Returns the landmark of a page, if it has one.
  func landmark(at location: PageLocation, in group: ViewGroup) -> ViewPage.Landmark? {
    pages[UInt64(group.slot(location).page)]?.value.landmark
  }

  private func page(ofRow rowid: Int64) -> Int32? {
    let number = pageOfRow[UInt64(bitPattern: rowid)]
    return number > 0 ? number : nil
  }

  /// Whether the view does not contain the row because the handler of undecodable values left it out.
  func isLeftOut(_ rowid: Int64) -> Bool { pageOfRow[UInt64(bitPattern: rowid)] == Self.leftOut }

  private static let leftOut: Int32 = -1

  private func location(ofRow rowid: Int64) -> (group: ViewGroup, page: PageLocation, offset: Int)? {
    guard let number = page(ofRow: rowid) else { return nil }
    guard let page = pages[UInt64(number)]?.value, let group = group(named: page.group),
      let offset = page.rowids.firstIndex(of: rowid)
    else { preconditionFailure("row \(rowid) is not on page \(number), which the index names") }
    return (group, group.location(ofPage: number, inSpan: page.span), offset)
  }

  private static func slot(ofGroup name: ByteString) -> UInt64 {
    UInt64(UInt(bitPattern: name.hashValue)) & 0xf_ffff
  }

  // MARK: Landmarks. A page keeps its landmark at most until its first row changes or another row becomes the first.

  mutating func keepLandmark(_ row: ViewedRow) {
    guard landmarkCount < ViewPage.Landmark.limit, let number = page(ofRow: row.rowid),
      let page = pages[UInt64(number)]?.value, page.rowids.first == row.rowid, page.landmark == nil
    else { return }
    pages[UInt64(number)]?.value.landmark = ViewPage.Landmark(row)
    landmarkCount += 1
  }

  /// Drops the landmark of a row that has changed.
  mutating func dropLandmark(ofRow rowid: Int64) {
    if let number = page(ofRow: rowid), pages[UInt64(number)]?.value.rowids.first == rowid {
      dropLandmark(ofPage: number)
    }
  }

  private mutating func dropLandmark(ofPage number: Int32) {
    guard pages[UInt64(number)]?.value.landmark != nil else { return }
    pages[UInt64(number)]?.value.landmark = nil
    landmarkCount -= 1
  }

  // MARK: Changing

  mutating func noteStored() { unstored = [] }

  /// Records that all stored pages have been adopted: unused page numbers become free, and no page has to be stored.
  mutating func noteLoaded() {
    freePages = lastPage > 0 ? (1...lastPage).filter { pages[UInt64($0)] == nil } : []
    unstored = []
  }

  mutating func removeAll() {
    var empty = ViewState()
    empty.changeCount = changeCount
    // Pages that were removed before and are still stored are not numbered up to `lastPage`.
    empty.unstored = lastPage > 0 ? unstored.union(1...lastPage) : unstored
    self = empty
  }

  /// Records that the handler of undecodable values left a row out. The view must not contain the row. The record is
  /// kept in memory only.
  mutating func leaveOut(_ rowid: Int64) {
    precondition(page(ofRow: rowid) == nil, "row \(rowid) was left out of a view that contains it")
    pageOfRow[UInt64(bitPattern: rowid)] = Self.leftOut
  }

  /// Deletes the record that a row was left out, if there is one.
  mutating func readmit(_ rowid: Int64) {
    if isLeftOut(rowid) { pageOfRow[UInt64(bitPattern: rowid)] = 0 }
  }

  /// Inserts a row at an index. The view must not contain the row.
  mutating func insert(_ rowid: Int64, at index: Int, inGroup name: ByteString) {
    precondition(page(ofRow: rowid) == nil, "row \(rowid) was inserted into a view that contains it")
    let (location, offset) = room(at: index, inGroup: name)
    let number = withGroup(name) { group in
      group.add(1, at: location)
      return group.slot(location).page
    }
    if offset == 0 { dropLandmark(ofPage: number) }
    pages[UInt64(number)]?.value.rowids.insert(rowid, at: offset)
    pageOfRow[UInt64(bitPattern: rowid)] = number
    unstored.insert(number)
    count += 1
  }

  /// Appends rows to a group, in this order, on new pages. The view must not contain the rows.
  mutating func append(_ rowids: [Int64], toGroup name: ByteString) {
    // A fifth of each page stays free for rows that are inserted later.
    let size = ViewPage.capacity * 4 / 5
    for start in stride(from: 0, to: rowids.count, by: size) {
      let number = freePages.popLast() ?? lastPage + 1
      _ = adopt(Array(rowids[start..<min(start + size, rowids.count)]), as: number, inGroup: name)
    }
  }

  /// Appends a page with the given number and rows to a group.
  /// - Returns: false if there are no rows or more than a page can contain, if the number is not positive, or if a row
  ///   is already on a page. In the last case the state is incomplete and must not be used.
  mutating func adopt(_ rowids: [Int64], as number: Int32, inGroup name: ByteString) -> Bool {
    guard !rowids.isEmpty, rowids.count <= ViewPage.capacity, number > 0 else { return false }
    makePage(number, in: name, after: group(named: name)?.last)
    for rowid in rowids {
      guard page(ofRow: rowid) == nil else { return false }
      pageOfRow[UInt64(bitPattern: rowid)] = number
    }
    pages[UInt64(number)]?.value.rowids = rowids
    withGroup(name) { group in if let last = group.last { group.add(rowids.count, at: last) } }
    count += rowids.count
    return true
  }

  /// Removes a row.
  /// - Returns: The group and index that the row had; nil if the view does not contain it.
  @discardableResult
  mutating func remove(_ rowid: Int64) -> (group: ByteString, index: Int)? {
    // Do not keep the group: a second reference to it would make `withGroup` copy its spans.
    let found = location(ofRow: rowid).map { ($0.group.name, $0.page, $0.offset, $0.group.firstIndex(of: $0.page)) }
    guard let (name, location, offset, firstIndex) = found else { return nil }
    let number = pageOfRow[UInt64(bitPattern: rowid)]
    pageOfRow[UInt64(bitPattern: rowid)] = 0
    if offset == 0 { dropLandmark(ofPage: number) }
    pages[UInt64(number)]?.value.rowids.remove(at: offset)
    unstored.insert(number)
    withGroup(name) { $0.add(-1, at: location) }
    count -= 1
    tidy(name, location)
    return (name, firstIndex + offset)
  }

  /// Removes a group with all its rows.
  mutating func removeGroup(_ name: ByteString) {
    guard let group = group(named: name) else { return }
    for slot in group.spans.flatMap(\.slots) {
      dropLandmark(ofPage: slot.page)
      for rowid in pages[UInt64(slot.page)]?.value.rowids ?? [] { pageOfRow[UInt64(bitPattern: rowid)] = 0 }
      pages[UInt64(slot.page)] = nil
      freePages.append(slot.page)
      unstored.insert(slot.page)
    }
    count -= group.count
    groups[Self.slot(ofGroup: name)].removeAll { $0.name == name }
    groupCount -= 1
  }

  // MARK: Pages

  /// Returns the page and offset for a new row. Splits or adds a page if the page is full, and adds a missing group.
  private mutating func room(at index: Int, inGroup name: ByteString) -> (location: PageLocation, offset: Int) {
    guard let group = group(named: name), let last = group.last, let first = group.spans.first?.slots.first else {
      makePage(in: name, after: nil)
      return (PageLocation(span: 0, slot: 0), 0)
    }
    precondition(index >= 0 && index <= group.count, "index \(index) in a group of \(group.count) rows")
    let capacity = Int32(ViewPage.capacity)
    if index == group.count {
      // If rows are appended in order, the pages before the last stay full.
      guard group.slot(last).count >= capacity else { return (last, Int(group.slot(last).count)) }
      makePage(in: name, after: last)
      return (self.group(named: name)?.last ?? last, 0)
    }
    if index == 0, first.count >= capacity {
      makePage(in: name, after: nil)
      return (PageLocation(span: 0, slot: 0), 0)
    }
    let (location, offset) = group.page(ofIndex: index)
    guard group.slot(location).count >= capacity else { return (location, offset) }
    split(name, location)
    guard let (location, offset) = self.group(named: name)?.page(ofIndex: index) else { return (location, offset) }
    return (location, offset)
  }

  /// Moves the second half of a page to a new one.
  private mutating func split(_ name: ByteString, _ location: PageLocation) {
    guard let old = group(named: name)?.slot(location).page, let rowids = pages[UInt64(old)]?.value.rowids
    else { return }
    let half = rowids.count / 2
    let number = makePage(in: name, after: location)
    move(Array(rowids[half...]), from: old, to: number, at: 0)
  }

  /// Removes a page that has become empty, or merges a sparse page with a neighbour if both fit on one page.
  private mutating func tidy(_ name: ByteString, _ location: PageLocation) {
    guard let group = group(named: name) else { return }
    let slot = group.slot(location)
    if slot.count == 0 { return removePage(slot.page, at: location, of: name) }
    guard slot.count <= ViewPage.capacity / 4 else { return }
    let neighbours = [group.before(location).map { ($0, location) }, group.after(location).map { (location, $0) }]
    for case let (left, right)? in neighbours {
      let (kept, dropped) = (group.slot(left), group.slot(right))
      guard kept.count + dropped.count <= ViewPage.capacity * 3 / 4 else { continue }
      move(pages[UInt64(dropped.page)]?.value.rowids ?? [], from: dropped.page, to: kept.page, at: Int(kept.count))
      return removePage(dropped.page, at: right, of: name)
    }
  }

  /// Moves the last rows of a page, or all of its rows, to another page of the same group.
  private mutating func move(_ rowids: [Int64], from old: Int32, to new: Int32, at offset: Int) {
    for number in [old, new] { dropLandmark(ofPage: number) }
    pages[UInt64(old)]?.value.rowids.removeLast(rowids.count)
    pages[UInt64(new)]?.value.rowids.insert(contentsOf: rowids, at: offset)
    for rowid in rowids { pageOfRow[UInt64(bitPattern: rowid)] = new }
    for (number, change) in [(old, -rowids.count), (new, rowids.count)] {
      unstored.insert(number)
      guard let page = pages[UInt64(number)]?.value else { continue }
      withGroup(page.group) { $0.add(change, at: $0.location(ofPage: number, inSpan: page.span)) }
    }
  }

  /// Adds a page to a group after another page, or before all pages if `location` is nil. Adds the group if it is new.
  @discardableResult
  private mutating func makePage(in name: ByteString, after location: PageLocation?) -> Int32 {
    let number = freePages.popLast() ?? lastPage + 1
    makePage(number, in: name, after: location)
    return number
  }

  private mutating func makePage(_ number: Int32, in name: ByteString, after location: PageLocation?) {
    lastPage = max(lastPage, number)
    if group(named: name) == nil {
      groups[Self.slot(ofGroup: name)].append(ViewGroup(name: name))
      groupCount += 1
    }
    let (span, moved, follower) = withGroup(name) { group in
      let (span, moved) = group.insert(page: number, after: location)
      let follower = group.after(group.location(ofPage: number, inSpan: span)).map { group.slot($0).page }
      return (span, moved, follower)
    }
    pages[UInt64(number)] = Boxed(ViewPage(group: name, span: span, rowids: []))
    if let moved { for page in moved.pages { pages[UInt64(page)]?.value.span = moved.span } }
    unstored.insert(number)
    if let follower { unstored.insert(follower) }  // its previous page has changed
  }

  private mutating func removePage(_ number: Int32, at location: PageLocation, of name: ByteString) {
    let follower = withGroup(name) { group in
      let follower = group.after(location).map { group.slot($0).page }
      group.removePage(at: location)
      return follower
    }
    pages[UInt64(number)] = nil
    freePages.append(number)
    unstored.insert(number)
    if let follower { unstored.insert(follower) }
    guard group(named: name)?.isEmpty == true else { return }
    groups[Self.slot(ofGroup: name)].removeAll { $0.name == name }
    groupCount -= 1
  }

  /// Changes a group, which must exist.
  private mutating func withGroup<Result>(_ name: ByteString, _ change: (inout ViewGroup) -> Result) -> Result {
    let key = Self.slot(ofGroup: name)
    guard let index = groups[key].firstIndex(where: { $0.name == name }) else {
      preconditionFailure("group \"\(name.text)\" was changed, but does not exist")
    }
    changeCount += 1
    groups[key][index].lastChange = changeCount
    return change(&groups[key][index])
  }
}
