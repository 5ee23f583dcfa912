import HarnessPrimitives
import SQLiteBinding
import Synchronization
import TestSupport
import ThreadingPrimitives

@testable import YapEngine

/// Writers concurrent with continuous checkpoints, and a check that each acknowledged commit exists.
///
/// `PRAGMA integrity_check` may not detect commits that the WAL-reset defect loses, so each commit has a row of its
/// own, and the rows are counted.
struct GuardTrial {
  let seed: UInt64
  /// The longest random pause inside a checkpoint, in nanoseconds.
  var longestPause = 300_000

  private let crew = Crew()
  private let acknowledged = Count()
  private let writersLeft = Count()

  init(seed: UInt64) { self.seed = seed }

  /// The counts at the end.
  struct Tally: Sendable {
    var commits: UInt64 = 0
    var checkpoints = 0
    var besideCommits = 0
    var restarts = 0
  }

  /// - Parameter isEnough: Is called repeatedly with the number of commits; the trial ends when it returns true.
  /// - Returns: The first lost commit, and the counts.
  func run(path: String, until isEnough: @escaping @Sendable (UInt64) -> Bool) -> (Discrepancy?, Tally) {
    var tally = Tally()
    let found = Discrepancy.first {
      let database = try YapDatabase(path: path, options: options())
      for index in 0..<2 { try addWriter(database, index, until: isEnough) }
      try addReader(database)
      try addBookmark(database)
      if let found = crew.run() { throw found }
      let statistics = database.statistics
      let commits = acknowledged.value.load(ordering: .relaxed)
      tally = Tally(
        commits: commits,
        checkpoints: statistics.checkpointCount,
        besideCommits: database.checkpoints().count { $0.isBesideCommits },
        restarts: statistics.walRestarts
      )
      if let failure = statistics.lastCheckpointFailure { throw Discrepancy("a checkpoint failed: \(failure)") }
      try Discrepancy.check(database.snapshot, commits, "newest commit")
      try database.close()
      try check(path, commits)
    }
    return (found, tally)
  }

  private func options() -> YapDatabaseOptions {
    var options = YapDatabaseOptions.quick
    options.pageSize = 1024
    options.aggressiveCheckpointAt = 256 << 10
    options.testHooks.checkpointsAlways = true
    let random = Guarded(RandomStream(seed: seed))
    let longestPause = longestPause
    options.testHooks.onReach = { point, _ in
      guard [.checkpointGuarded, .checkpointInside, .checkpointBegun, .resetBegun].contains(point) else { return }
      let pause = random.withLock { $0.chance(oneIn: 2) ? $0.below(longestPause) : 0 }
      if pause > 0 { Parker().park(deadline: MonotonicClock.now + UInt64(pause)) }
    }
    return options
  }

  private func addWriter(
    _ database: YapDatabase,
    _ index: Int,
    until isEnough: @escaping @Sendable (UInt64) -> Bool
  ) throws {
    let connection = try database.newConnection(name: "writer \(index)")
    writersLeft.value.add(1, ordering: .relaxed)
    try crew.add(connection.name) {
      defer { writersLeft.value.subtract(1, ordering: .relaxed) }
      var last: UInt64 = 0
      while !crew.hasFailed, !isEnough(acknowledged.value.load(ordering: .relaxed)) {
        let number = try connection.readWrite { transaction in
          try transaction.setObject(bytes("\(transaction.snapshot)"), forKey: "\(transaction.snapshot)")
          return transaction.snapshot
        }
        guard number > last else { throw Discrepancy("commit \(number) came after \(last)") }
        last = number
        acknowledged.value.add(1, ordering: .relaxed)
      }
    }
  }

  /// Adds a thread whose reads must see every commit that was acknowledged before they began.
  private func addReader(_ database: YapDatabase) throws {
    let connection = try database.newConnection(name: "reader")
    try crew.add(connection.name) {
      while !crew.hasFailed, writersLeft.value.load(ordering: .relaxed) > 0 {
        let least = database.snapshot
        try connection.read { transaction in
          guard transaction.snapshot >= least else { throw Discrepancy("saw \(transaction.snapshot) after \(least)") }
          guard try least == 0 || transaction.hasObject(forKey: "\(least)") else { throw Discrepancy("lost \(least)") }
        }
      }
    }
  }

  /// Adds a bookmark that moves, stays for a while and ends, so that the WAL can sometimes restart and sometimes not.
  private func addBookmark(_ database: YapDatabase) throws {
    let connection = try database.newConnection(name: "bookmark")
    let seed = seed
    try crew.add(connection.name) {
      var random = RandomStream(seed: seed &+ 1)
      while !crew.hasFailed, writersLeft.value.load(ordering: .relaxed) > 0 {
        for _ in 0..<random.below(8) {
          try connection.beginLongLivedReadTransaction()
          Parker().park(deadline: MonotonicClock.now + UInt64(random.below(500_000)))
        }
        try connection.endLongLivedReadTransaction()
        Parker().park(deadline: MonotonicClock.now + UInt64(random.below(5_000_000)))
      }
    }
  }

  private func check(_ path: String, _ commits: UInt64) throws {
    let handle = try SQLiteHandle(path: path)
    try Discrepancy.check(try handle.integer("SELECT number FROM snapshot"), Int64(commits), "commit in the file")
    try Discrepancy.check(try handle.integer("SELECT count(*) FROM data"), Int64(commits), "rows, one for each commit")
    try Discrepancy.check(try handle.text("PRAGMA integrity_check"), "ok", "integrity of the file")
    try handle.close()
  }
}

private final class Count: Sendable {
  let value = Atomic<UInt64>(0)
}
