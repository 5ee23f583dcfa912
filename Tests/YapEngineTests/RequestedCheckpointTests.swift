import HarnessPrimitives
import Synchronization
import TestSupport
import Testing
import ThreadingPrimitives

@testable import YapEngine

/// Checkpoints that a program requests.
@Suite struct RequestedCheckpointTests {
  /// Options with which the engine makes no checkpoint itself after it has copied the frames of the file's creation.
  private var quiet: YapDatabaseOptions {
    var options = YapDatabaseOptions.quick
    options.checkpointing = .every(nanoseconds: .max)
    options.aggressiveCheckpointAt = .max
    return options
  }

  private func withQuietDatabase(_ body: (YapDatabase, YapDatabaseConnection) throws -> Void) throws {
    try withDatabase(quiet) { database in
      #expect(eventually { database.statistics.walBacklogFrames == 0 })
      try body(database, try database.newConnection(name: "writer"))
    }
  }

  private func commit(_ writer: YapDatabaseConnection, times: Int = 1) throws {
    for _ in 0..<times { try writer.readWrite { try $0.setObject(bytes("\($0.snapshot)"), forKey: "k") } }
  }

  @Test(arguments: YapDatabaseCheckpoint.Mode.allCases)
  func `copies every frame that no reader holds, and is in the ledger once`(mode: YapDatabaseCheckpoint.Mode) throws {
    try withQuietDatabase { database, writer in
      try commit(writer, times: 5)
      let frames = database.statistics.walFrames
      #expect(database.statistics.walBacklogFrames > 0)
      let before = database.checkpoints().count
      let made = try database.checkpoint(mode)
      #expect(made.mode == mode && made.cause == .call)
      #expect(made.outcome == (mode == .restart || mode == .truncate ? .reset : .complete))
      #expect(made.framesCopied > 0 && made.framesLeft == 0 && made.pinnedBy == nil)
      #expect(database.checkpoints().dropFirst(before).map(\.number) == [made.number])
      #expect(database.statistics.walBacklogFrames == 0)
      #expect((database.statistics.walBytes == 0) == (mode == .truncate))
      try commit(writer)
      // After a full checkpoint, as after a passive one, the next writer without readers restarts the WAL.
      if mode == .restart || mode == .truncate { #expect(database.statistics.walFrames < frames) }
      try database.newConnection().read { try #expect($0.object(forKey: "k") as? [UInt8] == bytes("\($0.snapshot)")) }
    }
  }

  @Test(arguments: YapDatabaseCheckpoint.Mode.allCases)
  func `names the reader that limits it, and copies the rest when that has moved`(
    mode: YapDatabaseCheckpoint.Mode
  ) throws {
    try withQuietDatabase { database, writer in
      let reader = try database.newConnection(name: "reader")
      try commit(writer)
      try reader.beginLongLivedReadTransaction()
      try commit(writer, times: 3)
      let held = try database.checkpoint(mode, timeout: .milliseconds(2))
      #expect(held.outcome == (mode == .passive ? .partialPinned : .gaveUp))
      #expect(held.framesLeft > 0 && held.pinnedBy == "reader")
      #expect(database.statistics.walBacklogFrames == held.framesLeft)
      try reader.beginLongLivedReadTransaction()
      try #expect(database.checkpoint(mode).framesLeft == 0)
      #expect(database.statistics.walBacklogFrames == 0)
      #expect(reader.isInLongLivedReadTransaction && reader.snapshot == database.snapshot)
    }
  }

  @Test(arguments: [YapDatabaseCheckpoint.Mode.full, .restart, .truncate])
  func `waits for a reader, and writers wait for it`(mode: YapDatabaseCheckpoint.Mode) throws {
    try withQuietDatabase { database, writer in
      let reader = try database.newConnection(name: "reader")
      try commit(writer)
      try reader.beginLongLivedReadTransaction()
      try commit(writer)
      let made = Guarded<YapDatabaseCheckpoint?>(nil)
      let hasWritten = Atomic<Bool>(false)
      let asking = try WorkerThread(name: "asking") {
        let checkpoint = try? database.checkpoint(mode, timeout: .seconds(600))
        made.withLock { $0 = checkpoint }
      }
      #expect(eventually { database.isResettingWAL })
      let before = database.snapshot
      let writing = try WorkerThread(name: "writing") {
        try? commit(writer)
        hasWritten.store(true, ordering: .releasing)
      }
      // The commit waits for the write lane.
      #expect(eventually { database.writer.lane.occupancy > 1 })
      #expect(!hasWritten.load(ordering: .acquiring) && database.snapshot == before)
      #expect(made.withLock { $0 == nil })
      try reader.beginLongLivedReadTransaction()
      asking.join()
      writing.join()
      let checkpoint = try #require(made.withLock { $0 })
      #expect(checkpoint.framesLeft == 0 && (checkpoint.outcome == .complete || checkpoint.outcome == .reset))
      #expect(database.snapshot == before + 1)
    }
  }

  @Test func `is rejected inside a transaction, and by a closed database`() throws {
    try withQuietDatabase { database, writer in
      try writer.readWrite { _ in #expect(code { try database.checkpoint() } == .nestedTransaction) }
      try writer.read { _ in #expect(code { try database.checkpoint(.full) } == .nestedTransaction) }
      try database.close()
      for mode in YapDatabaseCheckpoint.Mode.allCases { #expect(code { try database.checkpoint(mode) } == .closed) }
    }
  }

  @Test func `gives up when the database is closed, and queued checkpoints fail`() throws {
    try withQuietDatabase { database, writer in
      let reader = try database.newConnection(name: "reader")
      try commit(writer)
      try reader.beginLongLivedReadTransaction()
      try commit(writer)
      let threads = try (0..<3).map { index in
        try WorkerThread(name: "asking \(index)") { _ = try? database.checkpoint(.full, timeout: .seconds(600)) }
      }
      #expect(eventually { database.isResettingWAL })
      try database.close()
      // The threads end.
      for thread in threads { thread.join() }
    }
  }

  @Test func `loses nothing with any mode and concurrent writers and bookmarks`() throws {
    let seed = Seed.announce(for: "RequestedCheckpointTests")
    let rounds = TestScale.count(300)
    var options = YapDatabaseOptions.quick
    options.aggressiveCheckpointAt = 64 << 10
    try withDatabase(options) { database in
      let writers = try (0..<2).map { try database.newConnection(name: "writer \($0)") }
      let reader = try database.newConnection(name: "reader")
      let failures = Guarded<[String]>([])
      let isOver = StopFlag()
      var work: [@Sendable () throws -> Void] = []
      for (index, writer) in writers.enumerated() {
        work.append {
          for round in 1...rounds {
            try writer.readWrite { try $0.setObject(bytes("\(round)"), forKey: "\(index)/\(round % 20)") }
          }
        }
      }
      work.append { while !isOver.isRaised { try reader.beginLongLivedReadTransaction() } }
      for index in 0..<2 {
        work.append {
          var random = RandomStream(seed: seed &+ UInt64(index))
          // At least once, because the writers may end before this thread begins.
          repeat {
            let mode = YapDatabaseCheckpoint.Mode.allCases[random.below(4)]
            try database.checkpoint(mode, timeout: .milliseconds(random.below(5)))
          } while !isOver.isRaised
        }
      }
      let threads = try work.map { body in
        try WorkerThread(name: "stress") {
          do { try body() } catch { failures.withLock { $0.append("\(error)") } }
        }
      }
      for thread in threads.prefix(2) { thread.join() }
      isOver.raise()
      for thread in threads.dropFirst(2) { thread.join() }
      #expect(failures.withLock { $0.map { $0 } } == [])
      try database.newConnection().read { transaction in
        for index in 0..<2 {
          for round in (max(rounds - 19, 1)...rounds) {
            try #expect(transaction.object(forKey: "\(index)/\(round % 20)") as? [UInt8] == bytes("\(round)"))
          }
        }
      }
      #expect(database.checkpoints().contains { $0.cause == .call })
      #expect(!database.checkpoints().contains { $0.outcome == .failed })
    }
  }
}
