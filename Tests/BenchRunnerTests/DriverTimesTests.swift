import Foundation
import Testing
import ThreadingPrimitives

@testable import BenchDrivers
@testable import BenchModel

/// What drivers tell of a transaction's time.
@Suite("Times that drivers tell") struct DriverTimesTests {
  enum Place: String, CaseIterable { case inside, process }

  private static let pauseNanoseconds: UInt64 = 5_000_000

  private func withDatabase(
    _ driver: DriverKind,
    _ place: Place,
    falsification: Falsification? = nil,
    _ body: (any DriverDatabase) throws -> Void
  ) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.path + "/file.sqlite"
    let settings = EngineSettings(driver: driver, synchronous: .off)
    let dataset = [DatasetCollection(name: "rows", rows: 10, value: ValueShape(size: .fixed(bytes: 64)))]
    let database: any DriverDatabase =
      place == .inside
      ? try Drivers.open(settings, dataset: dataset, path: path)
      : try EngineProcess(settings, dataset: dataset, views: [], path: path)
    try body(falsification.map { FalsifyingDatabase(database, $0, path: path) } ?? database)
    try database.close()
  }

  /// Runs `waiting` on a thread while `holding` is inside its block, for a while longer than the thread has begun.
  /// - Returns: how long that while was.
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

  @Test(arguments: [DriverKind.yap, .sqlite], Place.allCases)
  func `parts add up to what the caller measures`(_ driver: DriverKind, _ place: Place) throws {
    try withDatabase(driver, place) { database in
      let connection = try database.connect(ConnectionSettings(name: "one"))
      var waits: Set<UInt64> = []
      // The checkpointer may be in the way, and not always.
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

  /// Nothing tells when somebody stands in line, and on a busy machine a thread may come late to it: then once more.
  @Test(arguments: [DriverKind.yap, .sqlite], Place.allCases)
  func `who waits for another writer is told so`(_ driver: DriverKind, _ place: Place) throws {
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

  @Test(arguments: [DriverKind.yap, .sqlite], Place.allCases)
  func `who waits for its own connection is told so`(_ driver: DriverKind, _ place: Place) throws {
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

  @Test(arguments: Place.allCases) func `news of a commit tell when it was written`(_ place: Place) throws {
    try withDatabase(.yap, place) { database in
      let told = Guarded<[CommitNotification]>([])
      database.onCommit { news in told.withLock { $0.append(news) } }
      let connection = try database.connect(ConnectionSettings(name: "one"))
      let before = MonotonicClock.now
      for _ in 0..<5 { try connection.readWrite { try $0.set([1], metadata: nil, "a", in: "rows") } }
      let after = MonotonicClock.now
      while told.withLock({ $0.count }) < 5 { Parker().park(deadline: MonotonicClock.now + 1_000_000) }
      let times = told.withLock { $0.compactMap(\.writtenAt) }
      #expect(times.count == 5 && times == times.sorted())
      #expect(times.allSatisfy { before <= $0 && $0 <= after })
    }
  }

  @Test func `the null driver tells nothing`() throws {
    let database = try Drivers.open(EngineSettings(driver: .null), path: "")
    let told = Guarded<[CommitNotification]>([])
    database.onCommit { news in told.withLock { $0.append(news) } }
    let connection = try database.connect(ConnectionSettings(name: "one"))
    try #expect(connection.read { _ in } == nil)
    try #expect(connection.readWrite { _ in } == nil)
    #expect(told.withLock { $0.map { $0 } } == [CommitNotification(1)])
  }

  @Test(arguments: Place.allCases)
  func `a checkpoint with the write lane held is told as one, and a planted bug is found`(_ place: Place) throws {
    for falsification in [nil, Falsification.forgetsTheHeldLane] {
      try withDatabase(.yap, place, falsification: falsification) { database in
        let connection = try database.connect(ConnectionSettings(name: "one"))
        _ = try connection.readWrite { try $0.set([1], metadata: nil, "a", in: "rows") }
        let made = try database.checkpoint(.full)
        let row = try #require(database.checkpoints(after: made.number - 1).first)
        #expect(row.number == made.number && row.laneNanoseconds == made.laneNanoseconds)
        #expect(row.overlappingCommits == 0 && row.stalledWriters == 0)
        let isHeld = row.mode == "full" && row.laneNanoseconds > 0
        #expect((isHeld && row.laneNanoseconds == row.durationNanoseconds) == (falsification == nil))
      }
    }
  }

  @Test func `a commit of plain SQLite that makes a checkpoint is stalled by it`() throws {
    try withDatabase(.sqlite, .inside) { database in
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
