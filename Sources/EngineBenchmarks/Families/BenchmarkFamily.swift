/// A group of benchmarks that share their stores.
protocol BenchmarkFamily {
  /// The targets that the family measures.
  static var targets: Set<Int> { get }
  static func run(on bench: Workbench) throws
}

/// All families in the order in which they run. Families that write much run last, because the disk may stay busy
/// afterwards.
enum BenchmarkFamilies {
  static var all: [any BenchmarkFamily.Type] {
    [
      EmptyReads.self, CachedReads.self, UncachedReads.self, Enumerations.self, ManyReaders.self, HandOvers.self,
      Jumps.self, IdleConnections.self, ManyConnections.self, SingleWrites.self, BatchWrites.self,
      CheckpointTails.self, StuckBookmarks.self, JointCommits.self,
    ]
  }
}
