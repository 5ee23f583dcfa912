/// The unit of a figure, of a metric's values and of a chart's axis. The raw value is its name in records and pages.
public enum FigureUnit: String, Codable, Sendable, CaseIterable {
  case nanoseconds = "ns"
  case seconds = "s"
  case bytes = "B"
  case byteSeconds = "B·s"
  case perSecond = "1/s"
  case count = "count"
  /// 0 to 1; written in per cent.
  case share = "share"
  /// 100 times a share, for changes.
  case percent = "%"
  /// A percentile as -log10 of the share beyond it: 2 is p99.
  case tail = "p"
  /// A number without a unit, such as a ratio or a count per operation.
  case number = ""
}

/// The values of a figure that are better.
public enum BetterValues: String, Codable, Sendable {
  case lower, higher
}
