/// One group of a section that remains, as shown before and after.
struct ShownGroup {
  /// The group as shown at one of the two snapshots.
  struct Side {
    let section: Int
    let firstRow: Int
    /// nil if the section does not contain the group.
    let part: MappingsLayout.Part?

    init(of group: ByteString, in section: MappingsLayout.Section, at number: Int) {
      self.section = number
      let index = section.parts.firstIndex { $0.group == group }
      part = index.map { section.parts[$0] }
      firstRow = section.parts[..<(index ?? 0)].reduce(0) { $0 + $1.shown }
    }

    var window: Range<Int> { part?.window ?? 0..<0 }

    func path(_ index: Int) -> MappingsDifference.Path? {
      part?.shown(ofIndex: index).map { MappingsDifference.Path(section: section, row: firstRow + $0) }
    }
  }

  let group: ByteString
  let changes: GroupChanges.Group
  let difference: GroupDifference
  let before: Side
  let after: Side

  // MARK: Rows that leave or arrive

  /// Changed rows that were shown, and have left the group or moved in it.
  var leaving: [MappingsDifference.Step] {
    steps(changes.left.map { ($0.row, $0.index) } + difference.moved.map { ($0.row, $0.before) }, on: before)
  }

  /// Changed rows that are shown, and have entered the group or moved in it.
  var arriving: [MappingsDifference.Step] {
    steps(changes.entered.map { ($0.row, $0.index) } + difference.moved.map { ($0.row, $0.after) }, on: after)
  }

  private func steps(_ rows: [(row: RowKey, index: Int)], on side: Side) -> [MappingsDifference.Step] {
    rows.compactMap { row, index in
      side.path(index).map { MappingsDifference.Step(row: row, group: group, path: $0) }
    }
  }

  /// The ranks of rows that stayed in the group and were shown.
  private var ranksBefore: Range<Int> {
    difference.rank(ofBefore: before.window.lowerBound)..<difference.rank(ofBefore: before.window.upperBound)
  }

  private var ranksAfter: Range<Int> {
    difference.rank(ofAfter: after.window.lowerBound)..<difference.rank(ofAfter: after.window.upperBound)
  }

  /// The ranks of rows that stayed in the group and have left the shown range.
  var ranksLeaving: [Int] { Self.difference(ranksBefore, ranksAfter) }

  /// The ranks of rows that stayed in the group and have entered the shown range.
  var ranksArriving: [Int] { Self.difference(ranksAfter, ranksBefore) }

  private static func difference(_ range: Range<Int>, _ other: Range<Int>) -> [Int] {
    let low = range.lowerBound..<max(range.lowerBound, min(range.upperBound, other.lowerBound))
    let high = min(range.upperBound, max(range.lowerBound, other.upperBound))..<range.upperBound
    return Array(low) + high.filter { !low.contains($0) }
  }

  // MARK: Cells that are drawn with others

  /// The row at a position of the list: an unchanged row that stayed, a row that has changed, or none.
  private enum Neighbour: Equatable {
    case unchanged(rank: Int)
    case changed
    case none
  }

  /// Returns the ranks of rows that are shown before and after, and for which a cell at one of the offsets has changed
  /// or is another cell than before. Only rows near a change are inspected.
  /// - Parameter offsets: The offsets in the order of the view.
  func ranksOfDependents(_ offsets: Set<Int>) -> Set<Int> {
    guard let old = before.part, let new = after.part else { return [] }
    // At a greater distance there is no cell, before and after.
    let farthest = max(old.shown, new.shown)
    let offsets = (new.isReversed ? offsets.reversedOffsets : offsets).filter { $0.magnitude < farthest.magnitude }
    let removed = Set(difference.removed)
    let added = Set(difference.added)
    let changedBefore = Set(difference.stayed.map(\.before))
    let changedAfter = Set(difference.stayed.map(\.after))
    func neighbourBefore(_ position: Int) -> Neighbour {
      guard let index = old.index(ofShown: position) else { return .none }
      if removed.contains(index) || changedBefore.contains(index) { return .changed }
      return .unchanged(rank: difference.rank(ofBefore: index))
    }
    func neighbourAfter(_ position: Int) -> Neighbour {
      guard let index = new.index(ofShown: position) else { return .none }
      if added.contains(index) || changedAfter.contains(index) { return .changed }
      return .unchanged(rank: difference.rank(ofAfter: index))
    }
    return candidates(near: offsets, from: old, to: new, removed: removed, added: added).filter { rank in
      guard let from = old.shown(ofIndex: difference.indexBefore(ofRank: rank)),
        let to = new.shown(ofIndex: difference.indexAfter(ofRank: rank))
      else { return false }
      return offsets.contains { offset in
        let now = neighbourAfter(to + offset)
        return now == .changed || now != neighbourBefore(from + offset)
      }
    }
  }

  /// Returns the ranks of rows that stayed and are near a changed row, or one that has entered or left the range.
  private func candidates(
    near offsets: Set<Int>,
    from old: MappingsLayout.Part,
    to new: MappingsLayout.Part,
    removed: Set<Int>,
    added: Set<Int>
  ) -> Set<Int> {
    let indexesAfter = difference.added + difference.stayed.map(\.after) + ranksArriving.map(difference.indexAfter)
    let indexesBefore = difference.removed + ranksLeaving.map(difference.indexBefore)
    var ranks: Set<Int> = []
    for offset in offsets {
      // The distances from a changed cell to the cells that may depend on it: to the one that is drawn with it, and to
      // those between, which may now be drawn with another cell.
      let near = offset > 0 ? (-offset)...(-1) : 1...(-offset)
      for cell in Self.cells(near, from: indexesAfter.compactMap(new.shown), count: new.shown) {
        guard let index = new.index(ofShown: cell), !added.contains(index) else { continue }
        ranks.insert(difference.rank(ofAfter: index))
      }
      for cell in Self.cells(near, from: indexesBefore.compactMap(old.shown), count: old.shown) {
        guard let index = old.index(ofShown: cell), !removed.contains(index) else { continue }
        ranks.insert(difference.rank(ofBefore: index))
      }
    }
    return ranks
  }

  /// Returns the cells at any of the distances from any of the positions, each once.
  private static func cells(_ distances: ClosedRange<Int>, from positions: [Int], count: Int) -> [Int] {
    var cells: [Int] = []
    var next = 0
    for position in positions.sorted() {
      let low = max(next, position + distances.lowerBound)
      let high = min(count - 1, position + distances.upperBound)
      guard low <= high else { continue }
      cells += low...high
      next = high + 1
    }
    return cells
  }
}
