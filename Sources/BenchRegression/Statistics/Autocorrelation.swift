extension [Double] {
  /// The correlation of each value with the one before it; 0 if all are equal.
  public var lag1Autocorrelation: Double {
    let mean = reduce(0, +) / Double(count)
    let deviations = map { $0 - mean }
    let variance = deviations.reduce(0) { $0 + $1 * $1 }
    guard variance > 0 else { return 0 }
    return zip(deviations, deviations.dropFirst()).reduce(0) { $0 + $1.0 * $1.1 } / variance
  }
}
