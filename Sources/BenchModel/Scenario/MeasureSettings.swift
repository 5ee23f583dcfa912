/// How the run is measured.
public struct MeasureSettings: Sendable, Equatable {
  /// The sampling interval.
  public var everyNanoseconds: UInt64
  /// Significant decimal digits of the latency histograms, 1 to 5. A histogram in full use takes 8 KiB, 36 KiB,
  /// 264 KiB, 3.6 MiB or 26 MiB, and every operation of every worker has some.
  public var histogramDigits: Int

  public init(everyNanoseconds: UInt64 = 100_000_000, histogramDigits: Int = 3) {
    self.everyNanoseconds = everyNanoseconds
    self.histogramDigits = histogramDigits
  }
}
