internal import Foundation

/// Keeps one view up to date while a read-write transaction changes rows.
///
/// The closures of the view may read the view itself. Therefore none of them is called while the state is being
/// changed: the position of a row is determined first, then the row is inserted.
final class ViewUpkeep {
  let name: ByteString
  private(set) var view: YapDatabaseView
  /// The number under which the view is stored; nil for a view in memory.
  let number: Int64?
  private unowned let transaction: YapDatabaseReadWriteTransaction
  private(set) var state: ViewState
  private(set) var changes = ViewChanges()

  init(_ registered: ExtensionStates.Registered, in transaction: YapDatabaseReadWriteTransaction, isNew: Bool = false) {
    name = registered.name
    view = registered.view
    number = registered.number
    state = registered.state
    self.transaction = transaction
    if isNew { changes.noteRegistration(state) }
  }

  var registered: ExtensionStates.Registered {
    ExtensionStates.Registered(name: name, view: view, number: number, state: state)
  }

  // MARK: Rows

  /// Updates the view after a row was stored, changed or touched.
  /// - Returns: The other rows that were removed, because the handler of undecodable values skips them.
  func didStore(_ row: ViewedRow, _ change: KeyChange) throws -> [SkippedRow] {
    guard view.allowed.contains(row.collection) else { return [] }
    let before = location(ofRow: row.rowid)
    // A row that was left out has no group, so any change of it calls the grouping.
    let regroups = view.grouping.invoke.isInvoked(after: change) || state.isLeftOut(row.rowid)
    let resorts = view.sorting.invoke.isInvoked(after: change)
    guard before != nil || regroups else { return [] }
    if before != nil { state.dropLandmark(ofRow: row.rowid) }
    let row = regroups || resorts ? try transaction.completed(row, view.parts) : row
    var group = before?.group
    if row.isSkipped {
      group = nil
    } else if regroups {
      group = try view.grouping.group(transaction, row).map { ByteString($0) }
    }
    state.readmit(row.rowid)
    var skipped: [SkippedRow] = []
    if let group {
      skipped = try put(row, into: group, isInGroup: group == before?.group, resorts: resorts)
    } else if before != nil {
      remove(row.rowid)
    }
    if row.isSkipped { state.leaveOut(row.rowid) }
    changes.note(change, of: row.row, before: before, after: location(ofRow: row.rowid))
    return skipped
  }

  /// The error that is thrown if a comparison reads a row of the view that the handler of undecodable values skips.
  struct SkippedRow: Error {
    fileprivate let rowid: Int64
    fileprivate let row: RowKey
  }

  /// Moves a row to its position in a group. If a comparison reads a skipped row, that row is removed from the view: it
  /// was readable when it entered the view or when the view was stored, but no row can be compared with it now.
  /// - Returns: The removed rows.
  private func put(
    _ row: ViewedRow,
    into group: ByteString,
    isInGroup: Bool,
    resorts: Bool
  ) throws -> [SkippedRow] {
    var removed: [SkippedRow] = []
    while true {
      do {
        let keepsPosition = try isInGroup && (!resorts || isInOrder(row, in: group))
        if !keepsPosition { try move(row, to: group) }
        return removed
      } catch let skipped as SkippedRow {
        leaveOut(skipped)
        removed.append(skipped)
      }
    }
  }

  /// Removes a row that cannot be decoded, and leaves it out until it is stored or touched.
  func leaveOut(_ skipped: SkippedRow) {
    guard let before = location(ofRow: skipped.rowid) else { return }
    remove(skipped.rowid)
    state.leaveOut(skipped.rowid)
    changes.note(.removed, of: skipped.row, before: before, after: nil)
  }

  /// Updates the view after a row was removed.
  func didRemove(_ row: RowKey, rowid: Int64) {
    state.readmit(rowid)
    guard let before = location(ofRow: rowid) else { return }
    remove(rowid)
    changes.note(.removed, of: row, before: before, after: nil)
  }

  /// Updates the view after all rows of a collection were removed. Groups that lose all their rows are recorded as
  /// cleared.
  func didRemove(_ rows: [Int64: RowKey], ofCollection collection: ByteString) {
    guard view.allowed.contains(collection) else { return }
    var counts: [ByteString: Int] = [:]
    for rowid in rows.keys { if let group = state.group(ofRow: rowid) { counts[group, default: 0] += 1 } }
    let emptied = Set(counts.keys.filter { counts[$0] == state.group(named: $0)?.count })
    for (rowid, row) in rows {
      state.readmit(rowid)
      guard let before = location(ofRow: rowid), !emptied.contains(before.group) else { continue }
      remove(rowid)
      changes.note(.removed, of: row, before: before, after: nil)
    }
    for group in emptied { state.removeGroup(group) }
    changes.noteClearing(of: emptied)
  }

  func didRemoveEverything() {
    guard state.count > 0 || !changes.isEmpty else { return }
    state.removeAll()
    changes.noteClearing()
  }

  /// Records that a row was touched in this view only. Does nothing if the view does not contain the row.
  func noteTouch(_ change: KeyChange, of row: RowKey, rowid: Int64) {
    let location = location(ofRow: rowid)
    changes.note(change, of: row, before: location, after: location)
  }

  /// Replaces the definition of the view, and determines the position of every row again.
  ///
  /// Each row of the view is reported as changed, even if it keeps its position.
  func rearrange(_ scope: Rearrangement, by definition: YapDatabaseView) throws {
    let old = state
    var population = ViewPopulation(definition, transaction)
    var new =
      switch scope {
      case .allRows: try population.run(replacing: old)
      case .containedRows: try population.run(replacing: old) { old.group(ofRow: $0) != nil }
      case .order: try population.sort(old)
      }
    try definition.forEachCandidate(in: transaction, []) { row in
      let (rowid, before, after) = (row.rowid, old.location(ofRow: row.rowid), new.location(ofRow: row.rowid))
      if scope != .allRows, before == nil, old.isLeftOut(rowid) { new.leaveOut(rowid) }
      changes.note([.objectTouched, .metadataTouched], of: row.row, before: before, after: after)
    }
    changes.noteRearrangement(new)
    view = definition
    state = new
  }

  /// The rows whose positions are determined again.
  enum Rearrangement {
    /// Every row of the allowed collections gets a group and a position.
    case allRows
    /// The rows that the view contains get groups and positions.
    case containedRows
    /// The rows of each group are sorted again.
    case order
  }

  private func location(ofRow rowid: Int64) -> ViewChanges.Location? { state.location(ofRow: rowid) }

  // MARK: Order

  private func move(_ row: ViewedRow, to group: ByteString) throws {
    remove(row.rowid)
    let index = try index(for: row, in: group)
    state.insert(row.rowid, at: index, inGroup: group)
    changes.note(GroupOperation(.insert, index, in: group))
  }

  /// Removes a row from its group, if it is in one.
  private func remove(_ rowid: Int64) {
    guard let (group, index) = state.remove(rowid) else { return }
    changes.note(GroupOperation(.remove, index, in: group))
  }

  /// Whether a row is in order with the rows before and after it.
  private func isInOrder(_ row: ViewedRow, in group: ByteString) throws -> Bool {
    guard let index = state.position(ofRow: row.rowid)?.index else { return false }
    if let previous = state.rowid(at: index - 1, inGroup: group) {
      let order = try view.sorting.compare(transaction, group.text, row, otherRow(previous))
      if order == .orderedAscending { return false }
    }
    if let next = state.rowid(at: index + 1, inGroup: group) {
      let order = try view.sorting.compare(transaction, group.text, row, otherRow(next))
      if order == .orderedDescending { return false }
    }
    return true
  }

  /// Returns the index at which to insert a row that the group does not contain: after all rows that compare as equal.
  ///
  /// The row is first compared with both ends, because most lists grow there. Then the first rows of the spans are
  /// searched, then the first rows of the pages in the span, and then the rows of the page.
  private func index(for row: ViewedRow, in name: ByteString) throws -> Int {
    guard let group = state.group(named: name) else { return 0 }
    let last = try otherRow(state.rowid(at: group.count - 1, in: group), caching: .full)
    if try !comesBefore(row, last, in: name) { return group.count }
    var location = ViewGroup.PageLocation(span: 0, slot: 0)
    if try comesBefore(row, firstRow(location, in: group), in: name) { return 0 }
    location.span = try lastIndex(below: group.spans.count) { span in
      try !comesBefore(row, firstRow(ViewGroup.PageLocation(span: span, slot: 0), in: group), in: name)
    }
    location.slot = try lastIndex(below: group.spans[location.span].slots.count) { slot in
      try !comesBefore(row, firstRow(ViewGroup.PageLocation(span: location.span, slot: slot), in: group), in: name)
    }
    let rowids = state.rowids(at: location, in: group)
    let offset = try lastIndex(below: rowids.count) { try !comesBefore(row, otherRow(rowids[$0]), in: name) }
    return group.firstIndex(of: location) + offset + 1
  }

  /// Returns the first row of a page: its landmark, or else the row from the file.
  private func firstRow(_ location: ViewGroup.PageLocation, in group: ViewGroup) throws -> ViewedRow {
    if let landmark = state.landmark(at: location, in: group) { return landmark.row }
    let row = try transaction.viewedRow(state.rowids(at: location, in: group)[0], view.sorting.parts, caching: .bypass)
    switch row.origin {
    case .stored: state.keepLandmark(row)
    case .replaced: break  // the view keeps stored values only
    case .skipped: throw SkippedRow(rowid: row.rowid, row: row.row)
    }
    return row
  }

  /// Returns another row of the view, to compare with.
  /// - Parameter caching: `passing` for a row that is unlikely to be read again soon.
  private func otherRow(_ rowid: Int64, caching: ViewedRow.Caching = .passing) throws -> ViewedRow {
    let row = try transaction.viewedRow(rowid, view.sorting.parts, caching: caching)
    if row.isSkipped { throw SkippedRow(rowid: row.rowid, row: row.row) }
    return row
  }

  /// Returns the last index below `end` for which `holds` is true. `holds` must be true for index 0. If it is false for
  /// an index, it must be false for all later indexes.
  private func lastIndex(below end: Int, where holds: (Int) throws -> Bool) rethrows -> Int {
    var (low, high) = (0, end)
    while high - low > 1 {
      let middle = (low + high) / 2
      if try holds(middle) { low = middle } else { high = middle }
    }
    return low
  }

  private func comesBefore(_ row: ViewedRow, _ other: ViewedRow, in group: ByteString) throws -> Bool {
    try view.sorting.compare(transaction, group.text, row, other) == .orderedAscending
  }

  // MARK: Storing

  /// Writes the pages that have changed, if the view is persistent.
  func store(_ handle: EngineHandle) throws {
    if let number { try ViewPages(view: number, handle: handle).store(state) }
    state.noteStored()
  }
}

extension ViewState {
  fileprivate func location(ofRow rowid: Int64) -> ViewChanges.Location? {
    group(ofRow: rowid).map { ViewChanges.Location(rowid: rowid, group: $0) }
  }
}
