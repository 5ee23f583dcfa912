/// Ranks in which equal values share the mean of theirs.
enum MeanRanks {
  /// Returns twice the rank of each value, from 1: doubled, a mean rank is a whole number.
  static func doubled(_ values: [Double]) -> [Int] {
    let order = values.indices.sorted { values[$0] < values[$1] }
    var ranks = [Int](repeating: 0, count: values.count)
    var first = 0
    while first < values.count {
      var next = first + 1
      while next < values.count, values[order[next]] == values[order[first]] { next += 1 }
      for position in first..<next { ranks[order[position]] = first + 1 + next }
      first = next
    }
    return ranks
  }
}
