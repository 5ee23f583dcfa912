import TestSupport
import Testing
import ThreadingPrimitives

@testable import BenchDrivers
@testable import BenchResults
@testable import BenchScenario

/// The times of transactions that drivers report.
@Suite("Times that drivers report") struct DriverTimesTests {
  enum Place: String, CaseIterable { case inside, process }

  private static let pauseNanoseconds: UInt64 = 5_000_000

  private func withDatabase(
    _ driver: DriverKind,
    _ place: Place,
    _ body: (any DriverDatabase) throws -> Void
  ) throws {
    try withTemporaryFolder { folder in
      let path = folder + "/file.sqlite"
      let settings = EngineSettings(driver: driver, synchronous: .off)
      let dataset = [DatasetCollection(name: "rows", rows: 10, value: ValueShape(size: .fixed(bytes: 64)))]
      let database: any DriverDatabase =
        place == .inside
        ? try Drivers.open(settings, dataset: dataset, path: path)
        : try EngineProcess(settings, dataset: dataset, views: [], path: path)
      try body(database)
      try database.close()
    }
  }

  /// Runs `waiting` on a thread while `holding` is inside its block, which pauses after the thread has started.
  /// - Returns: The length of the pause in nanoseconds, and the error of `waiting`.
  private func overlap(
    _ holding: any DriverConnection,
    _ waiting: @escaping @Sendable () throws -> Void
  ) throws -> (pause: UInt64, failure: String?) {
    let failure = Guarded<String?>(nil)
    let begun = Parker()
    var pause: UInt64 = 0
    var thread: WorkerThread?
    try holding.readWrite { transaction in
      try transaction.set([1], metadata: nil, "a", in: "rows")
      thread = try WorkerThread(name: "waiting") {
        begun.unpark()
        do { try waiting() } catch { failure.withLock { $0 = "\(error)" } }
      }
      begun.park()
      let start = MonotonicClock.now
      Parker().park(deadline: start + Self.pauseNanoseconds)
      pause = MonotonicClock.now - start
    }
    thread?.join()
    return (pause, failure.withLock { $0 })
  }

  @Test(arguments: DriverKind.storing, Place.allCases)
  func `the parts add up to at most the time that the caller measures`(_ driver: DriverKind, _ place: Place) throws {
    try withDatabase(driver, place) { database in
      let connection = try database.connect(ConnectionSettings(name: "one"))
      var waits: Set<UInt64> = []
      // Sometimes the checkpointer holds the lane. The test repeats until one transaction has not waited.
      while !waits.contains(0) {
        let before = MonotonicClock.now
        let told = try connection.readWrite { try $0.set([1], metadata: nil, "a", in: "rows") }
        let measured = MonotonicClock.now - before
        let times = try #require(told)
        #expect(times.total <= measured)
        #expect(times.commit > 0 && times.begin > 0)
        waits.insert(times.laneWait + times.writeLaneWait)
        #expect(0 < times.statements && times.statements <= times.block)
      }
      while try connection.read({ _ in }) != 0 {}
      let nothing = try #require(try connection.readWrite { _ in })
      #expect(nothing.commit == 0)
    }
  }

  /// The test cannot see when the thread queues, and on a busy machine it may be late, so the test repeats until it has
  /// waited.
  @Test(arguments: DriverKind.storing, Place.allCases)
  func `a wait for another writer is reported`(_ driver: DriverKind, _ place: Place) throws {
    try withDatabase(driver, place) { database in
      let first = try database.connect(ConnectionSettings(name: "first"))
      let second = try database.connect(ConnectionSettings(name: "second"))
      var longest: UInt64 = 0
      while longest == 0 {
        let told = Guarded<(times: CommitTimes, measured: UInt64)?>(nil)
        let (_, failure) = try overlap(first) {
          let before = MonotonicClock.now
          guard let times = try second.readWrite({ try $0.set([2], metadata: nil, "a", in: "rows") }) else { return }
          told.withLock { $0 = (times, MonotonicClock.now - before) }
        }
        #expect(failure == nil)
        let (times, measured) = try #require(told.withLock { $0 })
        #expect(times.total <= measured)
        #expect(times.checkpointWait <= times.writeLaneWait)
        longest = max(longest, times.writeLaneWait)
      }
    }
  }

  @Test(arguments: DriverKind.storing, Place.allCases)
  func `a wait for the connection's own lane is reported`(_ driver: DriverKind, _ place: Place) throws {
    try withDatabase(driver, place) { database in
      let connection = try database.connect(ConnectionSettings(name: "one"))
      var longest: (read: UInt64, write: UInt64) = (0, 0)
      while longest.read == 0 || longest.write == 0 {
        let told = Guarded<(read: UInt64, write: UInt64)>((0, 0))
        let reading = try overlap(connection) {
          let wait = try connection.read { _ in } ?? 0
          told.withLock { $0.read = wait }
        }
        let writing = try overlap(connection) {
          let wait = try connection.readWrite { _ in }?.laneWait ?? 0
          told.withLock { $0.write = wait }
        }
        #expect(reading.failure == nil && writing.failure == nil)
        let (read, write) = told.withLock { $0 }
        longest = (max(longest.read, read), max(longest.write, write))
      }
    }
  }

  @Test(arguments: Place.allCases)
  func `a commit's notification has the time at which it was written`(_ place: Place) throws {
    try withDatabase(.yap, place) { database in
      let commits = SharedList<CommitNotification>()
      database.onCommit { commits.append($0) }
      let connection = try database.connect(ConnectionSettings(name: "one"))
      let before = MonotonicClock.now
      for _ in 0..<5 { try connection.readWrite { try $0.set([1], metadata: nil, "a", in: "rows") } }
      let after = MonotonicClock.now
      #expect(eventually { commits.all.count >= 5 })
      let times = commits.all.compactMap(\.writtenAt)
      #expect(times.count == 5 && times == times.sorted())
      #expect(times.allSatisfy { before <= $0 && $0 <= after })
    }
  }

  @Test(arguments: Place.allCases)
  func `a move of a bookmark returns the changed keys of one collection, by commit`(_ place: Place) throws {
    try withDatabase(.yap, place) { database in
      let reader = try database.connect(ConnectionSettings(name: "reader"))
      let writer = try database.connect(ConnectionSettings(name: "writer"))
      _ = try reader.advance()
      let before = MonotonicClock.now
      try writer.readWrite { transaction in
        for key in ["a", "b"] { try transaction.set([1], metadata: nil, key, in: "rows") }
      }
      try writer.readWrite { try $0.set([1], metadata: nil, "c", in: "others") }
      try writer.readWrite { try $0.remove("a", in: "rows") }
      let after = MonotonicClock.now
      let moved = try reader.advance(changesIn: "rows")
      #expect(moved.jumped == [1, 2, 3])
      #expect(moved.changes.map { $0.keys.sorted() } == [["a", "b"], ["a"]])
      #expect(moved.changes.allSatisfy { before <= $0.writtenAt && $0.writtenAt <= after })
      try writer.readWrite { try $0.set([2], metadata: nil, "a", in: "rows") }
      let silent = try reader.advance()
      #expect(silent.jumped == [4] && silent.changes.isEmpty)
    }
  }

  @Test func `the null driver reports no times`() throws {
    let database = try Drivers.open(EngineSettings(driver: .null), path: "")
    let commits = SharedList<CommitNotification>()
    database.onCommit { commits.append($0) }
    let connection = try database.connect(ConnectionSettings(name: "one"))
    try #expect(connection.read { _ in } == nil)
    try #expect(connection.readWrite { _ in } == nil)
    #expect(commits.all == [CommitNotification(1)])
  }

  @Test(arguments: DriverKind.withWAL.filter { $0 != .yap })
  func `a checkpoint within a commit is counted in that commit's time`(_ driver: DriverKind) throws {
    try withDatabase(driver, .inside) { database in
      let connection = try database.connect(ConnectionSettings(name: "one"))
      var longest: UInt64 = 0
      while database.checkpoints(after: 0).isEmpty {
        let times = try connection.readWrite { transaction in
          for key in 0..<20 {
            try transaction.set(Array(repeating: 1, count: 8_000), metadata: nil, "\(key)", in: "rows")
          }
        }
        longest = max(longest, times?.commit ?? 0)
      }
      let made = try #require(database.checkpoints(after: 0).first)
      #expect(made.stalledWriters == 1 && made.overlappingCommits == 0)
      #expect(made.laneNanoseconds == made.durationNanoseconds)
      #expect(longest >= made.durationNanoseconds)
    }
  }
}
