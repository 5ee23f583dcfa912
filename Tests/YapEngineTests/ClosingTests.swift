import Foundation
import HarnessPrimitives
import TestSupport
import Testing
import ThreadingPrimitives

@testable import YapEngine

/// Calls that are pending when a database closes.
@Suite struct ClosingTests {
  private static let patience = Duration.seconds(100)

  private func rows(_ path: String) throws -> Int {
    let database = try YapDatabase(path: path, options: .quick)
    let count = try database.newConnection().read { try $0.numberOfKeysInAllCollections() }
    try database.close()
    return count
  }

  /// A block that stays in its transaction until the gate opens.
  private func occupy(_ connection: YapDatabaseConnection, until gate: StartGate) {
    let hasBegun = StartGate()
    connection.asyncRead { _ in
      hasBegun.open()
      gate.wait()
    }
    hasBegun.wait()
  }

  private func outcome(_ error: (any Error)?) -> String {
    guard let error else { return "done" }
    return (error as? YapDatabaseError)?.code.name ?? "\(error)"
  }

  @Test(arguments: [YapDatabaseOptions.Synchronous.off, .full])
  func `everything that was queued is stored when the database closes`(
    _ synchronous: YapDatabaseOptions.Synchronous
  ) throws {
    try withTemporaryFolder { folder in
      var options = YapDatabaseOptions()
      options.synchronous = synchronous
      let database = try YapDatabase(path: folder + "/test.sqlite", options: options)
      let connections = try (0..<3).map { _ in try database.newConnection() }
      let count = synchronous == .off ? 2_000 : 300
      for number in 0..<count {
        connections[number % 3].asyncReadWrite { try $0.setObject(bytes("\(number)"), forKey: "\(number)") }
      }
      try database.close(timeout: Self.patience)
      #expect(database.snapshot == UInt64(count) && database.statistics.asyncFailureCount == 0)
      try #expect(FileManager.default.contentsOfDirectory(atPath: folder) == ["test.sqlite"])
      try #expect(rows(folder + "/test.sqlite") == count)
    }
  }

  @Test func `everything that was queued is stored when the last reference is released`() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/test.sqlite"
      weak var gone: YapDatabase?
      do {
        let database = try YapDatabase(path: path, options: .quick)
        gone = database
        let connection = try database.newConnection()
        for number in 0..<2_000 {
          connection.asyncReadWrite { try $0.setObject(bytes("\(number)"), forKey: "\(number)") }
        }
      }
      #expect(eventually { gone == nil })
      var again: YapDatabase?
      #expect(eventually { code { again = try YapDatabase(path: path, options: .quick) } == nil })
      #expect(again?.snapshot == 2_000)
      try again?.close()
    }
  }

  @Test func `a close that times out names each busy connection with its calls, and loses none of them`() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/test.sqlite"
      let database = try YapDatabase(path: path, options: .quick)
      let (first, second) = (try database.newConnection(name: "first"), try database.newConnection(name: "second"))
      let idle = try database.newConnection(name: "idle")
      let gate = StartGate()
      for connection in [first, second] { occupy(connection, until: gate) }
      for number in 0..<2 {
        first.asyncReadWrite { try $0.setObject(bytes("\(number)"), forKey: "\(number)") }
      }
      first.objectCacheLimit = 3  // a setting that is queued too
      // The second close finds the same, because a close that timed out leaves no queue entry.
      for _ in 0..<2 {
        let error = failure { try database.close(timeout: .milliseconds(1)) }
        #expect(error?.code == .timeout)
        let expected = "\"first\" (4 pending calls), \"second\" (1 pending call)."
        #expect(error?.message.contains(expected) == true, "\(error?.message ?? "no error")")
        #expect(error?.message.contains("idle") == false)
        #expect(first.pendingTransactionCount == 4)
      }
      let outcomes = SharedList<String>()
      first.asyncReadWrite({ try $0.removeAllObjects() }, completion: { outcomes.append("\($0)") })
      first.asyncRead({ _ in }, completion: { outcomes.append("\($0.map { "\($0)" } ?? "done")") })
      #expect(eventually { outcomes.all.count == 2 })
      #expect(outcomes.all.allSatisfy { $0.contains("has been closed") })
      #expect(code { try idle.read { _ in } } == .closed)
      #expect(code { _ = try database.newConnection() } == .closed)
      gate.open()
      try database.close(timeout: Self.patience)
      try #expect(rows(path) == 2)
    }
  }

  @Test func `a close that discards waits for running calls, and ends queued calls with an error`() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/test.sqlite"
      let database = try YapDatabase(path: path, options: .quick)
      let connection = try database.newConnection()
      let (hasBegun, gate) = (StartGate(), StartGate())
      let outcomes = SharedList<String>()
      for number in 0..<3 {
        connection.asyncReadWrite { transaction in
          hasBegun.open()
          gate.wait()
          try transaction.setObject(bytes("\(number)"), forKey: "\(number)")
        } completion: { ended in
          if case .committed(let number) = ended { return outcomes.append("commit \(number)") }
          outcomes.append(self.outcome(ended.failure))
        }
      }
      connection.asyncRead({ _ in }, completion: { outcomes.append(self.outcome($0)) })
      hasBegun.wait()
      // A close that drains may be followed by one that discards.
      #expect(code { try database.close(timeout: .zero) } == .timeout)
      #expect(code { try database.close(discardingQueued: true, timeout: .zero) } == .timeout)
      gate.open()
      try database.close(discardingQueued: true, timeout: Self.patience)
      #expect(eventually { outcomes.all.count == 4 })
      #expect(outcomes.all == ["commit 1", "closed", "closed", "closed"])
      try #expect(rows(path) == 1)
    }
  }

  @Test func `calls made inside a block are rejected while the database closes`() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/test.sqlite"
      let database = try YapDatabase(path: path, options: .quick)
      let (connection, other) = (try database.newConnection(), try database.newConnection())
      let gate = StartGate()
      let codes = SharedList<String>()
      occupy(connection, until: gate)
      connection.asyncReadWrite { transaction in
        try transaction.setObject(bytes("1"), forKey: "stored")
        let write: @Sendable (YapDatabaseReadWriteTransaction) throws -> Void = { try $0.removeAllObjects() }
        for connection in [connection, other] {
          connection.asyncReadWrite(write, completion: { codes.append(self.outcome($0.failure)) })
        }
        codes.append(self.outcome(failure { try other.read { _ in } }))
        codes.append(self.outcome(failure { try database.close() }))
      }
      #expect(code { try database.close(timeout: .zero) } == .timeout)
      gate.open()
      try database.close(timeout: Self.patience)
      #expect(eventually { codes.all.count == 4 })
      #expect(codes.all.sorted() == ["closed", "closed", "closed", "nestedTransaction"])
      try #expect(rows(path) == 1)
    }
  }

  @Test func `threads that close at the same time wait for the same calls`() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/test.sqlite"
      let database = try YapDatabase(path: path, options: .quick)
      let connections = try (0..<4).map { _ in try database.newConnection() }
      for number in 0..<400 {
        connections[number % 4].asyncReadWrite { try $0.setObject(bytes("\(number)"), forKey: "\(number)") }
      }
      let crew = Crew()
      for index in 0..<4 { try crew.add("closing \(index)") { try database.close(timeout: Self.patience) } }
      #expect(crew.run() == nil)
      try #expect(rows(path) == 400)
    }
  }

  //  a thread                   writing thread             closing thread
  //  ─────────────────────────  ─────────────────────────  ─────────────────────────
  //  is in a transaction
  //                             waits for its turn
  //                                                        close: waits
  //  leaves the transaction
  //                             writes and returns
  //                                                        succeeds
  @Test func `a synchronous call that waits for a lane is executed before the database closes`() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/test.sqlite"
      let database = try YapDatabase(path: path, options: .quick)
      let connection = try database.newConnection()
      let gate = StartGate()
      occupy(connection, until: gate)
      let found = SharedList<String>()
      let writing = try WorkerThread(name: "writing") {
        found.append(self.outcome(failure { try connection.readWrite { try $0.setObject(bytes("1"), forKey: "k") } }))
      }
      #expect(eventually { connection.pendingTransactionCount == 2 })
      let closing = try WorkerThread(name: "closing") {
        found.append(self.outcome(failure { try database.close(timeout: Self.patience) }))
      }
      #expect(eventually { code { try database.checkIsOpen() } == .closed })
      gate.open()
      writing.join()
      closing.join()
      #expect(found.all == ["done", "done"])
      try #expect(rows(path) == 1)
    }
  }

  @Test func `a close inside a block is rejected, and leaves the database open`() throws {
    try withDatabase { database in
      let (connection, other) = (try database.newConnection(), try database.newConnection())
      try connection.read { _ in #expect(code { try database.close() } == .nestedTransaction) }
      let codes = SharedList<String>()
      other.asyncReadWrite { _ in codes.append(self.outcome(failure { try database.close(discardingQueued: true) })) }
      try other.readWrite { try $0.setObject(bytes("1"), forKey: "k") }
      #expect(codes.all == ["nestedTransaction"])
    }
  }

  @Test func `reads that were queued on a bookmark see its snapshot while the database closes`() throws {
    try withTemporaryFolder { folder in
      let database = try YapDatabase(path: folder + "/test.sqlite", options: .quick)
      let (ui, writer) = (try database.newConnection(), try database.newConnection())
      try writer.readWrite { try $0.setObject(bytes("1"), forKey: "k") }
      try ui.beginLongLivedReadTransaction()
      let gate = StartGate()
      occupy(ui, until: gate)
      let seen = SharedList<UInt64>()
      for _ in 0..<3 { ui.asyncRead { seen.append($0.snapshot) } }
      try writer.readWrite { try $0.setObject(bytes("2"), forKey: "k") }
      #expect(code { try database.close(timeout: .zero) } == .timeout)
      gate.open()
      try database.close(timeout: Self.patience)
      #expect(seen.all == [1, 1, 1])
      #expect(code { try ui.endLongLivedReadTransaction() } == .closed)
      try #expect(FileManager.default.contentsOfDirectory(atPath: folder) == ["test.sqlite"])
    }
  }

  @Test func `maintenance that is queued before a close is executed, and has no effect after it`() throws {
    try withTemporaryFolder { folder in
      let database = try YapDatabase(path: folder + "/test.sqlite", options: .quick)
      let connection = try database.newConnection()
      let gate = StartGate()
      let ended = SharedList<String>()
      occupy(connection, until: gate)
      connection.asyncVacuum { ended.append("vacuum \(self.outcome($0))") }
      let view = YapDatabaseView(
        grouping: .withKeyBlock { _, _, key in key },
        sorting: .withKeyBlock { _, _, _, left, _, right in left.compare(right) }
      )
      database.asyncRegister(view, withName: "keys") { ended.append("view \(self.outcome($0))") }
      connection.flushMemory()
      #expect(eventually { ended.all == ["view done"] })
      #expect(code { try database.close(timeout: .zero) } == .timeout)
      gate.open()
      try database.close(timeout: Self.patience)
      connection.flushMemory()
      connection.flushTransactions { ended.append("flushed") }
      #expect(eventually { ended.all == ["view done", "vacuum done", "flushed"] })
    }
  }

  @Test func `connections that threads open and release while the database closes leave no open file`() throws {
    let seed = Seed.announce(for: "ClosingTests")
    var generator = RandomStream(seed: seed)
    for _ in 0..<TestScale.count(200) {
      try withTemporaryFolder { folder in
        let database = try YapDatabase(path: folder + "/test.sqlite", options: .quick)
        let rounds = generator.below(20)
        let opened = SharedList<Bool>()
        let crew = Crew()
        for thread in 0..<3 {
          try crew.add("thread \(thread)") {
            let write: () throws -> Void = {
              try database.newConnection().readWrite { try $0.setObject(bytes("1"), forKey: "k") }
            }
            while code(write) == nil {
              opened.append(true)
            }
          }
        }
        try crew.add("closing") {
          _ = eventually { opened.all.count >= rounds }
          try database.close(timeout: Self.patience)
          let files = try FileManager.default.contentsOfDirectory(atPath: folder)
          try Discrepancy.check(files, ["test.sqlite"], "files after the close")
          // Another database can own the file immediately.
          try YapDatabase(path: folder + "/test.sqlite", options: .quick).close()
        }
        let found = crew.run()
        #expect(found == nil)
      }
    }
  }
}
