/// The choice of measurements.
package struct BenchmarkOptions: Sendable {
  /// Empty for all.
  package var targets: Set<TargetName> = []
  package var rounds = 9
  package var seed: UInt64 = 1
  package var scale = BenchmarkScale.whole
  /// The name of the only measured contestant, for a profiler; nil for all. A ratio to another one has no result.
  package var contestant: String?
  /// The folder of the databases during the session. It must exist and be empty.
  package var folder: String

  package init(folder: String) {
    self.folder = folder
  }
}

/// The sizes of the dataset and of each benchmark.
package struct BenchmarkScale: Sendable {
  package var rows = 100_000
  package var valueBytes = 100
  /// The number of cached rows that P2 reads with a transaction for each.
  package var cachedRows = 10_000
  /// The number of cached rows that P3 reads in one transaction, and that each reader of `P10.cores` reads.
  package var hotRows = 1_000
  /// The approximate duration of a turn, unless its number of operations or its time is fixed.
  package var batchNanoseconds: UInt64 = 60_000_000
  /// The turns of `P6.loop`, which contain hundreds of checkpoints.
  package var loop = LongTurns(nanoseconds: 10_000_000_000, mostRounds: 3)
  /// The duration of a turn of P10, whose readers have threads of their own.
  package var readersNanoseconds: UInt64 = 100_000_000
  /// The number of rows in each of P8's larger transactions; the smaller ones have 100.
  package var largeBatch = 10_000
  /// The number of commits that are handed over in a turn under each policy.
  package var handOvers = 1_000
  /// The number of keys in each commit of `P12.few`. The commits of `P12.some` have a tenth of them, and of `P12.many`
  /// a hundredth.
  package var jumpKeys = 1_000
  /// The number of commits whose memory is measured while a bookmark has not passed them.
  package var waitingCommits = 20_000
  /// The number of updates whose row changes are measured.
  package var viewUpdates = 7_000
  /// The number of idle connections of P13, and the number of all connections of P15's larger store.
  package var idleConnections = 64
  /// The number of connections that write concurrently.
  package var writers = 16
  /// The number of commits in a turn of each connection that writes concurrently.
  package var writerCommits = 50
  /// The smallest size of the WAL behind P16's stuck bookmark.
  package var stuckWALBytes = 256 << 20
  /// The size that P16's other WAL has reached when its bookmark begins to move.
  package var shortWALBytes = 1 << 20
  /// The number of transactions of 100 rows in a turn of P17.
  package var tailCommits = 400

  /// The number of rows that a turn of P20 inserts.
  package var insertedRows = 10_000
  /// The size of P23's values.
  package var largeValueBytes = 100_000
  /// The number of transactions in a turn of P24. Their frames exceed the limit of the WAL several times.
  package var stalledCommits = 4_000

  /// The duration of the phase of a scenario of the harness's targets. The first 10 ms of checks do not count against
  /// their budget, so a much shorter phase would show a larger share of checks.
  package var harnessNanoseconds: UInt64 = 1_000_000_000
  /// The number of rows that H8 loads.
  package var loadedRows = 200_000

  /// The sizes that the targets specify, except for the WAL behind the stuck bookmark.
  package static let whole = BenchmarkScale()
}
