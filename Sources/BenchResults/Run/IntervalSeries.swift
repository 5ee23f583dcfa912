public import LatencyMetrics

/// The durations that ended in one second of a phase. If a worker reports late, the second has several entries.
public struct IntervalResult: Sendable, Equatable {
  public var startNanoseconds: UInt64 = 0
  public var endNanoseconds: UInt64 = 0
  public var count = 0
  public var p50Nanoseconds: UInt64 = 0
  public var p99Nanoseconds: UInt64 = 0
  public var maximumNanoseconds: UInt64 = 0

  /// The most seconds, of all actors and kinds of time together, that a run may plan.
  package static let mostInRun = 10_000_000
  /// The length of a second that the phase's end has not cut short.
  package static let wholeNanoseconds: UInt64 = 1_000_000_000

  var isInOrder: Bool { startNanoseconds <= endNanoseconds }
}

extension IntervalResult {
  public init(startNanoseconds: UInt64, endNanoseconds: UInt64, _ histogram: LatencyHistogram) {
    self.init(
      startNanoseconds: startNanoseconds,
      endNanoseconds: endNanoseconds,
      count: histogram.count,
      p50Nanoseconds: histogram.value(atPercentile: 50),
      p99Nanoseconds: histogram.value(atPercentile: 99),
      maximumNanoseconds: histogram.maximum
    )
  }
}

/// The seconds of a phase. `run.json` has a column for each property of the seconds.
public struct IntervalSeries: Codable, Sendable, Equatable, RandomAccessCollection {
  private var seconds: [IntervalResult]

  public init(_ seconds: [IntervalResult] = []) { self.seconds = seconds }

  public var startIndex: Int { seconds.startIndex }
  public var endIndex: Int { seconds.endIndex }
  public subscript(index: Int) -> IntervalResult { seconds[index] }

  public mutating func append(_ second: IntervalResult) { seconds.append(second) }

  private static var figures: [Figure<IntervalResult>] {
    [
      Figure("startNanoseconds", \.startNanoseconds, omitsZeros: false),
      Figure("endNanoseconds", \.endNanoseconds, omitsZeros: false),
      Figure("count", \.count, omitsZeros: false), Figure("p50Nanoseconds", \.p50Nanoseconds, omitsZeros: false),
      Figure("p99Nanoseconds", \.p99Nanoseconds, omitsZeros: false),
      Figure("maximumNanoseconds", \.maximumNanoseconds, omitsZeros: false),
    ]
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: ColumnKey.self)
    let count = try container.column("startNanoseconds")?.numbers.count ?? 0
    seconds = Array(repeating: IntervalResult(), count: count)
    try container.decode(Self.figures, into: &seconds)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: ColumnKey.self)
    try container.encode(Self.figures, of: seconds)
  }
}
