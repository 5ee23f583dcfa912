import SQLiteBinding
import TestSupport
import Testing
import ThreadingPrimitives

@testable import YapEngine

/// The parts of a transaction's time.
@Suite struct TransactionTimesTests {
  /// Options with which the checkpointer runs only on request, so that no thread waits for it by chance.
  private func quiet(_ script: PointScript = PointScript()) -> YapDatabaseOptions {
    var options = script.options
    options.checkpointing = .every(nanoseconds: .max)
    options.aggressiveCheckpointAt = .max
    return options
  }

  private func withQuietDatabase(
    _ script: PointScript = PointScript(),
    _ change: (inout YapDatabaseOptions) -> Void = { _ in },
    _ body: (YapDatabase) throws -> Void
  ) throws {
    var options = quiet(script)
    change(&options)
    try withDatabase(options) { database in
      try database.waitForOpeningCheckpoint()
      try body(database)
      try script.finish()
    }
  }

  /// Prolongs the wait of the thread that is queued for the lane.
  /// - Returns: The least time that it has waited, in nanoseconds.
  private static func keepWaiting(for lane: Lane) throws -> UInt64 {
    guard eventually({ lane.waiterCount == 1 }) else { throw Discrepancy("nobody waits for the lane") }
    let began = MonotonicClock.now
    Parker().park(deadline: began + 5_000_000)
    return MonotonicClock.now - began
  }

  private func write(_ connection: YapDatabaseConnection) throws -> YapDatabaseTransactionTimes {
    try connection.timedReadWrite { try $0.setObject(bytes("\($0.snapshot)"), forKey: "k") }.times
  }

  // MARK: Sums

  @Test func `the parts cover the time from the call to its return`() {
    var timing = TransactionTiming(startedAt: 1_000, laneWait: 20)
    timing.times.writeLaneWaitNanoseconds = 300
    timing.times.checkpointWaitNanoseconds = 100
    timing.blockBegan = 1_325
    timing.blockEnded = 1_425
    timing.times.statementNanoseconds = 60
    timing.times.jointWaitNanoseconds = 30
    timing.times.commitNanoseconds = 40
    let times = timing.times(endedAt: 1_500)
    #expect(times.totalNanoseconds == 500)
    #expect(times.laneWaitNanoseconds == 20 && times.writeLaneWaitNanoseconds == 300)
    #expect(times.checkpointWaitNanoseconds == 100)
    #expect(times.beginNanoseconds == 5)
    #expect(times.blockNanoseconds == 100 && times.statementNanoseconds == 60)
    #expect(times.commitNanoseconds == 70 && times.jointWaitNanoseconds == 30)
    #expect(times.restNanoseconds == 5)
    // The time of checkpoints is measured around the wait, and may be a little longer.
    timing.times.checkpointWaitNanoseconds = 301
    #expect(timing.times(endedAt: 1_500).checkpointWaitNanoseconds == 300)
  }

  /// The sweep of idle connections and the checkpoint at open may hold a lane for a moment, but not during all of these
  /// transactions.
  @Test func `the sum is the time that the caller measures, and there are no waits without other threads`() throws {
    try withQuietDatabase { database in
      let connection = try database.newConnection()
      var waits: [UInt64] = []
      for round in 0..<20 {
        var inside: UInt64 = 0
        let before = MonotonicClock.now
        let (result, times) = try connection.timedReadWrite { transaction in
          let began = MonotonicClock.now
          try transaction.setObject(bytes("\(round)"), forKey: "\(round)")
          inside = MonotonicClock.now - began
          return transaction.laneWaitNanoseconds
        }
        let measured = MonotonicClock.now - before
        #expect(result == times.laneWaitNanoseconds)
        #expect(times.totalNanoseconds <= measured)
        #expect(times.blockNanoseconds >= inside)
        #expect(0 < times.statementNanoseconds && times.statementNanoseconds <= times.blockNanoseconds)
        #expect(times.commitNanoseconds > 0 && times.jointWaitNanoseconds == 0)
        #expect(times.checkpointWaitNanoseconds <= times.writeLaneWaitNanoseconds)
        waits.append(times.laneWaitNanoseconds + times.writeLaneWaitNanoseconds)
      }
      #expect(waits.contains(0))
    }
  }

  @Test func `a read has times of its block and statements, and a cached read no time of statements`() throws {
    try withQuietDatabase { database in
      _ = try write(try database.newConnection())
      let reader = try database.newConnection()
      var waits: [UInt64] = []
      for round in 0..<20 {
        let before = MonotonicClock.now
        let (found, times) = try reader.timedRead { try $0.object(forKey: "k") as? [UInt8] }
        #expect(times.totalNanoseconds <= MonotonicClock.now - before)
        #expect(found == bytes("1"))
        #expect((times.statementNanoseconds == 0) == (round > 0))
        #expect(times.statementNanoseconds <= times.blockNanoseconds)
        #expect(times.commitNanoseconds == 0 && times.writeLaneWaitNanoseconds == 0)
        waits.append(times.laneWaitNanoseconds)
      }
      #expect(waits.contains(0))
    }
  }

  @Test func `without a commit there is no commit time, and without a request nothing is timed`() throws {
    struct Deliberate: Error {}
    try withQuietDatabase { database in
      let connection = try database.newConnection()
      let nothing = try connection.timedReadWrite { _ in }.times
      #expect(nothing.commitNanoseconds == 0 && nothing.statementNanoseconds == 0)
      let undone = try connection.timedReadWrite { transaction in
        try transaction.setObject(bytes("a"), forKey: "a")
        try transaction.rollback()
      }.times
      #expect(undone.commitNanoseconds == 0 && undone.statementNanoseconds > 0)
      #expect(throws: Deliberate.self) {
        try connection.timedReadWrite { transaction in
          try transaction.setObject(bytes("a"), forKey: "a")
          throw Deliberate()
        }
      }
      #expect(connection.timing == nil)
      let sqlite = database.writer.handle.sqlite
      let told = sqlite.endTimingStatements()
      try connection.readWrite { try $0.setObject(bytes("a"), forKey: "a") }
      #expect(sqlite.endTimingStatements() == told)
      try #expect(connection.timedRead { try $0.object(forKey: "a") as? [UInt8] }.result == bytes("a"))
    }
  }

  // MARK: Waits

  @Test func `a wait for another transaction on the connection is a lane wait`() throws {
    try withQuietDatabase { database in
      let connection = try database.newConnection()
      for isTimed in [true, false] {
        let waits = SharedList<UInt64>()
        let reading = try connection.read { _ in
          let thread = try WorkerThread(name: "reading") {
            if isTimed {
              let read = try? connection.timedRead { $0.laneWaitNanoseconds }
              if let read, read.result == read.times.laneWaitNanoseconds {
                waits.append(read.times.laneWaitNanoseconds)
              }
            } else {
              if let wait = try? connection.read({ $0.laneWaitNanoseconds }) { waits.append(wait) }
            }
          }
          return (thread: thread, pause: try Self.keepWaiting(for: connection.lane))
        }
        reading.thread.join()
        #expect(waits.all.count == 1)
        #expect(waits.all.allSatisfy { $0 >= reading.pause })
      }
    }
  }

  @Test func `the wait of a queued call is unknown`() async throws {
    let folder = try TemporaryFolder()
    let database = try YapDatabase(path: folder.path + "/test.sqlite", options: quiet())
    let connection = try database.newConnection()
    let waits = [
      try await connection.read { $0.laneWaitNanoseconds }, try await connection.readWrite { $0.laneWaitNanoseconds },
    ]
    #expect(waits == [nil, nil])
    try database.close()
  }

  @Test func `a wait for another writer is a write lane wait, and not a wait for a checkpoint`() throws {
    try withQuietDatabase { database in
      let first = try database.newConnection(name: "first")
      let second = try database.newConnection(name: "second")
      let written = SharedList<(times: YapDatabaseTransactionTimes, measured: UInt64)>()
      let writing = try first.readWrite { transaction in
        try transaction.setObject(bytes("a"), forKey: "a")
        let thread = try WorkerThread(name: "writing") {
          let before = MonotonicClock.now
          if let times = try? self.write(second) { written.append((times, MonotonicClock.now - before)) }
        }
        return (thread: thread, pause: try Self.keepWaiting(for: database.writer.lane))
      }
      writing.thread.join()
      let (times, measured) = try #require(written.all.first)
      #expect(times.writeLaneWaitNanoseconds >= writing.pause)
      // The pause is in no other part.
      #expect(times.totalNanoseconds <= measured)
      #expect(times.checkpointWaitNanoseconds == 0 && times.laneWaitNanoseconds == 0)
    }
  }

  /// Lets a writer wait while a checkpoint holds the write lane.
  /// - Returns: The first wrong figure in the writer's times or in the ledger.
  private func stallAWriter(
    _ mode: YapDatabaseCheckpoint.Mode,
    _ falsifications: Set<Falsification> = []
  ) -> Discrepancy? {
    let script = PointScript()
    let written = SharedList<YapDatabaseTransactionTimes>()
    let threads = SharedList<WorkerThread>()
    let pauses = SharedList<UInt64>()
    return Discrepancy.first {
      try withQuietDatabase(script) { database in
        let connection = try database.newConnection()
        _ = try write(connection)
        script.at(.resetBegun, of: "checkpointer") {
          let thread = try WorkerThread(name: "writing") {
            if let times = try? self.write(connection) { written.append(times) }
          }
          threads.append(thread)
          pauses.append(try Self.keepWaiting(for: database.writer.lane))
        }
        let asked = MonotonicClock.now
        let made = Answers(falsifications).checkpoint(try database.checkpoint(mode))
        let took = MonotonicClock.now - asked
        for thread in threads.all { thread.join() }
        try Discrepancy.check(made.stalledWriters, 1, "writers that were stalled")
        try Discrepancy.check(made.overlappingCommits, 0, "commits while the lane was held")
        try Discrepancy.check(made.isBesideCommits, false, "whether commits went on")
        guard let times = written.all.first, let pause = pauses.all.first else {
          throw Discrepancy("nobody has waited")
        }
        let lane = made.laneNanoseconds
        guard pause <= lane, lane <= took else { throw Discrepancy("the lane was held for \(lane) of \(took) ns") }
        let wait = times.checkpointWaitNanoseconds
        guard pause <= wait, wait <= times.writeLaneWaitNanoseconds else { throw Discrepancy("\(times)") }
        // No writer waits for the next checkpoint.
        try Discrepancy.check(database.checkpoint(mode).stalledWriters, 0, "writers that are gone")
      }
    }
  }

  @Test(.enabled(if: TestHooks.areBuiltIn), arguments: [YapDatabaseCheckpoint.Mode.full, .truncate])
  func `a wait for a checkpoint is counted as such, also in the ledger`(_ mode: YapDatabaseCheckpoint.Mode) {
    #expect(stallAWriter(mode) == nil)
  }

  @Test(.enabled(if: TestHooks.areBuiltIn), arguments: [Falsification.forgetsStalledWriters, .forgetsTheHeldLane])
  func `the check of waits finds a wrong figure of the ledger`(_ falsification: Falsification) {
    #expect(stallAWriter(.full, [falsification]) != nil)
  }

  /// Makes three commits while a concurrent checkpoint holds its guard.
  /// - Returns: The first wrong figure in their times or in the ledger.
  private func commitBesideACheckpoint(_ falsifications: Set<Falsification> = []) -> Discrepancy? {
    let script = PointScript()
    let written = SharedList<YapDatabaseTransactionTimes>()
    return Discrepancy.first {
      try withQuietDatabase(script) { database in
        let connection = try database.newConnection()
        _ = try write(connection)
        script.at(.checkpointGuarded, of: "checkpointer") {
          for _ in 0..<3 { written.append(try self.write(connection)) }
        }
        let made = Answers(falsifications).checkpoint(try database.checkpoint(.passive))
        try Discrepancy.check(made.isBesideCommits, true, "whether commits went on")
        try Discrepancy.check(made.laneNanoseconds, 0, "for how long the lane was held")
        try Discrepancy.check(made.overlappingCommits, 3, "commits meanwhile")
        try Discrepancy.check(made.stalledWriters, 0, "writers that were stalled")
        try Discrepancy.check(written.all.map(\.writeLaneWaitNanoseconds), [0, 0, 0], "waits for the lane")
      }
    }
  }

  @Test(.enabled(if: TestHooks.areBuiltIn)) func `commits during a checkpoint are counted, and do not wait`() {
    #expect(commitBesideACheckpoint() == nil)
  }

  @Test(
    .enabled(if: TestHooks.areBuiltIn),
    arguments: [Falsification.forgetsOverlappingCommits, .tellsAFreeLaneAsHeld]
  )
  func `the check of overlapping commits finds a wrong figure`(_ falsification: Falsification) {
    #expect(commitBesideACheckpoint([falsification]) != nil)
  }

  // MARK: Commits

  @Test(.enabled(if: TestHooks.areBuiltIn))
  func `a transaction in a joint commit has waited for the other one`() throws {
    try withQuietDatabase(PointScript(), { $0.joinAlways() }) { database in
      let first = try database.newConnection(name: "first")
      let second = try database.newConnection(name: "second")
      let later = SharedList<YapDatabaseTransactionTimes>()
      let pauses = SharedList<UInt64>()
      let lane = database.writer.lane
      let (writing, times) = try first.timedReadWrite { transaction in
        try transaction.setObject(bytes("a"), forKey: "a")
        let thread = try WorkerThread(name: "second") {
          let written = try? second.timedReadWrite { transaction in
            try transaction.setObject(bytes("b"), forKey: "b")
            // The first writer is queued again.
            pauses.append(try Self.keepWaiting(for: lane))
          }
          if let written { later.append(written.times) }
        }
        _ = try Self.keepWaiting(for: lane)
        return thread
      }
      writing.join()
      let pause = try #require(pauses.all.first)
      #expect(times.jointWaitNanoseconds >= pause)
      // Its whole commit time is the wait for the other transaction's COMMIT.
      #expect(times.commitNanoseconds == times.jointWaitNanoseconds)
      let last = try #require(later.all.first)
      #expect(last.jointWaitNanoseconds == 0 && last.commitNanoseconds > 0)
      #expect(database.snapshot == 2)
    }
  }

  @Test(arguments: [YapDatabaseOptions.Synchronous.full, .off])
  func `a notification has the time at which its commit was written`(_ synchronous: YapDatabaseOptions.Synchronous)
    throws
  {
    try withQuietDatabase(PointScript(), { $0.synchronous = synchronous }) { database in
      let connection = try database.newConnection()
      let reader = try database.newConnection()
      try reader.beginLongLivedReadTransaction()
      try connection.readWrite { try $0.setObject(bytes("a"), forKey: "a") }
      let ended = MonotonicClock.now
      let told = try #require(try reader.beginLongLivedReadTransaction().first)
      #expect(told.writtenAtNanoseconds <= ended)
      if synchronous == .full {
        #expect(told.writtenAtNanoseconds > told.committedAtNanoseconds)
      } else {
        #expect(told.writtenAtNanoseconds == told.committedAtNanoseconds)
      }
    }
  }

  //   writer                               reader
  //   COMMIT
  //                                        moves its bookmark to the commit
  //   COMMIT has returned, and is timed
  @Test func `a commit that is seen before COMMIT returns was written when it was seen`() throws {
    let script = PointScript()
    try withQuietDatabase(script) { database in
      let writer = try database.newConnection(name: "writer")
      let reader = try database.newConnection(name: "reader")
      try reader.beginLongLivedReadTransaction()
      let seen = SharedList<(modification: YapDatabaseModification, before: UInt64, after: UInt64)>()
      script.at(.commitWritten, of: "writer") {
        let before = MonotonicClock.now
        let modifications = try reader.beginLongLivedReadTransaction()
        seen.append((try #require(modifications.first), before, MonotonicClock.now))
      }
      try writer.readWrite { try $0.setObject(bytes("a"), forKey: "a") }
      try script.finish()
      let (modification, before, after) = try #require(seen.all.first)
      // The time has whole microseconds, rounded down.
      #expect(modification.writtenAtNanoseconds + 1_000 > before && modification.writtenAtNanoseconds <= after)
    }
  }
}
