/// The rows that changed between two snapshots, by group, with their indexes in the two states.
struct GroupChanges {
  struct IndexedRow {
    let row: RowKey
    let index: Int
  }

  /// The changes of one group.
  struct Group {
    /// Rows that are no longer in the group, with their old indexes.
    var left: [IndexedRow] = []
    /// Rows that were not in the group before, with their new indexes.
    var entered: [IndexedRow] = []
    /// Changed rows that are in the group before and after.
    var changed: [GroupDifference.Changed] = []

    var difference: GroupDifference {
      GroupDifference(left: left.map(\.index), entered: entered.map(\.index), changed: changed)
    }
  }

  private(set) var groups: [ByteString: Group] = [:]

  /// Finds the indexes of the changed rows. No row of a group that was reset counts as changed: all rows that are known
  /// have left or entered the group.
  /// - Throws: `mismatchedMappings` if a state does not contain a changed row in the group that the changes name.
  init(_ changes: ViewChanges, from before: ViewState, to after: ViewState) throws {
    for (row, change) in changes.rows {
      let old = try change.before.map { try index($0, in: before) }
      let new = try change.after.map { try index($0, in: after) }
      if let old, let new, let group = change.after?.group, change.before?.group == group, !changes.resets(group) {
        groups[group, default: Group()].changed.append(.init(row: row, before: old, after: new))
        continue
      }
      if let old, let group = change.before?.group {
        groups[group, default: Group()].left.append(IndexedRow(row: row, index: old))
      }
      if let new, let group = change.after?.group {
        groups[group, default: Group()].entered.append(IndexedRow(row: row, index: new))
      }
    }
  }

  private func index(_ location: ViewChanges.Location, in state: ViewState) throws -> Int {
    if let position = state.position(ofRow: location.rowid), position.group == location.group { return position.index }
    throw ViewChanges.mismatch(inGroup: location.group)
  }
}

extension ViewChanges {
  /// Whether the changes of the group's individual rows may be unknown, because all of them were removed at once or the
  /// view was registered.
  func resets(_ group: ByteString) -> Bool { isReset || resetGroups.contains(group) }

  /// The error for changes that do not fit the states of the view.
  static func mismatch(inGroup group: ByteString) -> YapDatabaseError {
    YapDatabaseError(
      .mismatchedMappings,
      "the rows of group \"\(group.text)\" are not those that the modifications describe: the mappings and the "
        + "modifications are of different databases; use those of the same database"
    )
  }
}

/// The difference between a group's rows at two snapshots: the rows that left their positions, the rows that reached
/// new ones, and the rows that stayed. Old indexes are those at the first snapshot, new indexes those at the second.
///
/// Rows that stayed have the same order at both snapshots. The rank of such a row is its index among these rows.
///
/// If k rows changed, finding the difference takes O(k log k) steps. Unchanged rows are not inspected.
struct GroupDifference {
  /// A changed row that is in the group before and after.
  struct Changed {
    let row: RowKey
    let before: Int
    let after: Int
  }

  /// The old indexes, ascending, of rows that left the group or moved.
  let removed: [Int]
  /// The new indexes, ascending, of rows that entered the group or moved.
  let added: [Int]
  /// Changed rows that stayed.
  let stayed: [Changed]
  /// Changed rows that have another position relative to the rows that stayed.
  let moved: [Changed]

  /// - Parameters:
  ///   - left: The old indexes of rows that are no longer in the group.
  ///   - entered: The new indexes of rows that were not in the group.
  ///   - changed: The changed rows that are in the group before and after.
  init(left: [Int], entered: [Int], changed: [Changed]) {
    let allBefore = (left + changed.map(\.before)).sorted()
    let allAfter = (entered + changed.map(\.after)).sorted()
    // A changed row can stay only if the same number of unchanged rows precede it at both snapshots. As many of these
    // candidates stay as can keep their order.
    let candidates = changed.filter { row in
      row.before - allBefore.countBelow(row.before) == row.after - allAfter.countBelow(row.after)
    }.sorted { $0.before < $1.before }
    stayed = candidates.map(\.after).indexesOfLongestIncrease.map { candidates[$0] }
    let staying = Set(stayed.map(\.before))
    moved = changed.filter { !staying.contains($0.before) }
    removed = (left + moved.map(\.before)).sorted()
    added = (entered + moved.map(\.after)).sorted()
  }

  /// Returns the number of rows that stayed and precede an old index.
  func rank(ofBefore index: Int) -> Int { index - removed.countBelow(index) }

  /// Returns the number of rows that stayed and precede a new index.
  func rank(ofAfter index: Int) -> Int { index - added.countBelow(index) }

  func indexBefore(ofRank rank: Int) -> Int { Self.index(ofRank: rank, among: removed) }

  func indexAfter(ofRank rank: Int) -> Int { Self.index(ofRank: rank, among: added) }

  /// Returns the index of the row that stayed and has this rank. `others` are the ascending indexes of the rows that
  /// did not stay.
  private static func index(ofRank rank: Int, among others: [Int]) -> Int {
    // The row at others[i] is preceded by others[i] - i rows that stayed.
    rank + others.indices.partitioningIndex { others[$0] - $0 > rank }
  }
}

extension [Int] {
  /// The indexes of a longest strictly increasing subsequence, found by patience sorting.
  /// Source: Fredman, "On computing the length of longest increasing subsequences", Discrete Mathematics 11 (1975).
  var indexesOfLongestIncrease: [Int] {
    var ends: [Int] = []
    var previous = [Int?](repeating: nil, count: count)
    for (index, value) in enumerated() {
      let length = ends.indices.partitioningIndex { self[ends[$0]] >= value }
      previous[index] = length > 0 ? ends[length - 1] : nil
      if length == ends.count { ends.append(index) } else { ends[length] = index }
    }
    var indexes: [Int] = []
    var next = ends.last
    while let index = next {
      indexes.append(index)
      next = previous[index]
    }
    return indexes.reversed()
  }

  /// Returns the number of elements that are less than `limit`. The array must be sorted.
  func countBelow(_ limit: Int) -> Int { indices.partitioningIndex { self[$0] >= limit } }
}

extension Range<Int> {
  /// Returns the first index for which `holds` is true, or the range's end, by binary search. If `holds` is true for an
  /// index, it must be true for all later indexes.
  func partitioningIndex(where holds: (Int) throws -> Bool) rethrows -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = (low + high) / 2
      if try holds(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
