import Dispatch
import Foundation
import SQLiteBinding
import TestSupport
import Testing
import ThreadingPrimitives

@testable import YapEngine

@Suite struct CompletionTests {
  private static func text(_ outcome: YapDatabaseOutcome) -> String {
    switch outcome {
    case .committed(let snapshot): "committed \(snapshot)"
    case .noChanges: "nothing"
    case .rolledBack: "rolled back"
    case .failed(let error): error is Deliberate ? "failed" : "\(error)"
    }
  }

  /// Each completion is called once, in order, and sees the commit, however the transaction ends.
  @Test(arguments: ["commit", "nothing", "rollback", "throw", "commit fails"])
  func `stacked completions are called in order with the outcome`(ending: String) throws {
    try withDatabase { database in
      let connection = try database.newConnection()
      let other = try database.newConnection()
      let queue = DispatchQueue(label: "completions")
      let told = SharedList<String>()
      try database.writer.handle.sqlite.execute(
        """
        PRAGMA foreign_keys = ON; CREATE TABLE parent(id INTEGER PRIMARY KEY);
        CREATE TABLE child(id REFERENCES parent(id) DEFERRABLE INITIALLY DEFERRED)
        """
      )
      let block: @Sendable (YapDatabaseReadWriteTransaction) throws -> Void = { transaction in
        for number in 1...3 {
          try transaction.addCompletion(queue: queue) { outcome in
            let seen = try? other.read { try $0.object(forKey: "k") as? [UInt8] }
            let text = ending == "commit fails" ? "failed" : Self.text(outcome)
            told.append("\(number): \(text), \(seen == nil ? "absent" : "there")")
          }
        }
        if ending != "nothing" { try transaction.setObject(bytes("1"), forKey: "k") }
        switch ending {
        case "rollback": try transaction.rollback()
        case "throw": throw Deliberate()
        case "commit fails": try database.writer.handle.sqlite.execute("INSERT INTO child VALUES (7)")
        default: break
        }
      }
      connection.asyncReadWrite(block, completionQueue: queue) { _ in told.append("the call's own") }
      #expect(eventually { told.all.count == 4 })
      let end =
        [
          "commit": "committed 1, there", "nothing": "nothing, absent", "rollback": "rolled back, absent",
          "throw": "failed, absent", "commit fails": "failed, absent",
        ][ending] ?? ""
      #expect(told.all == ["1: \(end)", "2: \(end)", "3: \(end)", "the call's own"])
      // The next transaction does not call them.
      try connection.readWrite { try $0.setCustomObject(1) }
      queue.sync {}
      #expect(told.all.count == 4)
    }
  }

  @Test func `a synchronous transaction calls completions too, by default on the notification queue`() throws {
    var options = YapDatabaseOptions.quick
    let queue = DispatchQueue(label: "notifications")
    let mark = DispatchSpecificKey<Bool>()
    queue.setSpecific(key: mark, value: true)
    options.notificationQueue = queue
    try withDatabase(options) { database in
      let connection = try database.newConnection()
      let told = SharedList<String>()
      try connection.readWrite { transaction in
        try transaction.addCompletion {
          told.append("\(Self.text($0)), \(DispatchQueue.getSpecific(key: mark) == true)")
        }
        try transaction.setCustomObject(1)
      }
      #expect(eventually { told.all == ["committed 1, true"] })
    }
  }

  @Test func `a transaction that has ended accepts no completions`() throws {
    try withDatabase { database in
      let escaped = try database.newConnection().readWrite { $0 }
      #expect(code { try escaped.addCompletion { _ in } } == .transactionEnded)
    }
  }

  //  this thread                    the connection                 the queue
  //  ─────────────────────────────  ─────────────────────────────  ───────────────
  //                                 a job that waits at a gate
  //  queues two writes, a flush, and a write
  //  opens the gate
  //                                 runs them                      two writes complete
  @Test func `a flush completes when all earlier calls have ended`() throws {
    try withDatabase { database in
      let connection = try database.newConnection()
      #expect(eventually { connection.pendingTransactionCount == 0 })
      let gate = StartGate()
      let told = SharedList<UInt64>()
      connection.asyncRead({ _ in gate.wait() })
      for _ in 0..<2 { connection.asyncReadWrite({ try $0.setCustomObject(1) }) }
      connection.flushTransactions { told.append(connection.snapshot) }
      #expect(eventually { connection.pendingTransactionCount >= 4 })
      #expect(told.all.isEmpty)
      gate.open()
      #expect(eventually { told.all.first == 2 })
      #expect(eventually { connection.pendingTransactionCount == 0 })
      try connection.read { _ in #expect(connection.pendingTransactionCount == 1) }
    }
  }

  /// Notifications and completions with the default queue are also delivered in a program without a main dispatch loop.
  @Test func `notifications and completions need no main loop`() async {
    await #expect(processExitsWith: .success) {
      reported { try withDatabase { try CompletionTests.deliver($0) } }
    }
  }

  private static func deliver(_ database: YapDatabase) throws {
    let listener = Listener(database)
    let told = SharedList<String>()
    let connection = try database.newConnection()
    connection.asyncReadWrite({ try $0.setCustomObject("news") }, completion: { told.append(text($0)) })
    guard eventually({ told.all == ["committed 1"] && listener.told.all.map(\.snapshot) == [1] }) else {
      throw Discrepancy("told: \(told.all), \(listener.told.all.map(\.snapshot))")
    }
  }
}
