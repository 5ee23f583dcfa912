extension Array {
  /// Returns the index of the first element that fulfils a condition, which all later elements fulfil too; the number
  /// of elements if there is none.
  func partitioningIndex(where fulfils: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if fulfils(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
