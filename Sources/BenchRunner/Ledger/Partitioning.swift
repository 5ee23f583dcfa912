extension RandomAccessCollection where Index == Int {
  /// Returns the index of the first element that fulfils a condition, which all later elements fulfil too; the end if
  /// there is none.
  func partitioningIndex(where fulfils: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      if fulfils(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
