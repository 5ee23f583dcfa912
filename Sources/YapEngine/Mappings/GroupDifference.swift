/// The difference between a group's rows at two snapshots: the rows that left their positions, the rows that reached
/// new ones, and the rows that stayed. Old indexes are those at the first snapshot, new indexes those at the second.
///
/// Rows that stayed have the same order at both snapshots. The rank of such a row is its index among the rows that
/// stayed.
///
/// If k of n rows changed, it takes O(k log k) steps. Unchanged rows are not inspected.
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
  ///   - gone: The old indexes of rows that are no longer in the group.
  ///   - come: The new indexes of rows that were not in the group.
  ///   - changed: The changed rows that are in the group before and after.
  init(gone: [Int], come: [Int], changed: [Changed]) {
    let allBefore = (gone + changed.map(\.before)).sorted()
    let allAfter = (come + changed.map(\.after)).sorted()
    // A changed row can stay only if the same number of unchanged rows precede it before and after. As many of these
    // candidates stay as can keep their order.
    let candidates = changed.filter { row in
      row.before - allBefore.countBelow(row.before) == row.after - allAfter.countBelow(row.after)
    }.sorted { $0.before < $1.before }
    stayed = candidates.map(\.after).placesOfLongestIncrease.map { candidates[$0] }
    let staying = Set(stayed.map(\.before))
    moved = changed.filter { !staying.contains($0.before) }
    removed = (gone + moved.map(\.before)).sorted()
    added = (come + moved.map(\.after)).sorted()
  }

  /// Creates the difference of a group without changes.
  init() { self.init(gone: [], come: [], changed: []) }

  /// Returns the number of rows that stayed and precede an old index.
  func rank(ofBefore index: Int) -> Int { index - removed.countBelow(index) }

  /// Returns the number of rows that stayed and precede a new index.
  func rank(ofAfter index: Int) -> Int { index - added.countBelow(index) }

  func indexBefore(ofRank rank: Int) -> Int { Self.index(ofRank: rank, among: removed) }

  func indexAfter(ofRank rank: Int) -> Int { Self.index(ofRank: rank, among: added) }

  /// Returns the new indexes of the rows that were added at the boundary in front of an old index. If none were added,
  /// the range is empty and starts at the boundary's new index.
  func gap(before index: Int, count: Int) -> Range<Int> {
    let rank = rank(ofBefore: index)
    let lower = rank == 0 ? 0 : indexAfter(ofRank: rank - 1) + 1
    return lower..<max(lower, min(indexAfter(ofRank: rank), count))
  }

  /// Returns the index of the row that stayed and has this rank. `others` are the ascending indexes of the rows that
  /// did not stay.
  private static func index(ofRank rank: Int, among others: [Int]) -> Int {
    // The row at others[i] is preceded by others[i] - i rows that stayed.
    var (low, high) = (0, others.count)
    while low < high {
      let middle = (low + high) / 2
      if others[middle] - middle <= rank { low = middle + 1 } else { high = middle }
    }
    return rank + low
  }
}

extension [Int] {
  /// The indexes of a longest strictly increasing subsequence, found by patience sorting.
  /// Source: Fredman, "On computing the length of longest increasing subsequences", Discrete Mathematics 11 (1975).
  var placesOfLongestIncrease: [Int] {
    var ends: [Int] = []
    var previous = [Int?](repeating: nil, count: count)
    for (place, value) in enumerated() {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if self[ends[middle]] < value { low = middle + 1 } else { high = middle }
      }
      previous[place] = low > 0 ? ends[low - 1] : nil
      if low == ends.count { ends.append(place) } else { ends[low] = place }
    }
    var places: [Int] = []
    var next = ends.last
    while let place = next {
      places.append(place)
      next = previous[place]
    }
    return places.reversed()
  }

  /// Returns the number of elements that are less than `limit`. The array must be sorted.
  func countBelow(_ limit: Int) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < limit { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
