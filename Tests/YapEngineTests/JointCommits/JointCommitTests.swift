import Foundation
import HarnessPrimitives
import SQLiteBinding
import TestSupport
import Testing
import ThreadingPrimitives

@testable import YapEngine

/// Transactions that wait for each other, so that one COMMIT writes all of them.
@Suite(.enabled(if: TestHooks.areBuiltIn)) struct JointCommitTests {
  /// A database in which every transaction joins, and the number of SQLite's commits.
  private struct Joining {
    let database: YapDatabase
    let writers: [YapDatabaseConnection]
    let fault: CommitFault
    let script: PointScript
  }

  private func withJoining(
    change: (inout YapDatabaseOptions) -> Void = { _ in },
    _ body: (Joining) throws -> Void
  ) throws {
    let script = PointScript()
    let fault = CommitFault()
    var options = script.options
    options.joinAlways()
    fault.install(&options)
    change(&options)
    try withDatabase(options) { database in
      try database.waitForOpeningCheckpoint()
      let writers = try ["a", "b", "c"].map { try database.newConnection(name: $0) }
      try body(Joining(database: database, writers: writers, fault: fault, script: script))
      try script.finish()
    }
  }

  private func value(_ transaction: YapDatabaseReadTransaction, _ key: String) throws -> [UInt8]? {
    try transaction.object(forKey: key) as? [UInt8]
  }

  @Test func `each transaction sees the earlier ones, has its own number and its own notification`() throws {
    try withJoining { joining in
      let writers = joining.writers
      let reader = try joining.database.newConnection(name: "reader")
      let listener = Listener(joining.database)
      try writers[0].readWrite { try $0.setObject(bytes("0"), forKey: "k") }
      for connection in writers + [reader] { _ = try connection.read { try value($0, "k") } }
      try reader.beginLongLivedReadTransaction()
      let seen = SharedList<[UInt8]?>()
      let written = SharedList<UInt64>()
      joining.script.at(.commitWritten, of: "c") { written.append(joining.database.snapshot) }
      joining.script.at(.commitAnnounced, of: "c") {
        // No reader sees the transactions before COMMIT.
        let newcomer = try joining.database.newConnection()
        try newcomer.read { try Discrepancy.check(self.value($0, "k"), bytes("0"), "before COMMIT") }
      }
      let outcomes = writeTogether(
        writers.enumerated().map { place, connection in
          Writing(connection) { transaction in
            seen.append(try value(transaction, "k"))
            try transaction.setObject(bytes("\(place + 1)"), forKey: "k")
            try transaction.setObject(bytes("own"), forKey: "own \(place)")
          }
        }
      )
      #expect(outcomes.map(\.number) == [2, 3, 4])
      #expect(seen.all == [bytes("0"), bytes("1"), bytes("2")])
      #expect(written.all == [1])
      // A sweep may have moved the first connections further.
      #expect(zip(writers, [2, 3, 4]).allSatisfy { $0.snapshot >= $1 })
      let jumped = try reader.beginLongLivedReadTransaction()
      #expect(jumped.map(\.snapshot) == [2, 3, 4])
      for (place, one) in jumped.enumerated() {
        #expect(reader.hasChange(forKey: "own \(place)", inCollection: "", in: [one]))
        #expect(!reader.hasChange(forKey: "own \((place + 1) % 3)", inCollection: "", in: [one]))
      }
      for connection in writers + [reader] {
        try connection.read { try #expect(value($0, "k") == bytes("3")) }
      }
      #expect(eventually { listener.told.all.map(\.snapshot) == [1, 2, 3, 4] })
    }
  }

  enum Undoing: CaseIterable { case throwing, rollingBack, changingNothing }

  private struct Deliberate: Error {}

  @Test(arguments: Undoing.allCases)
  func `one transaction is rolled back, and the others are not`(_ undoing: Undoing) throws {
    try withJoining { joining in
      let outcomes = writeTogether([
        Writing(joining.writers[0]) { try $0.setObject(bytes("a"), forKey: "k") },
        Writing(joining.writers[1]) { transaction in
          try Discrepancy.check(transaction.snapshot, 2, "number")
          if undoing == .changingNothing { return }
          try transaction.setObject(bytes("b"), forKey: "k")
          try transaction.setObject(bytes("b"), forKey: "b", inCollection: "new")
          if undoing == .throwing { throw Deliberate() }
          try transaction.rollback()
        },
        Writing(joining.writers[2]) { transaction in
          try Discrepancy.check(transaction.snapshot, 2, "number")
          try Discrepancy.check(value(transaction, "k"), bytes("a"), "what the first has stored")
          try transaction.setObject(bytes("c"), forKey: "c", inCollection: "new")
        },
      ])
      #expect(outcomes.map(\.number) == [1, nil, 2])
      for connection in joining.writers {
        try connection.read { transaction in
          try #expect(value(transaction, "k") == bytes("a"))
          try #expect(transaction.allKeys(inCollection: "new") == ["c"])
        }
      }
    }
  }

  /// SQLite writes frames of pages that do not fit into its cache before COMMIT, and writes them again in their place.
  /// A copy of the files is what a crash of the process would leave.
  @Test func `a crash keeps a joint commit whose transactions are larger than the page cache`() throws {
    let seed = Seed.announce(for: "JointCommitTests")
    var random = RandomStream(seed: seed, "spilling")
    try withTemporaryFolder { folder in
      var options = YapDatabaseOptions.quick
      options.pageSize = 512
      options.joinAlways()
      let path = folder + "/test.sqlite"
      let database = try YapDatabase(path: path, options: options)
      try database.waitForOpeningCheckpoint()
      try database.writer.lane.withLane { try database.writer.handle.execute("PRAGMA cache_size = 8") }
      let writers = try (0..<3).map { _ in try database.newConnection() }
      var rows: [String: UInt8] = [:]
      for round in 0..<TestScale.count(200) {
        let writings = writers.map { connection in
          let changes = (0..<random.below(60)).map { _ in ("\(random.below(100))", UInt8(random.below(250))) }
          let isRolledBack = random.chance(oneIn: 3)
          if !isRolledBack { for (key, value) in changes { rows[key] = value } }
          return Writing(connection) { transaction in
            for (key, value) in changes {
              try transaction.setObject([UInt8](repeating: value, count: 300), forKey: key)
            }
            if isRolledBack { try transaction.rollback() }
          }
        }
        _ = writeTogether(writings)
        for suffix in ["", "-wal"] {
          try FileManager.default.copyItem(atPath: path + suffix, toPath: folder + "/copy" + suffix)
        }
        let copy = try YapDatabase(path: folder + "/copy", options: .quick)
        var found: [String: UInt8] = [:]
        try copy.newConnection().read { transaction in
          try transaction.enumerateKeysAndObjects([UInt8].self) { key, object, _ in found[key] = object[0] }
        }
        try copy.close()
        try #require(found == rows, "round \(round), seed \(seed)")
        for suffix in ["", "-wal"] { try? FileManager.default.removeItem(atPath: folder + "/copy" + suffix) }
      }
      try database.close()
    }
  }

  @Test func `the name of a collection is rolled back with the transaction that stored it`() throws {
    let found = try withTemporaryFolder { folder in
      Discrepancy.first {
        var options = YapDatabaseOptions.quick
        options.joinAlways()
        let database = try YapDatabase(path: folder + "/test.sqlite", options: options)
        try database.waitForOpeningCheckpoint()
        let writers = try (0..<3).map { _ in try database.newConnection() }
        _ = writeTogether([
          Writing(writers[0]) { try $0.setObject(bytes("a"), forKey: "a") },
          Writing(writers[1]) { transaction in
            try transaction.setObject(bytes("b"), forKey: "b", inCollection: "new")
            try transaction.rollback()
          },
          Writing(writers[2]) { try $0.setObject(bytes("c"), forKey: "c", inCollection: "new") },
        ])
        try database.close()
        let again = try YapDatabase(path: folder + "/test.sqlite", options: .quick)
        try again.newConnection().read { transaction in
          try Discrepancy.check(transaction.allKeys(inCollection: "new"), ["c"], "keys of the new collection")
        }
        try again.close()
      }
    }
    #expect(found == nil)
  }

  /// With any policy, no cache keeps values that a failed COMMIT has lost.
  @Test(arguments: [YapDatabasePolicy.containment, .share])
  func `when COMMIT fails all transactions fail, and no connection keeps their values`(_ policy: YapDatabasePolicy)
    throws
  {
    try withJoining(change: { $0.defaultObjectPolicy = policy }) { joining in
      let writers = joining.writers
      let listener = Listener(joining.database)
      try writers[0].readWrite { try $0.setObject(bytes("0"), forKey: "k") }
      for connection in writers { _ = try connection.read { try value($0, "k") } }
      joining.fault.failNext()
      let outcomes = writeTogether([
        Writing(writers[0]) { try $0.setObject(bytes("a"), forKey: "k") },
        Writing(writers[1]) { transaction in
          try transaction.setObject(bytes("b"), forKey: "k")
          throw Deliberate()
        },
        // It has seen lost changes, so it fails too.
        Writing(writers[2]) { try Discrepancy.check(value($0, "k"), bytes("a"), "what the first has stored") },
      ])
      let failures = outcomes.map { $0.failure }
      #expect((failures[0] as? YapDatabaseError)?.code == .full)
      #expect(failures[1] is Deliberate)
      #expect((failures[2] as? YapDatabaseError)?.code == .full)
      #expect(joining.database.snapshot == 1)
      for connection in writers { try connection.read { try #expect(value($0, "k") == bytes("0")) } }
      try writers[1].readWrite { try $0.setObject(bytes("after"), forKey: "k") }
      for connection in writers { try connection.read { try #expect(value($0, "k") == bytes("after")) } }
      #expect(eventually { listener.told.all.map(\.snapshot) == [1, 2] })
    }
  }

  /// After some errors SQLite rolls back its whole transaction, and with it those that wait for COMMIT.
  @Test func `if SQLite rolls back everything, the waiting transactions fail with the reason`() throws {
    try withJoining { joining in
      let writers = joining.writers
      try writers[0].readWrite { try $0.setObject(bytes("0"), forKey: "k") }
      let outcomes = writeTogether([
        Writing(writers[0]) { try $0.setObject(bytes("a"), forKey: "k") },
        Writing(writers[1]) { transaction in
          try transaction.setObject(bytes("b"), forKey: "k")
          joining.database.writer.handle.rollbackIfNeeded()
        },
        Writing(writers[2]) { try $0.setObject(bytes("c"), forKey: "c") },
      ])
      let lost = try #require(outcomes[0].failure as? YapDatabaseError)
      #expect(lost.message.contains("a later transaction of the same joint commit failed"), "\(lost)")
      #expect(outcomes[1].failure is YapDatabaseError)
      #expect(outcomes[2].number == 2)
      for connection in writers { try connection.read { try #expect(value($0, "k") == bytes("0")) } }
    }
  }

  @Test func `a thread that holds other lanes does not join`() throws {
    try withJoining { joining in
      let writers = joining.writers
      let outer = try joining.database.newConnection(name: "outer")
      let hasBegun = StopFlag()
      let mayEnd = StartGate()
      let thread = try WorkerThread(name: "nested") {
        _ = try? outer.read { _ in
          try writers[0].readWrite { transaction in
            hasBegun.raise()
            mayEnd.wait()
            try transaction.setObject(bytes("a"), forKey: "k")
          }
        }
      }
      #expect(eventually { hasBegun.isRaised })
      let behind = try WorkerThread(name: "behind") {
        try? writers[1].readWrite { try $0.setObject(bytes("b"), forKey: "k") }
      }
      #expect(eventually { joining.database.writer.waitingCount == 1 })
      let states = SharedList<UInt64>()
      joining.script.at(.commitRegistered, of: "a") { states.append(joining.database.snapshot) }
      mayEnd.open()
      thread.join()
      behind.join()
      #expect(states.all == [1])
      #expect(joining.database.snapshot == 2)
    }
  }

  /// Runs `call` on a thread of its own. It waits for the write lane while a transaction of the connection "a" stores a
  /// row.
  private func run(behindTransactionIn joining: Joining, _ call: @escaping @Sendable () -> Void) throws {
    let hasBegun = StopFlag()
    let mayEnd = StartGate()
    let first = try WorkerThread(name: "first") {
      try? joining.writers[0].readWrite { transaction in
        hasBegun.raise()
        mayEnd.wait()
        try transaction.setObject(bytes("a"), forKey: "k")
      }
    }
    #expect(eventually { hasBegun.isRaised })
    let second = try WorkerThread(name: "second", call)
    #expect(eventually { joining.database.writer.waitingCount == 1 })
    mayEnd.open()
    first.join()
    second.join()
  }

  @Test func `maintenance and checkpoints run after the joint commit`() throws {
    try withJoining { joining in
      try run(behindTransactionIn: joining) { try? joining.writers[1].vacuum() }
      #expect(joining.database.snapshot == 2)  // the vacuum's own commit is the second
      try joining.writers[2].read { try #expect(value($0, "k") == bytes("a")) }
    }
  }

  @Test func `a view is registered after the joint commit`() throws {
    try withJoining { joining in
      let database = joining.database
      let states = SharedList<UInt64>()
      let view = YapDatabaseView(
        grouping: .withKeyBlock { _, _, _ in
          states.append(database.snapshot)
          return "group"
        },
        sorting: .withKeyBlock { _, _, _, _, _, _ in .orderedSame }
      )
      try run(behindTransactionIn: joining) { try? database.register(view, withName: "view") }
      #expect(states.all == [1])
    }
  }

  /// The participants let all waiting writers pass, and writers that fail may come again and again.
  @Test func `a writer that fails before its block ends the joint commit`() throws {
    try withJoining { joining in
      let writers = joining.writers
      joining.script.at(.commitRegistered, of: "b") {}
      let outcomes = writeTogether([
        Writing(writers[0]) { transaction in
          try transaction.setObject(bytes("a"), forKey: "k")
          joining.database.damageNotice.note(YapDatabaseError(.corrupt, "damaged, says the test", sqliteCode: 11))
        },
        Writing(writers[1]) { try $0.setObject(bytes("b"), forKey: "k") },
      ])
      #expect(outcomes[0].number == 1)
      #expect((outcomes[1].failure as? YapDatabaseError)?.code == .corrupt)
    }
  }

  /// Without test hooks, the options and the disk decide.
  @Test func `without syncs every transaction commits alone`() throws {
    let script = PointScript()
    script.at(.transactionJoined, of: "a") {}
    try withDatabase(script.options) { database in
      let writers = try ["a", "b"].map { try database.newConnection(name: $0) }
      for _ in 0..<50 {
        _ = writeTogether(writers.map { Writing($0) { try $0.setObject(bytes("x"), forKey: "k") } })
      }
    }
    let found = Discrepancy.first { try script.finish() }
    #expect(found != nil)
  }
}
