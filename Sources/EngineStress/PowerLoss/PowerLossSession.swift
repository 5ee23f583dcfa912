internal import HarnessPrimitives
internal import ThreadingPrimitives
internal import YapEngine

/// A run of a workload: rounds of commits by several connections, checkpoints, bookmarks, vacuums and reopenings.
///
/// The options and the rounds are determined by the seed. The order of the operations on files also depends on the
/// threads of joint commits and of the checkpointer.
final class PowerLossSession {
  private static let writerCount = 4

  private let workload: PowerLossWorkload
  private let path: String
  private let scope: FileScope
  private var random: RandomStream
  private var generation: UInt32 = 0
  private var writers: [LedgeredWriter] = []
  /// A connection with a bookmark while `isPinned`.
  private var reader: YapDatabaseConnection?
  private var isPinned = false

  init(_ workload: PowerLossWorkload, path: String, scope: FileScope, _ random: RandomStream) {
    self.workload = workload
    self.path = path
    self.scope = scope
    self.random = random
  }

  func run() throws {
    var database = try open()
    // Before the first commit, a checkpoint of many frames is guarded by a marker frame.
    if workload.beginsAfterCrash { try database.checkpoint(.passive) }
    for round in 0..<workload.rounds {
      // The first rounds fill the database, and include at least one joint commit.
      switch round < 2 ? round : random.below(9) {
      case 0, 3: try commitInTurn(3 + random.below(10))
      case 1, 4: try commitTogether()
      case 2: try moveReader()
      case 5, 6: try checkpoint(database)
      case 7: try vacuum(database)
      default:
        try database.close()
        database = try open()
      }
      try commitInTurn(1 + random.below(3))
    }
    if isPinned { try moveReader() }
    try checkpoint(database)
    try commitInTurn(2)
    try database.close()
    (writers, reader) = ([], nil)
  }

  private func open() throws -> YapDatabase {
    let database = try YapDatabase(path: path, options: workload.options)
    generation += 1
    writers = try (0..<Self.writerCount).map { index in
      let number = generation << 4 | UInt32(index)
      return LedgeredWriter(try database.newConnection(), number: number, shape: workload.shape)
    }
    reader = try database.newConnection()
    isPinned = false
    return database
  }

  /// Commits with one writer after the other; every eighth transaction or so is rolled back first.
  private func commitInTurn(_ count: Int) throws {
    for _ in 0..<count {
      let writer = writers[random.below(writers.count)]
      if random.below(8) == 0 { try writer.rollBack(&random) }
      try Self.commit(writer, &random, in: scope)
    }
  }

  private static func commit(
    _ writer: LedgeredWriter,
    _ random: inout RandomStream,
    in scope: FileScope,
    unrecorded: UInt64 = 0
  ) throws {
    let commit = try writer.commit(&random, unrecorded: unrecorded) { transaction in
      scope.mark(WorkloadMark.transaction.rawValue, transaction.snapshot)
    }
    scope.mark(WorkloadMark.acknowledged.rawValue, commit)
  }

  /// Commits on several threads. Syncs are slowed down, so that transactions wait for each other's.
  private func commitTogether() throws {
    scope.delaySyncs(microseconds: 1_000)
    defer { scope.delaySyncs(microseconds: 0) }
    let error = Guarded<(any Error)?>(nil)
    let threads = try writers.enumerated().map { index, writer in
      let random = RandomStream(seed: random.next(), "writer \(index)")
      return try WorkerThread(name: "writer \(index)") { [scope] in
        var random = random
        do { for _ in 0..<4 { try Self.commit(writer, &random, in: scope) } } catch let failure {
          error.withLock { $0 = $0 ?? failure }
        }
      }
    }
    for thread in threads { thread.join() }
    if let error = error.withLock({ $0 }) { throw error }
  }

  /// Begins or ends a long-lived read, which pins its snapshot in the WAL.
  private func moveReader() throws {
    if isPinned { try reader?.endLongLivedReadTransaction() } else { try reader?.beginLongLivedReadTransaction() }
    isPinned.toggle()
  }

  private func checkpoint(_ database: YapDatabase) throws {
    let modes = YapDatabaseCheckpoint.Mode.allCases
    // A pinned reader may block the checkpoint, which is then given up.
    try database.checkpoint(modes[random.below(modes.count)], timeout: .milliseconds(isPinned ? 2 : 5_000))
  }

  private func vacuum(_ database: YapDatabase) throws {
    scope.mark(WorkloadMark.vacuumBegun.rawValue, 0)
    if workload.options.autoVacuum == .incremental {
      try writers[0].connection.incrementalVacuum()
    } else {
      try writers[0].connection.vacuum()
    }
    scope.mark(WorkloadMark.vacuumEnded.rawValue, 0)
    scope.mark(WorkloadMark.acknowledged.rawValue, database.snapshot)
    try Self.commit(writers[1], &random, in: scope, unrecorded: 1)
  }
}
