internal import HarnessPrimitives

/// A rule that makes one number of many.
public enum Aggregate: String, CaseIterable, Sendable {
  case min, mean, max, last, sum, p50, p90, p95, p99
  case p999 = "p99_9"
  case p9999 = "p99_99"

  package static let percentiles: [Aggregate] = [.p50, .p90, .p95, .p99, .p999, .p9999]

  /// nil for an aggregate that is no percentile.
  package var percentile: Percentile? {
    Self.percentiles.firstIndex(of: self).map { Percentile.all[$0] }
  }
}

/// A quantity that expectations and conditions name. `Metric+Table` has a row for each.
public struct Metric: RawRepresentable, Hashable, CaseIterable, Sendable, CustomStringConvertible {
  package enum Scope { case phase, actor }

  /// The name as a scenario writes it.
  public let rawValue: String
  /// Seconds and byte-seconds are plain numbers in scenarios.
  public let unit: FigureUnit
  package let aggregation: MetricAggregation
  package let scope: Scope
  public let source: MetricSource
  /// The feature without which a driver does not have the metric; nil for a metric of every driver.
  package let feature: DriverFeature?
  /// The only driver that has the metric; nil for a metric of several drivers.
  package let driver: String?
  /// The meaning, in sentences for the reference.
  package private(set) var summary = ""
  /// The count of which an expectation can state this count as a share; nil if it cannot.
  package private(set) var whole: String?

  init(
    _ name: String,
    _ unit: FigureUnit,
    aggregates aggregation: MetricAggregation = .values,
    of scope: Scope = .phase,
    from source: MetricSource,
    with feature: DriverFeature? = nil,
    only driver: String? = nil
  ) {
    rawValue = name
    self.unit = unit
    self.aggregation = aggregation
    self.scope = scope
    self.source = source
    self.feature = feature
    self.driver = driver
  }

  public init?(rawValue: String) {
    guard let metric = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = metric
  }

  func means(_ summary: String) -> Metric {
    var result = self
    result.summary = summary
    return result
  }

  func hasShare(of whole: String) -> Metric {
    var result = self
    result.whole = whole
    return result
  }

  public static func == (left: Metric, right: Metric) -> Bool { left.rawValue == right.rawValue }
  public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

  public var description: String { rawValue }

  /// The aggregates of which one must be named; empty if the metric is one number already.
  public var aggregates: [Aggregate] { aggregation.all }

  /// Whether actors have the metric too, and not only phases.
  public var isKeptByActor: Bool { scope == .actor }

  /// Whether it is sampled at every interval, so that a condition can watch it.
  public var isSampled: Bool { if case .sample = source { true } else { false } }

  /// The count of a connection's caches that the metric is; nil for any other metric.
  public var cacheCount: MetricSource.CacheCount? {
    if case .cacheCount(let count) = source { count } else { nil }
  }

  /// The count of writes to files that the metric is; nil for any other metric.
  public var fileCount: ((FileWrites) -> Int)? {
    if case .fileCount(let count) = source { count } else { nil }
  }

  /// Returns a sample's stored bytes or count of writes to files; nil for any other metric, and without such a count.
  public func writeCount(in sample: EngineSample) -> Int? {
    switch source {
    case .logicalBytes: sample.logicalBytes.values.saturatingSum()
    case .fileCount(let count): sample.writes.map(count)
    default: nil
    }
  }
}

/// The aggregates that a metric has.
package enum MetricAggregation {
  /// None: the metric is one number already.
  case one
  /// Of the rates of whole seconds. Once a phase is over, the mean covers the whole phase.
  case rates
  /// Of a histogram of durations.
  case durations
  /// Of a list of values.
  case values
  /// Of a list of increments, whose sum is the phase's count.
  case increments

  var all: [Aggregate] {
    switch self {
    case .one: []
    case .rates: [.mean, .min, .max]
    case .durations: [.min, .mean, .max] + Aggregate.percentiles
    case .values, .increments: [.min, .mean, .max, .last, .sum] + Aggregate.percentiles
    }
  }

  /// The aggregate that a message proposes if one is missing; nil if none is needed.
  package var suggested: Aggregate? {
    switch self {
    case .one: nil
    case .rates: .mean
    case .durations: .p99
    case .values: .max
    case .increments: .sum
    }
  }
}

/// The origin of a metric's values.
public enum MetricSource: Sendable {
  /// A count of one of a connection's caches.
  public struct CacheCount: Sendable {
    typealias Cache = any WritableKeyPath<EngineSample.Caches, EngineSample.CacheCounts> & Sendable

    let cache: Cache
    let count: any WritableKeyPath<EngineSample.CacheCounts, Int> & Sendable

    /// The path to the count from a connection's caches. Not `Sendable`, like every appended key path.
    var path: WritableKeyPath<EngineSample.Caches, Int> {
      let cache: WritableKeyPath<EngineSample.Caches, EngineSample.CacheCounts> = cache
      return cache.appending(path: count)
    }

    public func value(in caches: EngineSample.Caches) -> Int { caches[keyPath: cache][keyPath: count] }
    /// The number of all reads of the cache.
    public func reads(in caches: EngineSample.Caches) -> Int { caches[keyPath: cache].reads }
  }

  /// Histograms of transactions and operations.
  case times(TimeKind)
  /// Transactions, or operations of one kind, that ended.
  case throughput
  /// Histograms of waits for a lane of the engine, of whole transactions and not of operations.
  case laneWaits
  case notificationLag
  /// Histograms of the times from commits to the reads of the changed rows by actors that react to notifications.
  case notificationReads
  case phaseDuration
  /// Nested transactions that the engine refused.
  case deadlocks
  case allocations
  /// The histogram of the delays with which free workers began due transactions.
  case lateness
  case droppedArrivals
  /// The harness's own cost, measured after the run.
  case harnessOverhead
  case walArea
  case writeAmplification
  case checkpointCount
  /// A value of every sample. The closure also gets the size of a frame of the WAL in bytes, header and page.
  case sample(@Sendable (EngineSample, _ frameBytes: Int) -> Double?)
  /// Increments of a count of a connection's caches from one sample to the next.
  case cacheCount(CacheCount)
  /// Increments of a count in the samples, from one sample to the next.
  case sampledCount(@Sendable (EngineSample) -> Double?)
  /// Bytes that the actors' transactions store from one sample to the next.
  case logicalBytes
  /// Increments of a count of writes to files from one sample to the next.
  case fileCount(@Sendable (FileWrites) -> Int)
  /// Every checkpoint of the phase.
  case checkpoints(@Sendable (CheckpointResult) -> Double)
  /// Every opening of the database after an event of the phase has ended the engine's process.
  case recoveries(@Sendable (EventResult.Recovery) -> Double)

  static func wal(_ value: @escaping @Sendable (EngineSample.WAL) -> Int) -> MetricSource {
    .sample { sample, _ in sample.wal.map { Double(value($0)) } }
  }

  /// A value of the connection with the oldest pinned snapshot; 0 if no pin keeps frames from being copied; nil for a
  /// sample without a WAL.
  static func pin(_ value: @escaping @Sendable (EngineSample.Connection, _ frameBytes: Int) -> Double) -> MetricSource {
    .sample { sample, frameBytes in
      sample.wal.map { wal in
        sample.connections.first { $0.name == wal.pinnedBy }.map { value($0, frameBytes) } ?? 0
      }
    }
  }

  /// A figure that only one engine has; nil for a sample without it.
  static func figure(_ name: String) -> MetricSource {
    .sample { sample, _ in sample.figures[name].map { Double($0) } }
  }

  /// The greatest value of all connections; nil without connections.
  static func greatest(_ value: @escaping @Sendable (EngineSample.Connection) -> Double) -> MetricSource {
    .sample { sample, _ in sample.connections.map(value).max() }
  }
}
