extension Collection<Double> {
  /// The middle value, or the mean of the two middle values.
  /// - Precondition: the collection is not empty.
  var median: Double {
    let sorted = sorted()
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? sorted[middle - 1] / 2 + sorted[middle] / 2 : sorted[middle]
  }
}
