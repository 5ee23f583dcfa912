/// The part of a run to which a figure belongs: a phase, an actor in it, one of its operations, or one kind of the
/// phase's events.
public struct FigureScope: Hashable, Codable, Sendable, CustomStringConvertible {
  public var phase: String
  /// nil for the whole phase; `events` for the phase's events.
  public var actor: String?
  /// The operation's name in a report, such as `advance` for the move of a long-lived snapshot, or an event's word.
  public var operation: String?
  /// The outcome of the operation's reads in the connection's caches; nil for all reads.
  public var outcome: CacheOutcome?

  package init(
    _ phase: String,
    actor: String? = nil,
    operation: String? = nil,
    outcome: CacheOutcome? = nil
  ) {
    (self.phase, self.actor, self.operation, self.outcome) = (phase, actor, operation, outcome)
  }

  public var description: String {
    phase + (actor.map { "/\($0)" } ?? "") + (operation.map { ".\($0)" } ?? "")
      + (outcome.map { ".\($0.rawValue)" } ?? "")
  }
}

/// The name of a figure of a run, such as `stall/import response.p99`. `PhaseFigures` computes its value.
///
/// Expectations, comparisons, reports and exports select figures by these names.
public struct FigureID: Hashable, Codable, Sendable, CustomStringConvertible {
  public var scope: FigureScope
  public var metric: Metric
  /// nil if and only if the metric has no aggregates.
  public var aggregate: Aggregate?
  /// Whether it is the metric's share of its whole, such as of dropped arrivals in all arrivals.
  public var isShare = false

  package init(_ metric: Metric, _ aggregate: Aggregate? = nil, of scope: FigureScope) {
    (self.metric, self.aggregate, self.scope) = (metric, aggregate, scope)
  }

  public var unit: FigureUnit { isShare ? .share : metric.unit }

  /// The values that are better, for a metric of which fewer or more are better.
  package var better: BetterValues { [.throughput, .operations, .loadEndRate].contains(metric) ? .higher : .lower }

  /// The title in tables, such as "service p99" or "WAL peak".
  package var title: String {
    (aggregate?.percentile.map { "\(metric) \($0.name)" } ?? metric.title) + (isShare ? " share" : "")
  }

  /// The figure without its scope, in the syntax of the scenario.
  package var nameInScope: String { "\(metric)" + (aggregate.map { ".\($0.rawValue)" } ?? "") + (isShare ? " %" : "") }

  /// The figure in the syntax of the scenario.
  public var description: String { "\(scope) \(nameInScope)" }
}
