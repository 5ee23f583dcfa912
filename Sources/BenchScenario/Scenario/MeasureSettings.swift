internal import LatencyMetrics

/// The settings of measurement.
public struct MeasureSettings: Sendable, Equatable {
  /// The sampling interval.
  public var everyNanoseconds: UInt64 = 100_000_000
  /// Significant decimal digits of the latency histograms, 1 to 5. A histogram in full use takes 8 KiB, 36 KiB,
  /// 264 KiB, 3.6 MiB or 26 MiB, and each worker has at least one for each of its actor's operations.
  public var histogramDigits = 3
}

// MARK: Keys

extension ScenarioGrammar {
  static let measure = Section(
    "the measurement settings",
    blank: MeasureSettings()
  ) {
    Key("every", .duration, in: \.everyNanoseconds)
      .means(
        "The sampling interval, and so the precision of `until` and of `abort`. A run keeps at most 2,000,000 samples. "
          + "Phases of known length that need more are rejected. In phases of unknown length, every second sample is "
          + "dropped and the interval doubles each time the limit is reached."
      )
    Key("histogramDigits", .integer(LatencyHistogram.supportedDigits), in: \.histogramDigits)
      .means(
        "The number of significant digits of latencies. With 1 to 5 digits, a fully used histogram takes 8 KiB, "
          + "36 KiB, 264 KiB, 3.6 MiB or 26 MiB. With 2 digits or more, a histogram of durations within a factor of "
          + "1,000 takes about a third of that."
      )
  }
}
