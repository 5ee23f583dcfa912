import Foundation
import TestSupport
import Testing
import ThreadingPrimitives

@testable import YapEngine

/// Checkpoints concurrent with commits. Some versions of SQLite lose commits if such checkpoints have no guard.
@Suite(.enabled(if: TestHooks.areBuiltIn)) struct GuardedCheckpointTests {
  //  checkpointer                          writer
  //  ────────────────────────────────────  ──────────────────────────────────
  //  finds the WAL's length, all copied
  //                                        restarts the WAL, and commits more
  //  confuses the frames of the new WAL with
  //  the old ones: counts them as copied
  @Test(.timeLimit(.minutes(20)))
  func `with the guard every commit during a checkpoint survives`() throws {
    // Whether SQLite without the guard loses commits depends on the moments at which the threads run, and mostly on the
    // first checkpoints of a database.
    for _ in 0..<5 { try #require(try commitInsideCheckpoint() == nil) }
  }

  /// Commits inside checkpoints, and also outside, so that there are frames to guard.
  private func commitInsideCheckpoint() throws -> Discrepancy? {
    let inside = PointScript()
    var options = inside.options
    options.testHooks.checkpointsAlways = true
    return try withTemporaryFolder { folder in
      Discrepancy.first {
        let database = try YapDatabase(path: folder + "/test.sqlite", options: options)
        let writer = try database.newConnection(name: "writer")
        let inner = try database.newConnection(name: "inner")
        let reader = try database.newConnection(name: "reader")
        // A bookmark prevents the WAL from restarting while it is short, because only frames up to its old length are
        // lost.
        try reader.beginLongLivedReadTransaction()
        for _ in 0..<50 { try commit(writer) }
        try reader.endLongLivedReadTransaction()
        guard eventually({ database.statistics.walBacklogFrames == 0 }) else { throw Discrepancy("the WAL stays") }
        for _ in 0..<20 {
          let done = SharedList<Bool>()
          inside.at(.checkpointInside, of: "checkpointer") { [self] in
            defer { done.append(true) }
            for _ in 0..<5 { try commit(inner) }
          }
          // A guard needs a commit that is not copied yet. The limit ends the loop after a lost commit: SQLite then
          // takes all frames for copied, and no checkpoint copies any.
          for _ in 0..<100_000 where done.all.isEmpty { try commit(writer) }
          guard eventually({ !done.all.isEmpty }) else { throw Discrepancy("no checkpoint ran beside commits") }
          guard eventually({ database.statistics.walBacklogFrames <= 0 }) else { throw Discrepancy("the WAL stays") }
          let newest = database.snapshot
          let seen = try reader.read { try ($0.snapshot, $0.numberOfKeys(inCollection: "")) }
          try Discrepancy.check(seen.0, newest, "snapshot of a new read")
          try Discrepancy.check(seen.1, Int(newest), "rows, one for each commit")
        }
        try inside.finish()
        try database.close()
      }
    }
  }

  private func commit(_ connection: YapDatabaseConnection) throws {
    try connection.readWrite { try $0.setObject(bytes("x"), forKey: "\($0.snapshot)") }
  }

  // MARK: Random pauses, with as many checkpoints as possible

  @Test func `with the guard no commit is lost to random pauses`() throws {
    let seed = Seed.announce(for: "GuardedCheckpointTests")
    let enough = UInt64(TestScale.count(20_000))
    let (found, tally) = try trial(seed: seed) { $0 >= enough }
    #expect(found == nil, "with seed \(seed)")
    #expect(tally.besideCommits > 0 && tally.restarts > 0, "\(tally)")
  }

  /// For `Scripts/nightly`: runs for the given number of minutes.
  @Test(.enabled(if: Nightly.minutes != nil))
  func `no commit is lost in a long run`() throws {
    let seed = Seed.announce(for: "GuardedCheckpointTests")
    let deadline = MonotonicClock.now + (Nightly.minutes ?? 0) * 60_000_000_000
    let (found, tally) = try trial(seed: seed) { _ in MonotonicClock.now >= deadline }
    #expect(found == nil, "with seed \(seed)")
    Nightly.tell("guard, \(Nightly.minutes ?? 0) min: \(tally)")
  }

  private func trial(
    seed: UInt64,
    until isEnough: @escaping @Sendable (UInt64) -> Bool
  ) throws -> (Discrepancy?, GuardTrial.Tally) {
    try withTemporaryFolder { folder in
      GuardTrial(seed: seed).run(path: folder + "/test.sqlite", until: isEnough)
    }
  }
}
