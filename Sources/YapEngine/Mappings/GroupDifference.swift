/// What became of a group's rows between two snapshots: which went or left their place, which came there, and which
/// stayed. Rows that stayed have the same order before and after, and rank among themselves.
///
/// From n rows of which k changed, it takes k log k steps; the rows that did not change are never looked at.
struct GroupDifference {
  /// A row that changed and is in the group before and after.
  struct Changed {
    let row: RowKey
    let before: Int
    let after: Int
  }

  /// Indexes before of rows that left their place, ascending.
  let removed: [Int]
  /// Indexes after of rows that came to theirs, ascending.
  let added: [Int]
  /// Changed rows that stayed.
  let stayed: [Changed]
  /// Changed rows that have another place among the rows that stayed.
  let moved: [Changed]

  /// - Parameters:
  ///   - gone: indexes before of rows that are in the group no more.
  ///   - come: indexes after of rows that were not in the group.
  ///   - changed: rows that changed and are in it before and after.
  init(gone: [Int], come: [Int], changed: [Changed]) {
    let allBefore = (gone + changed.map(\.before)).sorted()
    let allAfter = (come + changed.map(\.after)).sorted()
    // As many unchanged rows in front of it as before; and among those, as many as can keep their order.
    let candidates = changed.filter { row in
      row.before - allBefore.countBelow(row.before) == row.after - allAfter.countBelow(row.after)
    }.sorted { $0.before < $1.before }
    stayed = candidates.map(\.after).placesOfLongestIncrease.map { candidates[$0] }
    let staying = Set(stayed.map(\.before))
    moved = changed.filter { !staying.contains($0.before) }
    removed = (gone + moved.map(\.before)).sorted()
    added = (come + moved.map(\.after)).sorted()
  }

  /// Nothing has changed.
  init() { self.init(gone: [], come: [], changed: []) }

  /// How many rows that stayed come before an index of before.
  func rank(ofBefore index: Int) -> Int { index - removed.countBelow(index) }

  /// How many rows that stayed come before an index of after.
  func rank(ofAfter index: Int) -> Int { index - added.countBelow(index) }

  func indexBefore(ofRank rank: Int) -> Int { Self.index(ofRank: rank, among: removed) }

  func indexAfter(ofRank rank: Int) -> Int { Self.index(ofRank: rank, among: added) }

  /// Where the border in front of an index of before has gone: the indexes after at which something may have come in
  /// between. Empty if nothing did.
  func gap(before index: Int, count: Int) -> Range<Int> {
    let rank = rank(ofBefore: index)
    let lower = rank == 0 ? 0 : indexAfter(ofRank: rank - 1) + 1
    return lower..<max(lower, min(indexAfter(ofRank: rank), count))
  }

  /// The index of the row that stayed and has this rank; `others` are the indexes that those have which did not stay.
  private static func index(ofRank rank: Int, among others: [Int]) -> Int {
    // The one at place i has others[i] - i rows that stayed before it.
    var (low, high) = (0, others.count)
    while low < high {
      let middle = (low + high) / 2
      if others[middle] - middle <= rank { low = middle + 1 } else { high = middle }
    }
    return rank + low
  }
}

extension [Int] {
  /// The places of a longest increasing subsequence, by patience sorting.
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

  /// How many are less than `limit`; they have to be sorted.
  func countBelow(_ limit: Int) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < limit { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
