/// How the run is measured.
public struct MeasureSettings: Sendable, Equatable {
  /// The sampling interval.
  public var everyNanoseconds: UInt64
  /// Significant decimal digits of the latency histograms, 1 to 5. Each histogram takes 5 KB, 37 KB, 270 KB, 3.8 MB or
  /// 27 MB, and every operation of every worker has some.
  public var histogramDigits: Int

  public init(everyNanoseconds: UInt64 = 100_000_000, histogramDigits: Int = 3) {
    self.everyNanoseconds = everyNanoseconds
    self.histogramDigits = histogramDigits
  }
}
