internal import HarnessPrimitives
internal import LatencyMetrics
internal import ThreadingPrimitives
internal import YapEngine

/// The threads that use one database between two reopenings: writers, readers with bookmarks that move or stay,
/// connections that open and close, and requested checkpoints.
final class SoakLoad: Sendable {
  /// The results of all threads.
  struct Counts: Sendable {
    var outcome = CaseOutcome()
    /// Durations of commits since the last `takeCommits`.
    var commits = LatencyHistogram()
  }

  private let database: YapDatabase
  private let seed: UInt64
  /// The number of this opening of the database, which makes the writers' numbers unique.
  private let generation: Int
  private let stop: StopFlag
  private let counts = Guarded(Counts())

  init(_ database: YapDatabase, seed: UInt64, generation: Int, stop: StopFlag) {
    self.database = database
    self.seed = seed
    self.generation = generation
    self.stop = stop
  }

  private func writerNumber(_ index: Int) -> UInt32 { UInt32(generation * 4 + index) }

  /// Commits once, after the threads have ended.
  func commitOnce() throws {
    var random = RandomStream(seed: seed, "soak", "\(generation)", "last commit")
    try LedgeredWriter(try database.newConnection(), number: writerNumber(3)).commit(&random)
  }

  /// Returns the counts so far.
  var outcome: CaseOutcome { counts.withLock { $0.outcome } }

  /// Returns the durations of the commits since the last call.
  func takeCommits() -> LatencyHistogram {
    counts.withLock { counts in
      defer { counts.commits = LatencyHistogram() }
      return counts.commits
    }
  }

  /// Starts the threads, which run until the flag is raised.
  func start() throws -> [WorkerThread] {
    let writers = try (0..<2).map { index in
      LedgeredWriter(try database.newConnection(name: "writer \(index)"), number: writerNumber(index))
    }
    let bookmarks = try (0..<2).map { try database.newConnection(name: "bookmark \($0)") }
    return try writers.enumerated().map { index, writer in try thread("writer \(index)") { try self.write(writer, &$0) }
    }
      + bookmarks.enumerated().map { index, connection in
        try thread("bookmark \(index)") { try self.follow(connection, &$0, stays: index == 1) }
      } + [thread("visitor") { try self.visit(&$0) }, thread("checkpoints") { try self.checkpoint(&$0) }]
  }

  private func thread(
    _ name: String,
    _ body: @escaping @Sendable (inout RandomStream) throws -> Void
  ) throws -> WorkerThread {
    try WorkerThread(name: name) { [self] in
      var random = RandomStream(seed: seed, "soak", "\(generation)", name)
      do { try body(&random) } catch { fail("\(name): \(error)") }
    }
  }

  private func fail(_ text: String) {
    counts.withLock { $0.outcome.failures.append(text) }
    stop.raise()
  }

  private func count(_ name: String, _ added: Int = 1) { counts.withLock { $0.outcome.count(name, added) } }

  /// Sleeps for a random time of at most `milliseconds`. Returns at most 100 ms after the flag is raised.
  private func pause(_ milliseconds: Int, _ random: inout RandomStream) {
    let end = MonotonicClock.now + UInt64(random.below(milliseconds * 1_000) + 1) * 1_000
    while MonotonicClock.now < end, !stop.isRaised {
      MonotonicClock.sleep(until: min(end, MonotonicClock.now + 100_000_000))
    }
  }

  // MARK: Threads

  private func write(_ writer: LedgeredWriter, _ random: inout RandomStream) throws {
    while !stop.isRaised {
      let start = MonotonicClock.now
      try writer.commit(&random)
      let duration = MonotonicClock.now - start
      counts.withLock { counts in
        counts.outcome.count("commits")
        counts.commits.record(duration)
      }
      pause(8, &random)
    }
  }

  /// Reads from a bookmark that moves about 60 times per second, and checks that each move returns each missed commit
  /// once.
  /// - Parameter stays: Whether the bookmark stays for up to 3 s now and then, so that it pins the WAL.
  private func follow(_ connection: YapDatabaseConnection, _ random: inout RandomStream, stays: Bool) throws {
    try connection.beginLongLivedReadTransaction()
    var last = connection.snapshot
    while !stop.isRaised {
      let held = stays && random.below(200) == 0
      pause(held ? 3_000 : 33, &random)
      if held { count("bookmarks held") }
      let jumped = try connection.beginLongLivedReadTransaction()
      let newest = connection.snapshot
      guard newest >= last, jumped.map(\.snapshot) == (last..<newest).map({ $0 + 1 }) else {
        return fail("a move from \(last) to \(newest) returned the commits \(jumped.map(\.snapshot))")
      }
      last = newest
      try connection.read { try read($0, &random) }
      count("bookmark moves")
    }
    try connection.endLongLivedReadTransaction()
  }

  private func visit(_ random: inout RandomStream) throws {
    while !stop.isRaised {
      try database.newConnection().read { try read($0, &random) }
      count("connections opened")
      pause(60, &random)
    }
  }

  private func checkpoint(_ random: inout RandomStream) throws {
    while !stop.isRaised {
      pause(4_000, &random)
      if stop.isRaised { return }
      let mode = YapDatabaseCheckpoint.Mode.allCases[random.below(YapDatabaseCheckpoint.Mode.allCases.count)]
      try database.checkpoint(mode, timeout: .milliseconds(50))
      count("checkpoints requested")
    }
  }

  /// Reads random rows, whose values must be of a commit that the snapshot contains.
  private func read(_ transaction: YapDatabaseReadTransaction, _ random: inout RandomStream) throws {
    let shape = LedgeredWriter.Shape()
    for _ in 0..<8 {
      let collection = shape.collections[random.below(shape.collections.count)]
      let key = "key-\(random.below(shape.keys))"
      guard let object = try transaction.object(forKey: key, inCollection: collection) else { continue }
      let value = (object as? [UInt8]).flatMap { LedgeredValue($0, key: key, collection: collection) }
      guard let value, value.commit <= transaction.snapshot else {
        return fail("snapshot \(transaction.snapshot) shows a wrong object for \"\(collection)\"/\(key)")
      }
    }
    count("rows read", 8)
  }
}
