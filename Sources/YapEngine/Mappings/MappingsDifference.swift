internal import Foundation

/// The changes that lead from one layout of mappings to the next.
///
/// An unchanged row is inspected only if it enters or leaves a range, or depends on a changed cell: its position
/// follows from the number of changed rows before it. For k changed or inspected rows this takes O(k log k) steps.
struct MappingsDifference {
  /// A row, and a path at which it is before or after the changes.
  struct Step {
    /// nil if the row is not known, because all rows of its group were removed at once.
    let row: RowKey?
    let group: ByteString
    let path: Path
  }

  /// A section and a row. Unlike an `IndexPath`, it is cheap to compare.
  struct Path: Comparable {
    let section: Int
    let row: Int

    var indexPath: IndexPath { IndexPath(indexes: [section, row]) }

    static func < (left: Path, right: Path) -> Bool { (left.section, left.row) < (right.section, right.row) }
  }

  let before: MappingsLayout
  let after: MappingsLayout
  let changes: ViewChanges
  let groupChanges: GroupChanges
  /// Returns the collection and the key of a row of the new state.
  let keyOfRow: (Int64) throws -> RowKey

  private(set) var leaving: [Step] = []
  private(set) var arriving: [Step] = []
  private(set) var updated: [(step: Step, from: Path, flags: YapDatabaseViewRowChange.Changes)] = []

  // MARK: Sections

  /// Returns the sections that remain, by their indexes before and after.
  func keptSections() -> [(before: Int, after: Int)] {
    var newIndexes: [MappingsLayout.SectionName: Int] = [:]
    for (index, section) in after.sections.enumerated() { newIndexes[section.name] = index }
    let common = before.sections.enumerated().compactMap { index, section -> (before: Int, after: Int)? in
      guard let other = newIndexes[section.name], isSame(section, after.sections[other]) else { return nil }
      return (index, other)
    }
    return common.map(\.after).indexesOfLongestIncrease.map { common[$0] }
  }

  /// Whether changes of rows can turn the old section into the new one: its groups have the same order.
  private func isSame(_ old: MappingsLayout.Section, _ new: MappingsLayout.Section) -> Bool {
    let (oldGroups, newGroups) = (old.parts.map(\.group), new.parts.map(\.group))
    let (inOld, inNew) = (Set(oldGroups), Set(newGroups))
    return oldGroups.filter(inNew.contains) == newGroups.filter(inOld.contains)
  }

  func sectionChanges(_ kept: [(before: Int, after: Int)]) -> [YapDatabaseViewSectionChange] {
    let (keptBefore, keptAfter) = (Set(kept.map(\.before)), Set(kept.map(\.after)))
    let deleted = before.sections.indices.filter { !keptBefore.contains($0) }.map {
      YapDatabaseViewSectionChange(kind: .delete, index: $0, group: before.sections[$0].name.text)
    }
    let inserted = after.sections.indices.filter { !keptAfter.contains($0) }.map {
      YapDatabaseViewSectionChange(kind: .insert, index: $0, group: after.sections[$0].name.text)
    }
    return deleted + inserted
  }

  // MARK: Rows

  /// Returns the changes of rows in the sections that remain.
  /// - Parameters:
  ///   - kept: The sections that remain.
  ///   - dependencies: Returns the offsets of the cells with which a group's cells are drawn.
  ///   - nameOf: Returns the name of a row's collection.
  mutating func rowChanges(
    _ kept: [(before: Int, after: Int)],
    dependencies: (ByteString) -> Set<Int>,
    nameOf: (RowKey) -> String
  ) throws -> [YapDatabaseViewRowChange] {
    for section in kept {
      let (old, new) = (before.sections[section.before], after.sections[section.after])
      let (oldGroups, newGroups) = (old.parts.map(\.group), new.parts.map(\.group))
      let remaining = Set(newGroups)
      for group in newGroups + oldGroups.filter({ !remaining.contains($0) }) {
        let changed = groupChanges.groups[group] ?? GroupChanges.Group()
        let part = ShownGroup(
          group: group,
          changes: changed,
          difference: changed.difference,
          before: ShownGroup.Side(of: group, in: old, at: section.before),
          after: ShownGroup.Side(of: group, in: new, at: section.after)
        )
        if changes.resets(group) { try replaceRows(of: part) } else { try collect(part, dependencies(group)) }
      }
    }
    return orderedChanges(nameOf)
  }

  /// Records all rows of a group that were shown as leaving, and all that are shown as arriving.
  private mutating func replaceRows(of group: ShownGroup) throws {
    let known = Dictionary(group.changes.left.map { ($0.index, $0.row) }) { first, _ in first }
    for index in group.before.window {
      guard let path = group.before.path(index) else { continue }
      leaving.append(Step(row: known[index], group: group.group, path: path))
    }
    for index in group.after.window {
      guard let path = group.after.path(index) else { continue }
      arriving.append(Step(row: try key(ofRowAt: index, in: group), group: group.group, path: path))
    }
  }

  private mutating func collect(_ group: ShownGroup, _ dependencies: Set<Int>) throws {
    leaving += group.leaving
    arriving += group.arriving
    for rank in group.ranksLeaving {
      let row = try key(group, rank)
      if let path = group.before.path(group.difference.indexBefore(ofRank: rank)) {
        leaving.append(Step(row: row, group: group.group, path: path))
      }
    }
    for rank in group.ranksArriving {
      let row = try key(group, rank)
      if let path = group.after.path(group.difference.indexAfter(ofRank: rank)) {
        arriving.append(Step(row: row, group: group.group, path: path))
      }
    }
    var dependent = dependencies.isEmpty ? [] : group.ranksOfDependents(dependencies)
    for row in group.difference.stayed {
      guard let from = group.before.path(row.before), let path = group.after.path(row.after) else { continue }
      let isDependent = dependent.remove(group.difference.rank(ofAfter: row.after)) != nil
      var flags = flags(of: row.row)
      if isDependent { flags.insert(.dependency) }
      updated.append((Step(row: row.row, group: group.group, path: path), from, flags))
    }
    for rank in dependent {
      let (old, new) = (group.difference.indexBefore(ofRank: rank), group.difference.indexAfter(ofRank: rank))
      guard let from = group.before.path(old), let path = group.after.path(new) else { continue }
      updated.append((Step(row: try key(group, rank), group: group.group, path: path), from, .dependency))
    }
  }

  private func key(_ group: ShownGroup, _ rank: Int) throws -> RowKey {
    try key(ofRowAt: group.difference.indexAfter(ofRank: rank), in: group)
  }

  private func key(ofRowAt index: Int, in group: ShownGroup) throws -> RowKey {
    guard let rowid = after.state.rowid(at: index, inGroup: group.group) else {
      preconditionFailure("row \(index) of group \"\(group.group.text)\" is shown, but is missing")
    }
    return try keyOfRow(rowid)
  }

  private func flags(of row: RowKey?) -> YapDatabaseViewRowChange.Changes {
    guard let row else { return [.object, .metadata] }
    guard let change = changes.rows[row]?.change else { return [] }
    var flags: YapDatabaseViewRowChange.Changes = []
    if change.concerns(.object) { flags.insert(.object) }
    if change.concerns(.metadata) { flags.insert(.metadata) }
    return flags
  }

  /// Returns all changes of rows, ordered as deletes, inserts, moves and updates. A row that leaves one path and
  /// arrives at another is a move, and so is an update in a section that has another index.
  private func orderedChanges(_ nameOf: (RowKey) -> String) -> [YapDatabaseViewRowChange] {
    func change(
      _ kind: YapDatabaseViewRowChange.Kind,
      from old: Step?,
      to new: Step?,
      flags: YapDatabaseViewRowChange.Changes
    ) -> YapDatabaseViewRowChange {
      let row = (old ?? new)?.row
      return YapDatabaseViewRowChange(
        kind: kind,
        collection: row.map(nameOf),
        key: row?.key.text,
        changes: flags,
        originalGroup: old?.group.text,
        finalGroup: new?.group.text,
        indexPath: old?.path.indexPath,
        newIndexPath: new?.path.indexPath
      )
    }
    var arrivals = Dictionary(arriving.compactMap { step in step.row.map { ($0, step) } }) { first, _ in first }
    var deletes: [YapDatabaseViewRowChange] = []
    var moves: [YapDatabaseViewRowChange] = []
    for step in leaving.sorted(by: { $0.path < $1.path }) {
      if let row = step.row, let arrival = arrivals.removeValue(forKey: row) {
        moves.append(change(.move, from: step, to: arrival, flags: flags(of: row)))
      } else {
        deletes.append(change(.delete, from: step, to: nil, flags: flags(of: step.row)))
      }
    }
    let inserts = arrivals.values.sorted { $0.path < $1.path }.map {
      change(.insert, from: nil, to: $0, flags: flags(of: $0.row))
    }
    var updates: [YapDatabaseViewRowChange] = []
    for (step, from, flags) in updated.sorted(by: { $0.from < $1.from }) {
      let old = Step(row: step.row, group: step.group, path: from)
      if from.section == step.path.section {
        updates.append(change(.update, from: old, to: step, flags: flags))
      } else {
        moves.append(change(.move, from: old, to: step, flags: flags))
      }
    }
    return deletes + inserts + moves + updates
  }
}
