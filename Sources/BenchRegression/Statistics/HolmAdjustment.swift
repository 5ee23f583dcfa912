internal import NumericConversion

/// Holm's adjustment of p-values for a family of tests: of all families without any real change, at most a share of
/// alpha contains an adjusted p-value of at most alpha, however the tests depend on each other.
///
/// Source: Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics, 1979.
public enum HolmAdjustment {
  /// Returns the adjusted p-values, in the order of the given ones.
  public static func adjusted(_ pValues: [Double]) -> [Double] {
    var adjusted = pValues
    var greatest = 0.0
    let order = pValues.indices.sorted { pValues[$0] < pValues[$1] }
    for (position, index) in order.enumerated() {
      greatest = max(greatest, min(1, pValues[index] * Double(pValues.count - position)))
      adjusted[index] = greatest
    }
    return adjusted
  }

  /// Returns the greatest size of a family in which `pairs` pairs can still show one change: the smallest two-sided
  /// p-value of n pairs is 2/2ⁿ. 0 if they cannot show a change even in a single test.
  public static func greatestFamily(pairs: Int, alpha: Double) -> Int {
    guard pairs < 62 else { return Int.max }
    return Int(saturating: alpha * Double(UInt64(1) << UInt64(max(pairs, 1) - 1)))
  }
}
