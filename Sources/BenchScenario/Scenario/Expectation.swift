public import BenchResults

/// The scope of an expectation: a phase, an actor in it, one of its operations, or one kind of the phase's events.
public struct ExpectationScope: Sendable, Equatable, CustomStringConvertible {
  public var phase: String
  /// nil for the whole phase; `events` for the phase's events.
  public var actor: String?
  /// The operation's name in a report, such as `advance` for the move of a long-lived snapshot, or an event's word.
  public var operation: String?
  /// The outcome of the operation's reads in the connection's caches; nil for all reads.
  public var outcome: CacheOutcome?

  public var description: String {
    phase + (actor.map { "/\($0)" } ?? "") + (operation.map { ".\($0)" } ?? "")
      + (outcome.map { ".\($0.rawValue)" } ?? "")
  }
}

/// A figure of a run that an expectation names, such as `stall/import response.p99`.
public struct ExpectedFigure: Sendable, Equatable, CustomStringConvertible {
  /// The variants that it belongs to; nil for no restriction.
  public var choice: VariantChoice?
  public var scope: ExpectationScope
  public var metric: Metric
  /// nil if and only if the metric has no aggregates.
  public var aggregate: Aggregate?
  /// Whether it is the metric's share of its whole, such as of dropped arrivals in all arrivals.
  public var isShare = false

  public var unit: FigureUnit { isShare ? .share : metric.unit }

  /// Whether the figure is one of a variant with these settings.
  public func belongs(to settings: [VariantSetting]) -> Bool { choice?.includes(settings) ?? true }

  /// The figure in the syntax of the scenario, without its variants.
  public var description: String { "\(scope) \(metric)" + (aggregate.map { ".\($0.rawValue)" } ?? "") }
}

/// A bound on a figure, which is checked at the end of the run. An `abort` is also checked at each sample of its phase,
/// on what the phase has measured so far.
public struct Expectation: Sendable, Equatable {
  /// The right side of the comparison.
  public enum Bound: Sendable, Equatable {
    /// In the figure's base unit, or a share from 0 to 1.
    case value(Double)
    /// A figure of the same run, or of the variant that the figure's choice selects, times a factor.
    case figure(ExpectedFigure, factor: Double)
  }

  /// The text in the scenario.
  public var source: String
  public var isAbort = false
  public var figure: ExpectedFigure
  public var comparison: Comparison
  public var bound: Bound

  /// The figure of another variant with which the expectation compares; nil if it concerns one run alone.
  public var figureOfOtherVariant: ExpectedFigure? {
    if case .figure(let other, _) = bound, other.choice != nil { other } else { nil }
  }

  /// The figures on both sides.
  public var figures: [ExpectedFigure] {
    if case .figure(let other, _) = bound { [figure, other] } else { [figure] }
  }
}
