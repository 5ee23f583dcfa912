import HarnessPrimitives
import SQLiteBinding
import TestSupport
import Testing
import ThreadingPrimitives

@testable import YapEngine

/// The bound of the WAL over minutes of real time, for `Scripts/nightly`.
///
/// The engine copies and resets the WAL as fast as the disk allows. On a disk that other programs use, a single
/// checkpoint may take a second or more. Writers continue during it, and for three times its duration after a reset,
/// because resets may hold them for a quarter of the time. The bound allows the frames that they write in that time.
@Suite(.enabled(if: Nightly.minutes != nil)) struct WALBoundTests {
  /// 200 commits a second of a row each, and 4 bookmarks that move 60 times a second. Then one bookmark stays for 10 s.
  @Test func `with moving bookmarks the WAL stays under twice its limit, and returns below it`() throws {
    let minutes = Nightly.minutes ?? 0
    var options = YapDatabaseOptions()
    options.synchronous = .normal
    let bound = 2 * options.aggressiveCheckpointAt
    let (steady, slack, stuck, back, longestWait, database) = try measure(options, bound, minutes)
    Nightly.tell(
      """
      WAL bound, \(minutes) min: at most \(steady >> 10) KiB of \(bound >> 10) + \(slack >> 10) KiB allowed; \
      \(stuck >> 10) KiB behind a bookmark that stayed, back under the bound \(back / 1_000) us after it moved; \
      longest wait of a writer \(longestWait / 1_000) us
      \(database)
      """
    )
    #expect(steady < bound + slack)
    #expect(stuck > bound)
    #expect(back < 1_000_000_000)
  }

  /// Commits of a row each without a pause, and 4 bookmarks that move ten times a second.
  @Test func `with bookmarks at 10 Hz and a writer that never pauses the WAL stays bounded`() throws {
    let minutes = Nightly.minutes ?? 0
    var options = YapDatabaseOptions()
    options.synchronous = .normal
    // 8 times the limit, plus the frames that a fast disk accepts in 8 periods.
    let bound = 512 << 20
    let (largest, slack, longestWait, database) = try withDatabase(options) { database in
      let load = BoundLoad(database, bookmarkPeriod: 100_000_000, writerPeriod: 0)
      let crew = Crew()
      try load.start(in: crew)
      let running = try WorkerThread(name: "crew") { _ = crew.run() }
      load.sample(until: MonotonicClock.now + minutes * 60_000_000_000)
      load.isOver.raise()
      running.join()
      if let found = crew.found { throw found }
      return (load.largest, load.writtenAroundSlowestCheckpoint, load.longestWait, Self.summary(database))
    }
    Nightly.tell(
      """
      WAL bound at 10 Hz, \(minutes) min: at most \(largest >> 10) KiB of \(bound >> 10) + \(slack >> 10) KiB allowed; \
      longest wait of a writer \(longestWait / 1_000) us
      \(database)
      """
    )
    #expect(largest < bound + slack)
  }

  private func measure(
    _ options: YapDatabaseOptions,
    _ bound: Int,
    _ minutes: UInt64
  ) throws -> (steady: Int, slack: Int, stuck: Int, back: UInt64, longestWait: UInt64, ledger: String) {
    try withDatabase(options) { database in
      let load = BoundLoad(database)
      let crew = Crew()
      try load.start(in: crew)
      let running = try WorkerThread(name: "crew") { _ = crew.run() }
      let started = MonotonicClock.now
      load.sample(until: started + minutes * 60_000_000_000)
      let (steady, slack) = (load.largest, load.writtenAroundSlowestCheckpoint)
      let longestWait = load.longestWait
      load.forgetWaits()

      load.isStuck.raise()
      load.sample(until: MonotonicClock.now + 10_000_000_000)
      let stuck = WALFile.size(databasePath: database.path)
      load.isFreed.raise()
      let moved = MonotonicClock.now
      #expect(eventually { WALFile.size(databasePath: database.path) < bound })
      let back = MonotonicClock.now - moved
      load.isOver.raise()
      running.join()
      if let found = crew.found { throw found }
      return (
        steady, slack, stuck, back, longestWait,
        "longest wait after that \(load.longestWait / 1_000) us\n" + Self.summary(database)
      )
    }
  }

  private static func summary(_ database: YapDatabase) -> String {
    let groups = Dictionary(grouping: database.checkpoints()) { "\($0.mode) \($0.cause) \($0.outcome)" }
    return groups.sorted { $0.key < $1.key }.map { name, checkpoints in
      let lane = checkpoints.map(\.laneNanoseconds).sorted()
      let longest = checkpoints.map(\.durationNanoseconds).max() ?? 0
      return "  \(checkpoints.count) × \(name): \(longest / 1_000) us at most; write lane held "
        + "\((lane.last ?? 0) / 1_000) us at most, \(lane[lane.count / 2] / 1_000) us at the median"
    }.joined(separator: "\n")
  }
}

/// The threads of the test.
private final class BoundLoad: Sendable {
  let isStuck = StopFlag()
  let isFreed = StopFlag()
  let isOver = StopFlag()
  private let database: YapDatabase
  private let bookmarkPeriod: UInt64
  private let writerPeriod: UInt64
  private let figures = Guarded((largest: 0, commits: 0, longestWait: UInt64(0)))
  private let startedAt = MonotonicClock.now

  /// - Parameters:
  ///   - bookmarkPeriod: The nanoseconds from one move of a bookmark to the next.
  ///   - writerPeriod: The nanoseconds from one commit to the next; 0 for no pause.
  init(_ database: YapDatabase, bookmarkPeriod: UInt64 = 16_666_667, writerPeriod: UInt64 = 5_000_000) {
    self.database = database
    self.bookmarkPeriod = bookmarkPeriod
    self.writerPeriod = writerPeriod
  }

  var largest: Int { figures.withLock { $0.largest } }
  /// The size of the commits from the slowest checkpoint's start to the next reset, at the mean rate. Each commit
  /// writes a page of the row, of the index and of the commit number, and sometimes an interior page.
  var writtenAroundSlowestCheckpoint: Int {
    let slowest = database.checkpoints().map(\.durationNanoseconds).max() ?? 0
    let commits = Double(figures.withLock { $0.commits })
    return Int(commits * 4 * 4_120 * Double(4 * slowest) / Double(MonotonicClock.now - startedAt))
  }

  /// The longest duration of a write, with its wait for the lane and its commit.
  var longestWait: UInt64 { figures.withLock { $0.longestWait } }

  func forgetWaits() { figures.withLock { $0.longestWait = 0 } }

  func start(in crew: Crew) throws {
    let writer = try database.newConnection(name: "writer")
    try crew.add("writer") { [self] in
      var random = RandomStream(seed: 1)
      let object = [UInt8](repeating: 7, count: 1_000)
      try pace(everyNanoseconds: writerPeriod) {
        let began = MonotonicClock.now
        try writer.readWrite { transaction in
          try transaction.setObject(bytes("\(transaction.snapshot)") + object, forKey: "\(random.below(20_000))")
        }
        let took = MonotonicClock.now - began
        figures.withLock {
          $0.longestWait = max($0.longestWait, took)
          $0.commits += 1
        }
      }
    }
    for index in 0..<4 {
      let bookmark = try database.newConnection(name: "bookmark \(index)")
      try crew.add(bookmark.name) { [self] in
        var told: UInt64?
        // The periods differ a little, so that the bookmarks are not synchronized.
        try pace(everyNanoseconds: bookmarkPeriod - bookmarkPeriod / 50 * UInt64(index)) {
          if index == 0, isStuck.isRaised, !isFreed.isRaised { return }
          let jumped = try bookmark.beginLongLivedReadTransaction().map(\.snapshot)
          if let told { try Discrepancy.check(jumped, (told..<bookmark.snapshot).map { $0 + 1 }, "commits told") }
          told = bookmark.snapshot
        }
      }
    }
  }

  /// Samples the file's size a thousand times a second.
  func sample(until deadline: UInt64) {
    while MonotonicClock.now < deadline {
      let size = WALFile.size(databasePath: database.path)
      figures.withLock { $0.largest = max($0.largest, size) }
      Parker().park(deadline: MonotonicClock.now + 1_000_000)
    }
  }

  private func pace(everyNanoseconds interval: UInt64, _ body: () throws -> Void) throws {
    var next = MonotonicClock.now
    while !isOver.isRaised {
      try body()
      next = max(next + interval, MonotonicClock.now)
      if interval > 0 { Parker().park(deadline: next) }
    }
  }
}
