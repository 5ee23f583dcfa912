/// How a measured value is held against the expected one.
public enum Comparison: String, CaseIterable, Sendable {
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case equal = "=="

  public func holds(_ measured: Double, _ expected: Double) -> Bool {
    switch self {
    case .less: measured < expected
    case .lessOrEqual: measured <= expected
    case .greater: measured > expected
    case .greaterOrEqual: measured >= expected
    case .equal: measured == expected
    }
  }
}

/// What an expectation speaks about: a phase, an actor in it, or one of that actor's operations.
public struct ExpectationScope: Sendable, Equatable, CustomStringConvertible {
  public var phase: String
  public var actor: String?
  /// The operation's name as a report shows it; `advance` is the move of a long-lived snapshot.
  public var operation: String?

  public init(phase: String, actor: String? = nil, operation: String? = nil) {
    self.phase = phase
    self.actor = actor
    self.operation = operation
  }

  public var description: String {
    phase + (actor.map { "/\($0)" } ?? "") + (operation.map { ".\($0)" } ?? "")
  }
}

/// A claim about the run that is checked at its end, or, as an `abort`, at every sample on what the phase has measured
/// so far.
public struct Expectation: Sendable, Equatable {
  /// As the scenario writes it.
  public var source: String
  public var isAbort: Bool
  public var scope: ExpectationScope
  public var metric: Metric
  /// `nil` only for a metric that is one number already.
  public var aggregate: Aggregate?
  public var comparison: Comparison
  /// In the base unit: nanoseconds, bytes, per second, or a plain count.
  public var value: Double

  public var unit: MetricUnit { metric.unit }

  public init(
    source: String,
    isAbort: Bool = false,
    scope: ExpectationScope,
    metric: Metric,
    aggregate: Aggregate? = nil,
    comparison: Comparison,
    value: Double
  ) {
    self.source = source
    self.isAbort = isAbort
    self.scope = scope
    self.metric = metric
    self.aggregate = aggregate
    self.comparison = comparison
    self.value = value
  }
}
