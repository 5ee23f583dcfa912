/// The choice of measurements.
public struct BenchmarkOptions: Sendable {
  /// Numbers of targets, such as 6 for P6; empty for all.
  public var targets: Set<Int> = []
  public var rounds = 9
  public var seed: UInt64 = 1
  public var scale = BenchmarkScale.whole
  /// The only contestant that takes its turns, for a profiler, such as `engine`; nil for all contestants. With a single
  /// one there are no ratios.
  public var contestant: String?
  /// The folder of the databases during the session. It must exist and be empty.
  public var folder: String

  public init(folder: String) {
    self.folder = folder
  }
}

/// The sizes of the dataset and of each benchmark.
public struct BenchmarkScale: Sendable {
  public var rows = 100_000
  public var valueBytes = 100
  /// Rows from which the cached reads choose, in a transaction each.
  public var cachedRows = 10_000
  /// Rows from which the cached reads inside one transaction choose.
  public var hotRows = 1_000
  /// The approximate duration of a contestant's turn.
  public var batchNanoseconds: UInt64 = 60_000_000
  /// The duration of a turn of several readers.
  public var readersNanoseconds: UInt64 = 100_000_000
  /// The number of rows of the larger of the two written batches.
  public var largeBatch = 10_000
  /// The number of commits that are handed over in a turn.
  public var handOvers = 1_000
  /// Keys in each of 10 commits that a bookmark jumps over; each of 100 commits has a tenth, each of 1,000 a hundredth.
  public var jumpKeys = 1_000
  /// The number of commits behind a bookmark whose memory is measured.
  public var waitingCommits = 20_000
  public var idleConnections = 64
  /// The number of connections that write concurrently.
  public var writers = 16
  /// The number of commits of each of these connections in a turn.
  public var writerCommits = 50
  /// The size of the WAL behind a stuck bookmark.
  public var stuckWALBytes = 256 << 20
  /// The size of the WAL with which it is compared.
  public var shortWALBytes = 1 << 20
  /// The number of transactions of 100 rows whose slowest hundredth is evaluated.
  public var tailCommits = 400

  /// The sizes that the targets specify, except for the WAL behind the stuck bookmark.
  public static let whole = BenchmarkScale()
}
