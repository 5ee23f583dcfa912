import Foundation
import HarnessPrimitives
import TestSupport

@testable import YapEngine

/// Compares the views that a transaction sees with the expected ones.
struct ViewChecks {
  let transaction: YapDatabaseReadTransaction
  let world: ViewWorld

  /// Checks every view: whether it exists, and its rows.
  func checkEverything() throws {
    for kind in ViewKind.allCases {
      guard let view = try found(kind), let variant = world.views[kind] else { continue }
      let expected = kind.expected(world.rows, variant)
      try Discrepancy.check(Set(try view.allGroups().map { ByteString($0) }), Set(expected.keys), "groups of \(kind)")
      for (group, slots) in expected { try checkList(view, group.text, slots, "\(kind) \(group.text)") }
    }
  }

  /// Checks one view, with some random queries.
  func check(_ random: inout RandomStream) throws {
    let kind = ViewKind.allCases[random.below(ViewKind.allCases.count)]
    guard let view = try found(kind), let variant = world.views[kind] else { return }
    let expected = kind.expected(world.rows, variant)
    try checkCounts(view, expected, "\(kind)")
    let slot = random.below(ViewKeyspace.slotCount)
    try checkPlace(view, slot, expected, "\(kind)")
    guard let group = expected.keys.sorted(by: { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }).first,
      let slots = expected[group]
    else { return }
    try checkList(view, group.text, slots, "\(kind) \(group.text)")
    for index in [-1, 0, slots.count - 1, slots.count, random.below(slots.count)] {
      try checkIndex(view, group.text, index, slots)
    }
    try checkRange(view, group.text, slots, &random)
    if kind == .byObject { try checkFinding(view, group.text, slots, variant, &random) }
  }

  /// Checks that the first rows of pages in memory equal the stored rows.
  func checkLandmarks() throws {
    for kind in world.views.keys { _ = try Self.checkLandmarks(of: kind.rawValue, transaction) }
  }

  /// - Returns: The number of first rows in memory.
  static func checkLandmarks(of view: String, _ transaction: YapDatabaseReadTransaction) throws -> Int {
    var count = 0
    if let state = transaction.viewState(named: ByteString(view)) {
      for group in state.groupNames.compactMap({ state.group(named: $0) }) {
        var location: ViewGroup.PageLocation? = ViewGroup.PageLocation(span: 0, slot: 0)
        while let page = location {
          location = group.after(page)
          guard let kept = state.landmark(at: page, in: group)?.row else { continue }
          count += 1
          try Discrepancy.check(kept.rowid, state.rowids(at: page, in: group)[0], "row that is kept of a page")
          let stored = try transaction.viewedRow(kept.rowid, kept.parts)
          try Discrepancy.check(kept.row, stored.row, "key that is kept of a page")
          let (object, metadata) = (ViewKeyspace.value(stored.object), ViewKeyspace.value(stored.metadata))
          try Discrepancy.check(ViewKeyspace.value(kept.object), object, "object that is kept of a page")
          try Discrepancy.check(ViewKeyspace.value(kept.metadata), metadata, "metadata that is kept of a page")
        }
      }
    }
    return count
  }

  private func found(_ kind: ViewKind) throws -> YapDatabaseViewTransaction? {
    let view = try transaction.ext(kind.rawValue) as? YapDatabaseViewTransaction
    try Discrepancy.check(view != nil, world.views[kind] != nil, "whether \(kind) is registered")
    return view
  }

  private func checkCounts(
    _ view: YapDatabaseViewTransaction,
    _ expected: [ByteString: [Int]],
    _ what: String
  ) throws {
    try Discrepancy.check(try view.numberOfGroups(), expected.count, "number of groups of \(what)")
    let total = expected.values.reduce(0) { $0 + $1.count }
    try Discrepancy.check(try view.numberOfItemsInAllGroups(), total, "rows of \(what)")
    try Discrepancy.check(try view.isEmpty(), total == 0, "emptiness of \(what)")
    for group in ["group 1", "\u{e9}", "e\u{301}", "none"] {
      let count = expected[ByteString(group)]?.count ?? 0
      try Discrepancy.check(try view.numberOfItems(inGroup: group), count, "rows of \(what) \(group)")
      try Discrepancy.check(try view.hasGroup(group), count > 0, "whether there is \(what) \(group)")
      try Discrepancy.check(try view.isEmpty(group: group), count == 0, "emptiness of \(what) \(group)")
    }
  }

  private func checkList(_ view: YapDatabaseViewTransaction, _ group: String, _ slots: [Int], _ what: String) throws {
    var found: [ByteString] = []
    try view.enumerateKeys(inGroup: group) { collection, key, index, _ in
      try Discrepancy.check(index, found.count, "index in an enumeration of \(what)")
      found.append(ByteString(collection + "/" + key))
    }
    let expected = slots.map { ByteString(ViewKeyspace.collection(of: $0) + "/" + ViewKeyspace.key(of: $0)) }
    try Discrepancy.check(found.count, expected.count, "rows of \(what)")
    for index in found.indices {
      try Discrepancy.check(found[index].text, expected[index].text, "row \(index) of \(what)")
      try Discrepancy.check(found[index], expected[index], "row \(index) of \(what), by its bytes")
    }
  }

  private func checkPlace(
    _ view: YapDatabaseViewTransaction,
    _ slot: Int,
    _ expected: [ByteString: [Int]],
    _ what: String
  ) throws {
    let (collection, key) = (ViewKeyspace.collection(of: slot), ViewKeyspace.key(of: slot))
    let expectedGroup = expected.first { $0.value.contains(slot) }
    let group = try view.group(forKey: key, inCollection: collection).map { ByteString($0) }
    try Discrepancy.check(group, expectedGroup?.key, "group of \(slot) in \(what)")
    let position = try view.position(forKey: key, inCollection: collection)
    try Discrepancy.check(
      position.map { ByteString($0.group) },
      expectedGroup?.key,
      "group and index of \(slot) in \(what)"
    )
    try Discrepancy.check(position?.index, expectedGroup?.value.firstIndex(of: slot), "index of \(slot) in \(what)")
  }

  private func checkIndex(
    _ view: YapDatabaseViewTransaction,
    _ group: String,
    _ index: Int,
    _ slots: [Int]
  ) throws {
    let slot = slots.indices.contains(index) ? slots[index] : nil
    let row = slot.flatMap { world.rows.rows[$0] }
    let key = try view.key(atIndex: index, inGroup: group)
    try Discrepancy.check(
      key.map { ByteString($0) },
      slot.map { ByteString(ViewKeyspace.key(of: $0)) },
      "key at \(index)"
    )
    let collection = try view.collection(atIndex: index, inGroup: group)
    let name = slot.map { ByteString(ViewKeyspace.collection(of: $0)) }
    try Discrepancy.check(collection.map { ByteString($0) }, name, "collection at \(index)")
    let both = try view.collectionKey(atIndex: index, inGroup: group)
    try Discrepancy.check(both.map { ByteString($0.collection) }, name, "collection and key at \(index)")
    let object = ViewKeyspace.value(try view.object(atIndex: index, inGroup: group))
    try Discrepancy.check(object, row?.object, "object at \(index)")
    let metadata = ViewKeyspace.value(try view.metadata(atIndex: index, inGroup: group))
    try Discrepancy.check(metadata, row?.metadata, "metadata at \(index)")
    let whole = try view.row(atIndex: index, inGroup: group)
    try Discrepancy.check(ViewKeyspace.value(whole?.object), row?.object, "object of the row at \(index)")
    try Discrepancy.check(ViewKeyspace.value(whole?.metadata), row?.metadata, "metadata of the row at \(index)")
    let first = ViewKeyspace.value(try view.firstObject(inGroup: group))
    try Discrepancy.check(first, slots.first.flatMap { world.rows.rows[$0]?.object }, "first object")
    let last = ViewKeyspace.value(try view.lastObject(inGroup: group))
    try Discrepancy.check(last, slots.last.flatMap { world.rows.rows[$0]?.object }, "last object")
    let lastKey = try view.lastCollectionKey(inGroup: group).map { ByteString($0.key) }
    try Discrepancy.check(lastKey, slots.last.map { ByteString(ViewKeyspace.key(of: $0)) }, "last key")
  }

  /// Checks a part of a group, in either direction, with a filter and an early end.
  private func checkRange(
    _ view: YapDatabaseViewTransaction,
    _ group: String,
    _ slots: [Int],
    _ random: inout RandomStream
  ) throws {
    let lower = random.below(slots.count + 3) - 1
    let range = lower..<(lower + random.below(slots.count + 3))
    let reversed = random.chance(oneIn: 2)
    let parity = random.below(3)
    let limit = 1 + random.below(slots.count)
    var found: [Int] = []
    var values: [UInt16?] = []
    try view.enumerateRows(
      inGroup: group,
      range: range,
      reversed: reversed,
      filter: { index, _, _ in index % 3 != parity },
      using: { _, _, object, metadata, index, stop in
        found.append(index)
        values += [ViewKeyspace.value(object), ViewKeyspace.value(metadata)]
        stop = found.count == limit
        try view.enumerateKeysAndObjects(inGroup: group) { _, _, _, _, stop in stop = true }
      }
    )
    var expected = slots.indices.filter { range.contains($0) && $0 % 3 != parity }
    if reversed { expected.reverse() }
    expected = Array(expected.prefix(limit))
    try Discrepancy.check(found, expected, "indexes of an enumeration of \(range)")
    let rows = expected.map { world.rows.rows[slots[$0]] }
    try Discrepancy.check(values, rows.flatMap { [$0?.object, $0?.metadata] }, "values of an enumeration")
    var metadata: [UInt16?] = []
    try view.enumerateKeysAndMetadata(inGroup: group, range: range) { _, _, found, _, _ in
      metadata.append(ViewKeyspace.value(found))
    }
    let all = slots.indices.filter { range.contains($0) }
    try Discrepancy.check(metadata, all.map { world.rows.rows[slots[$0]]?.metadata }, "metadata of an enumeration")
  }

  private func checkFinding(
    _ view: YapDatabaseViewTransaction,
    _ group: String,
    _ slots: [Int],
    _ variant: Int,
    _ random: inout RandomStream
  ) throws {
    let wanted = world.rows.rows[slots[random.below(slots.count)]].map(\.object) ?? 0
    let value = random.chance(oneIn: 3) ? wanted &+ 1 : wanted
    let found = try view.findRange(
      inGroup: group,
      usingObject: { _, _, object in
        let order = ViewKeyspace.order(ViewKeyspace.value(object) ?? 0, value)
        return variant == 0 || order == .orderedSame
          ? order : order == .orderedAscending ? .orderedDescending : .orderedAscending
      }
    )
    let same = slots.indices.filter { world.rows.rows[slots[$0]]?.object == value }
    try Discrepancy.check(found?.lowerBound, same.first, "begin of the rows with \(value)")
    try Discrepancy.check(found?.upperBound, same.last.map { $0 + 1 }, "end of the rows with \(value)")
  }
}
