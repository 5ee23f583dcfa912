/// Benchmarks that share their stores.
protocol BenchmarkFamily {
  /// The targets that it answers.
  static var targets: Set<Int> { get }
  static func run(on bench: Workbench) throws
}

/// In the order in which they run: those that write much come last, because a disk may be busy with it afterwards.
enum BenchmarkFamilies {
  static var all: [any BenchmarkFamily.Type] {
    [
      EmptyReads.self, CachedReads.self, UncachedReads.self, Enumerations.self, ManyReaders.self, HandOvers.self,
      Jumps.self, IdleConnections.self, ManyConnections.self, SingleWrites.self, BatchWrites.self,
      CheckpointTails.self, StuckBookmarks.self, JointCommits.self,
    ]
  }
}
