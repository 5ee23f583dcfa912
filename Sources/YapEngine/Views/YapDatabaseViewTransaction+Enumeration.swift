/// Enumerations of all rows of a group or of a range of indexes, in the order of the group or reversed.
///
/// Each block receives a `stop` flag; setting it ends the enumeration. Enumerations may be nested. A block may change
/// rows as long as the enumerated group keeps its rows in their order: the rows of other groups, for example, or the
/// metadata of a row that keeps its position. If the group gets, loses or moves a row, the block must set `stop`;
/// otherwise the enumeration throws `mutatedDuringEnumeration`.
extension YapDatabaseViewTransaction {
  /// Enumerates the collections and keys of rows.
  ///
  /// Indexes of `range` beyond the group's rows are ignored; nil is for all rows. `filter` is called before `block`. If
  /// it returns false for a row, `block` is not called for the row.
  public func enumerateKeys(
    inGroup group: String,
    range: Range<Int>? = nil,
    reversed: Bool = false,
    filter: ((_ index: Int, _ collection: String, _ key: String) throws -> Bool)? = nil,
    using block: (_ collection: String, _ key: String, _ index: Int, _ stop: inout Bool) throws -> Void
  ) throws {
    try enumerate(group, in: range, reversed: reversed, reading: [], where: filter) { row, index, stop in
      try block(row.collection.text, row.key, index, &stop)
    }
  }

  /// Enumerates keys and objects. The object of a row for which `filter` returns false is neither read nor decoded.
  public func enumerateKeysAndObjects(
    inGroup group: String,
    range: Range<Int>? = nil,
    reversed: Bool = false,
    filter: ((_ index: Int, _ collection: String, _ key: String) throws -> Bool)? = nil,
    using block: (_ collection: String, _ key: String, _ object: Any, _ index: Int, _ stop: inout Bool) throws -> Void
  ) throws {
    try enumerate(group, in: range, reversed: reversed, reading: .object, where: filter) { row, index, stop in
      try block(row.collection.text, row.key, row.requestedObject(), index, &stop)
    }
  }

  public func enumerateKeysAndMetadata(
    inGroup group: String,
    range: Range<Int>? = nil,
    reversed: Bool = false,
    filter: ((_ index: Int, _ collection: String, _ key: String) throws -> Bool)? = nil,
    using block: (
      _ collection: String, _ key: String, _ metadata: Any?, _ index: Int, _ stop: inout Bool
    ) throws -> Void
  ) throws {
    try enumerate(group, in: range, reversed: reversed, reading: .metadata, where: filter) { row, index, stop in
      try block(row.collection.text, row.key, row.metadata, index, &stop)
    }
  }

  public func enumerateRows(
    inGroup group: String,
    range: Range<Int>? = nil,
    reversed: Bool = false,
    filter: ((_ index: Int, _ collection: String, _ key: String) throws -> Bool)? = nil,
    using block: (
      _ collection: String, _ key: String, _ object: Any, _ metadata: Any?, _ index: Int, _ stop: inout Bool
    ) throws -> Void
  ) throws {
    try enumerate(group, in: range, reversed: reversed, reading: [.object, .metadata], where: filter) {
      row,
      index,
      stop in
      try block(row.collection.text, row.key, row.requestedObject(), row.metadata, index, &stop)
    }
  }

  // MARK: Implementation

  /// Enumerates the rows of a group with the given parts.
  func enumerate(
    _ name: String,
    in range: Range<Int>?,
    reversed: Bool,
    reading parts: RowPart,
    where filter: ((Int, String, String) throws -> Bool)?,
    _ visit: (ViewedRow, Int, inout Bool) throws -> Void
  ) throws {
    let state = try state
    guard let group = state.group(named: ByteString(name)) else { return }
    var watch = GroupWatch(group, of: self)
    try state.forEachRow(of: group, in: range, reversed: reversed) { rowid, index, stop in
      if let filter {
        let row = try row(rowid, [])
        let isWanted = try filter(index, row.collection.text, row.key)
        try watch.check()
        guard isWanted else { return }
      }
      let row = try transaction.viewedRow(rowid, parts)
      if row.isSkipped { return }
      try visit(row, index, &stop)
      if !stop { try watch.check() }
    }
  }
}

/// Detects that a group of a view gets, loses or moves rows while its rows are visited. In a read transaction, where no
/// group changes, a check costs nothing.
struct GroupWatch {
  private let view: YapDatabaseViewTransaction
  private let group: ViewGroup
  private var changeCount: Int

  init(_ group: ViewGroup, of view: YapDatabaseViewTransaction) {
    self.view = view
    self.group = group
    changeCount = view.transaction.upkeep?.changeCount ?? 0
  }

  /// - Throws: `mutatedDuringEnumeration`.
  mutating func check() throws {
    guard let upkeep = view.transaction.upkeep, upkeep.changeCount != changeCount else { return }
    changeCount = upkeep.changeCount
    let now = try view.state.group(named: group.name)
    if now?.lastChange == group.lastChange { return }
    throw YapDatabaseError(
      .mutatedDuringEnumeration,
      "group \"\(group.name.text)\" of view \"\(view.name)\" got, lost or moved a row while its rows were enumerated: "
        + "collect the keys first, or set stop"
    )
  }
}

extension ViewState {
  /// Calls `body` with the rows of a group and their indexes, page by page.
  /// - Parameter range: Indexes; those beyond the group's rows are ignored. nil for all rows.
  func forEachRow(
    of group: ViewGroup,
    in range: Range<Int>? = nil,
    reversed: Bool = false,
    _ body: (_ rowid: Int64, _ index: Int, _ stop: inout Bool) throws -> Void
  ) rethrows {
    let range = (range ?? 0..<group.count).clamped(to: 0..<group.count)
    guard !range.isEmpty else { return }
    var index = reversed ? range.upperBound - 1 : range.lowerBound
    var (next, offset): (ViewGroup.PageLocation?, Int) = group.page(ofIndex: index)
    var stop = false
    while let location = next {
      let rowids = rowids(at: location, in: group)
      while rowids.indices.contains(offset) {
        guard range.contains(index) else { return }
        try body(rowids[offset], index, &stop)
        if stop { return }
        offset += reversed ? -1 : 1
        index += reversed ? -1 : 1
      }
      next = reversed ? group.before(location) : group.after(location)
      if let next { offset = reversed ? Int(group.slot(next).count) - 1 : 0 }
    }
  }
}
