/// The choice of measurements.
public struct BenchmarkOptions: Sendable {
  /// Empty for all.
  public var targets: Set<TargetName> = []
  public var rounds = 9
  public var seed: UInt64 = 1
  public var scale = BenchmarkScale.whole
  /// The name of the only measured contestant, for a profiler; nil for all. A ratio to another one has no result.
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
  /// The number of cached rows that P2 reads with a transaction for each.
  public var cachedRows = 10_000
  /// The number of cached rows that P3 reads in one transaction, and that each reader of `P10.cores` reads.
  public var hotRows = 1_000
  /// The approximate duration of a turn, unless its number of operations or its time is fixed.
  public var batchNanoseconds: UInt64 = 60_000_000
  /// The turns of `P6.loop`, which contain hundreds of checkpoints.
  public var loop = LongTurns(nanoseconds: 10_000_000_000, mostRounds: 3)
  /// The duration of a turn of P10, whose readers have threads of their own.
  public var readersNanoseconds: UInt64 = 100_000_000
  /// The number of rows in each of P8's larger transactions; the smaller ones have 100.
  public var largeBatch = 10_000
  /// The number of commits that are handed over in a turn under each policy.
  public var handOvers = 1_000
  /// The number of keys in each commit of `P12.few`. The commits of `P12.some` have a tenth of them, and of `P12.many`
  /// a hundredth.
  public var jumpKeys = 1_000
  /// The number of commits whose memory is measured while a bookmark has not passed them.
  public var waitingCommits = 20_000
  /// The number of updates whose row changes are measured.
  public var viewUpdates = 7_000
  /// The number of idle connections of P13, and the number of all connections of P15's larger store.
  public var idleConnections = 64
  /// The number of connections that write concurrently.
  public var writers = 16
  /// The number of commits in a turn of each connection that writes concurrently.
  public var writerCommits = 50
  /// The smallest size of the WAL behind P16's stuck bookmark.
  public var stuckWALBytes = 256 << 20
  /// The size that P16's other WAL has reached when its bookmark begins to move.
  public var shortWALBytes = 1 << 20
  /// The number of transactions of 100 rows in a turn of P17.
  public var tailCommits = 400

  /// The duration of the phase of a scenario of the harness's targets. The first 10 ms of checks do not count against
  /// their budget, so a much shorter phase would show a larger share of checks.
  public var harnessNanoseconds: UInt64 = 1_000_000_000
  /// The number of rows that H8 loads.
  public var loadedRows = 200_000

  /// The sizes that the targets specify, except for the WAL behind the stuck bookmark.
  public static let whole = BenchmarkScale()
}
