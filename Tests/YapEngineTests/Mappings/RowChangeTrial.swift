import Foundation
import SeededRandom
import TestSupport

@testable import YapEngine

/// Random edits of views' states, and the changes that mappings compute. It needs no database, so there can be very
/// many edits.
///
/// Rowids are assigned with the lowest free one first, so that different rows soon have the same rowid.
struct RowChangeTrial {
  private var random: RandomStream
  private var state = ViewState()
  private var rowids: [Int: Int64] = [:]
  private var nextName = 0
  private var groupNames: [ByteString] = []

  private let omissions: Omissions<MappingsDifference.Omission>

  init(seed: UInt64, omissions: Omissions<MappingsDifference.Omission> = Omissions()) {
    random = RandomStream(seed: seed)
    self.omissions = omissions
  }

  /// The settings of the mappings in one trial.
  private struct Shape {
    var order: [ByteString]
    var ranges: [ByteString: YapDatabaseViewRangeOptions] = [:]
    var reversed: Set<ByteString> = []
    var dynamic: Set<ByteString> = []
    var dependencies: [ByteString: Set<Int>] = [:]
    var threshold: Int?
  }

  mutating func run() throws {
    state = ViewState()
    rowids = [:]
    groupNames = (0...random.below(4)).map { ByteString("group \($0)") }
    var ignored = ViewChanges()
    for _ in 0..<random.below(60) { insert(&ignored) }
    let shape = randomShape()
    var layout = layout(shape, after: nil, ViewChanges())
    for _ in 0..<4 {
      let names = nameOfRow
      var changes = ViewChanges()
      for _ in 0...random.below(3) { changes.follow(with: commit()) }
      var next = shape
      if random.chance(oneIn: 6) { next.order.shuffle(using: &random) }
      if random.chance(oneIn: 6), next.order.count > 1 { next.order.removeLast() }
      let new = self.layout(next, after: layout, changes)
      try check(layout, new, changes, shape, names)
      layout = new
    }
  }

  // MARK: Edits

  private mutating func commit() -> ViewChanges {
    var changes = ViewChanges()
    for _ in 0..<random.below(8) {
      switch random.below(12) {
      case 0...3: insert(&changes)
      case 4...5: if let row = anyRow() { remove(row, &changes) }
      case 6...7: if let row = anyRow() { move(row, &changes) }
      case 8...9:
        if let row = anyRow(), let location = location(row) {
          changes.note(.object, of: key(row), before: location, after: location)
        }
      case 10:
        // A row that is removed and stored again, possibly with another rowid.
        guard let row = anyRow() else { continue }
        remove(row, &changes)
        insert(&changes)
        insert(&changes, row)
      default: if random.chance(oneIn: 3) { reset(&changes) }
      }
    }
    return changes
  }

  private mutating func anyRow() -> Int? {
    let rows = rowids.keys.sorted()
    return rows.isEmpty ? nil : rows[random.below(rows.count)]
  }

  private func location(_ row: Int) -> ViewChanges.Location? {
    rowids[row].flatMap { rowid in state.group(ofRow: rowid).map { ViewChanges.Location(rowid: rowid, group: $0) } }
  }

  private func key(_ row: Int) -> RowKey { RowKey(collection: 1, key: ByteString("\(row)")) }

  private mutating func insert(_ changes: inout ViewChanges, _ known: Int? = nil) {
    nextName += 1
    let row = known ?? nextName
    let taken = Set(rowids.values)
    var rowid: Int64 = 1
    while taken.contains(rowid) { rowid += 1 }
    rowids[row] = rowid
    put(rowid)
    changes.note([.object, .metadata, .inserted], of: key(row), before: nil, after: location(row))
  }

  private mutating func put(_ rowid: Int64) {
    let group = groupNames[random.below(groupNames.count)]
    let count = state.group(named: group)?.count ?? 0
    state.insert(rowid, at: [0, count, random.below(count + 1)][random.below(3)], inGroup: group)
  }

  private mutating func remove(_ row: Int, _ changes: inout ViewChanges) {
    let before = location(row)
    if let rowid = rowids.removeValue(forKey: row) { state.remove(rowid) }
    changes.note(.removed, of: key(row), before: before, after: nil)
  }

  private mutating func move(_ row: Int, _ changes: inout ViewChanges) {
    guard let before = location(row) else { return }
    state.remove(before.rowid)
    put(before.rowid)
    changes.note(.object, of: key(row), before: before, after: location(row))
  }

  private mutating func reset(_ changes: inout ViewChanges) {
    if random.chance(oneIn: 3) {
      state.removeAll()
      rowids = [:]
      return changes.noteReset()
    }
    let group = groupNames[random.below(groupNames.count)]
    for (row, rowid) in rowids where state.group(ofRow: rowid) == group {
      state.remove(rowid)
      rowids[row] = nil
    }
    changes.noteReset(of: [group])
  }

  // MARK: Shapes

  private mutating func randomShape() -> Shape {
    var shape = Shape(order: groupNames.shuffled(using: &random))
    for group in groupNames {
      let pin: YapDatabaseViewRangeOptions.Pin = random.chance(oneIn: 2) ? .beginning : .end
      let (length, offset) = (random.below(12), random.below(4))
      switch random.below(4) {
      case 0: shape.ranges[group] = .fixed(length: length, offset: offset, from: pin)
      case 1:
        var range = YapDatabaseViewRangeOptions.flexible(length: length, offset: offset, from: pin)
        if random.chance(oneIn: 2) { range.maxLength = 4 + random.below(20) }
        if random.chance(oneIn: 2) { range.minLength = random.below(4) }
        range.growth = [.inRangeOnly, .onPinSide, .onNonPinSide, .onBothSides][random.below(4)]
        shape.ranges[group] = range
      default: break
      }
      if random.chance(oneIn: 3) { shape.reversed.insert(group) }
      if random.chance(oneIn: 2) { shape.dynamic.insert(group) }
      if random.chance(oneIn: 2) { shape.dependencies[group] = Set([[-1], [1], [-1, 1], [-2, 1]][random.below(4)]) }
    }
    if random.chance(oneIn: 3) { shape.threshold = random.below(60) }
    return shape
  }

  private func layout(_ shape: Shape, after old: MappingsLayout?, _ changes: ViewChanges) -> MappingsLayout {
    let groupChanges = old.flatMap { try? GroupChanges(changes, from: $0.state, to: state) }
    let parts = shape.order.map { group in
      let count = state.group(named: group)?.count ?? 0
      var window = shape.ranges[group]?.window(count: count) ?? 0..<count
      if let range = shape.ranges[group], range.isFlexible, !changes.isReset, !changes.resetGroups.contains(group),
        let part = old?.parts.first(where: { $0.group == group })
      {
        let difference = groupChanges?.groups[group]?.difference ?? GroupDifference()
        window = range.window(after: part.window, difference, count: count)
      }
      return MappingsLayout.Part(group: group, count: count, window: window, isReversed: shape.reversed.contains(group))
    }
    return MappingsLayout(
      snapshot: 0,
      state: state,
      parts: parts,
      isDynamic: shape.dynamic.contains,
      consolidatesBelow: shape.threshold
    )
  }

  // MARK: The check

  private var nameOfRow: [Int64: String] { Dictionary(uniqueKeysWithValues: rowids.map { ($0.value, "\($0.key)") }) }

  private func check(
    _ old: MappingsLayout,
    _ new: MappingsLayout,
    _ changes: ViewChanges,
    _ shape: Shape,
    _ oldNames: [Int64: String]
  ) throws {
    let newNames = nameOfRow
    for part in new.parts {
      try Discrepancy.check(part.window.clamped(to: 0..<part.count), part.window, "range of \(part.group.text)")
    }
    let groupChanges = try GroupChanges(changes, from: old.state, to: new.state)
    var difference = MappingsDifference(
      from: old,
      to: new,
      by: changes,
      groupChanges: groupChanges,
      omissions: omissions
    ) { rowid in
      RowKey(collection: 1, key: ByteString(newNames[rowid] ?? "none"))
    }
    let kept = difference.keptSections()
    let told = YapDatabaseViewChanges(
      sectionChanges: difference.sectionChanges(kept),
      rowChanges: try difference.rowChanges(kept, dependencies: { shape.dependencies[$0] ?? [] }, nameOf: { _ in "" })
    )
    var list = ShownList(old) { oldNames[$0] ?? "none" }
    let before = list
    let after = ShownList(new) { newNames[$0] ?? "none" }
    try list.apply(told, after) { $0.key }
    try checkUpdates(told, before, after, kept, old, new, changes, shape)
  }

  /// Checks that exactly the rows that changed and stayed, or that depend on another cell, are updated.
  private func checkUpdates(
    _ told: YapDatabaseViewChanges,
    _ before: ShownList,
    _ after: ShownList,
    _ kept: [(before: Int, after: Int)],
    _ old: MappingsLayout,
    _ new: MappingsLayout,
    _ changes: ViewChanges,
    _ shape: Shape
  ) throws {
    let displaced = Set(told.rowChanges.filter { $0.kind != .update }.map(\.key))
    let updates = Dictionary(uniqueKeysWithValues: told.rowChanges.filter { $0.kind == .update }.map { ($0.key, $0) })
    for section in kept where old.sections[section.before].name != .all {
      let (oldRows, newRows) = (before.sections[section.before].rows, after.sections[section.after].rows)
      guard let group = new.sections[section.after].parts.first?.group else { continue }
      for (index, name) in newRows.enumerated() where !displaced.contains(name) {
        guard let from = oldRows.firstIndex(of: name) else { throw Discrepancy("row \(name) came from nowhere") }
        let isChanged = changes.rows[key(Int(name) ?? 0)] != nil
        let isDependent = (shape.dependencies[group] ?? []).contains { offset in
          let (now, then) = (newRows.at(index + offset), oldRows.at(from + offset))
          return now != then || now.map { changes.rows[key(Int($0) ?? 0)] != nil } == true
        }
        let update = updates[name]
        try Discrepancy.check(update != nil, isChanged || isDependent, "whether row \(name) is told as updated")
        guard let update else { continue }
        try Discrepancy.check(update.changes.contains(.dependency), isDependent, "whether \(name) depends on a change")
        try Discrepancy.check(update.changes.contains(.object), isChanged, "whether \(name) is told as changed")
      }
    }
  }
}

extension Array {
  fileprivate func at(_ index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
