/// How much there is of everything.
public struct BenchmarkScale: Sendable {
  public var rows = 100_000
  public var valueBytes = 100
  /// Rows that the cached reads choose from, with a transaction each.
  public var cachedRows = 10_000
  /// The same inside one transaction.
  public var hotRows = 1_000
  /// About how long a contestant's turn takes.
  public var batchNanoseconds: UInt64 = 60_000_000
  /// For how long several readers read in a turn.
  public var readersNanoseconds: UInt64 = 100_000_000
  /// Rows of the larger one of the two batches that are written.
  public var largeBatch = 10_000
  /// Commits that are handed over in a turn.
  public var handOvers = 1_000
  /// Keys of each of 10 commits that a bookmark jumps over; of 100 commits a tenth of it, of 1,000 a hundredth.
  public var jumpKeys = 1_000
  /// Commits behind a bookmark whose memory is measured.
  public var waitingCommits = 20_000
  public var idleConnections = 64
  /// Connections that write at once.
  public var writers = 16
  /// Commits of each of them in a turn.
  public var writerCommits = 50
  /// Bytes of the WAL behind a bookmark that is stuck.
  public var stuckWALBytes = 256 << 20
  /// Of the one that it is held against.
  public var shortWALBytes = 1 << 20
  /// Transactions of 100 rows of which the slowest hundredth is looked at.
  public var tailCommits = 400

  /// As the targets want it, but for the WAL behind the stuck bookmark.
  public static let whole = BenchmarkScale()

  /// Everything runs, and no figure means anything.
  public static let tiny: BenchmarkScale = {
    var scale = BenchmarkScale()
    scale.rows = 400
    scale.cachedRows = 100
    scale.hotRows = 20
    scale.batchNanoseconds = 200_000
    scale.readersNanoseconds = 1_000_000
    scale.largeBatch = 200
    scale.handOvers = 5
    scale.jumpKeys = 100
    scale.waitingCommits = 50
    scale.idleConnections = 4
    scale.writers = 3
    scale.writerCommits = 2
    scale.stuckWALBytes = 256 << 10
    scale.shortWALBytes = 32 << 10
    scale.tailCommits = 5
    return scale
  }()
}
