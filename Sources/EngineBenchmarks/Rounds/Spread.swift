internal import NumericConversion

/// The median of figures, and their spread.
public struct Spread: Sendable, Equatable, Codable {
  public let lowerQuartile: Double
  public let median: Double
  public let upperQuartile: Double

  /// nil if there are no figures.
  public init?(_ figures: [Double]) {
    guard !figures.isEmpty else { return nil }
    let sorted = figures.sorted()
    lowerQuartile = Self.quantile(0.25, of: sorted)
    median = Self.quantile(0.5, of: sorted)
    upperQuartile = Self.quantile(0.75, of: sorted)
  }

  /// Interpolates linearly between the two nearest figures: type 7 of Hyndman and Fan, "Sample quantiles in statistical
  /// packages", 1996.
  static func quantile(_ share: Double, of sorted: [Double]) -> Double {
    let place = share * Double(sorted.count - 1)
    let below = Int(saturating: place)
    let above = min(below + 1, sorted.count - 1)
    return sorted[below] + (sorted[above] - sorted[below]) * (place - Double(below))
  }
}
