/// Which keys of a collection an actor picks.
public enum KeyDistribution: Sendable, Equatable {
  case sequential
  case uniform
  /// A true Zipf law over ranks.
  case zipfian(theta: Double)
  /// YCSB's `zipfian`, bit for bit: much flatter than a Zipf law, and the hot keys lie all over the collection.
  case scrambledZipfian
  /// YCSB's `latest`, bit for bit, over the rows that were loaded: the last row is the hottest.
  case latest
  /// That share of the keys gets that share of the operations; both are fractions of 1.
  case hotspot(dataShare: Double, operationShare: Double)
  /// That fraction of the keys gets `percentile` of the operations; both are fractions of 1.
  case exponential(percentile: Double, fraction: Double)
}
