/// Which keys of a collection an actor picks.
public enum KeyDistribution: Sendable, Equatable {
  case sequential
  case uniform
  /// A true Zipf law over ranks.
  case zipfian(theta: Double)
  /// That share of the keys gets that share of the operations; both are fractions of 1.
  case hotspot(dataShare: Double, operationShare: Double)
  /// That fraction of the keys gets `percentile` of the operations; both are fractions of 1.
  case exponential(percentile: Double, fraction: Double)
}
