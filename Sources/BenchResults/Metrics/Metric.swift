/// A quantity that expectations and conditions name. `Metric+Table` has a row for each.
public struct Metric: RawRepresentable, Hashable, Codable, CaseIterable, Sendable, CustomStringConvertible {
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
  /// The title of the metric's most common figure in tables and comparisons, such as "WAL peak" for the maximum.
  package private(set) var title: String
  /// The family of OpenMetrics that has the last value, or the total; nil for a metric that is not exported.
  package private(set) var family: MetricFamily?

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
    title = name
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

  func means(_ summary: String) -> Metric { with(\.summary, summary) }
  func hasShare(of whole: String) -> Metric { with(\.whole, whole) }
  func titled(_ title: String) -> Metric { with(\.title, title) }

  /// - Parameters:
  ///   - name: The name of the family without the program's name and the unit.
  ///   - unit: Follows the name; "" for none.
  ///   - label: The label that distinguishes the metric from others of the family.
  func exported(
    as name: String,
    unit: String = "",
    label: (name: String, value: String)? = nil,
    help: String
  ) -> Metric {
    let name = unit.isEmpty ? name : "\(name)_\(unit)"
    return with(\.family, MetricFamily(name: name, unit: unit, label: label, help: help))
  }

  private func with<Value>(_ property: WritableKeyPath<Metric, Value>, _ value: Value) -> Metric {
    var result = self
    result[keyPath: property] = value
    return result
  }

  public var description: String { rawValue }

  /// The aggregates of which one must be named; empty if the metric is one number already.
  public var aggregates: [Aggregate] { aggregation.all }

  /// Whether actors have the metric too, and not only phases.
  public var isKeptByActor: Bool { scope == .actor }

  /// Whether it is sampled at every interval, so that a condition can watch it.
  public var isSampled: Bool {
    switch source {
    case .sample, .connection: true
    default: false
    }
  }

  /// The count of a connection's caches that the metric is; nil for any other metric.
  var cacheCount: MetricSource.CacheCount? {
    if case .cacheCount(let count) = source { count } else { nil }
  }
}

/// A family of OpenMetrics: series with one name and help, which differ in labels.
package struct MetricFamily: Sendable {
  /// The name without the program's, and with the unit at the end.
  package let name: String
  /// "" for none.
  package let unit: String
  package let label: (name: String, value: String)?
  /// A sentence.
  package let help: String
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
