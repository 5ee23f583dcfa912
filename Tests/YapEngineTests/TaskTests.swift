import Foundation
import TestSupport
import Testing
import ThreadingPrimitives

@testable import YapEngine

/// Transactions in tasks: cancellation, bookmarks, and the synchronous calls inside of `async` functions.
@Suite(.timeLimit(.minutes(20))) struct TaskTests {
  private final class Opened: Sendable {
    let database: YapDatabase
    private let folder: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
      database = try YapDatabase(path: folder.path + "/test.sqlite", options: .quick)
    }
  }

  /// Waits without blocking a thread, which the awaited task may need.
  private func eventually(_ condition: () throws -> Bool) async rethrows -> Bool {
    let deadline = MonotonicClock.now + 100_000_000_000
    while try !condition() {
      if MonotonicClock.now > deadline { return false }
      await Task.yield()
    }
    return true
  }

  private func code<Success: Sendable>(_ task: Task<Success, any Error>) async -> YapDatabaseError.Code? {
    if case .failure(let error) = await task.result { return (error as? YapDatabaseError)?.code }
    return nil
  }

  private func write(_ connection: YapDatabaseConnection, _ key: String) -> Task<UInt64, any Error> {
    Task {
      try await connection.readWrite { transaction in
        try transaction.setObject(bytes("1"), forKey: key)
        return transaction.snapshot
      }
    }
  }

  /// Holds the connection's lane until the gate opens.
  private func occupy(_ connection: YapDatabaseConnection, until gate: StartGate) {
    connection.asyncRead { _ in gate.wait() }
  }

  // MARK: Cancellation

  @Test func `a task that was cancelled before its call does not run the block`() async throws {
    let opened = try Opened()
    let connection = try opened.database.newConnection()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await connection.readWrite { try $0.setObject(bytes("1"), forKey: "k") }
    }
    #expect(await code(task) == .cancelled)
    let reading = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await connection.read { try $0.hasObject(forKey: "k") }
    }
    #expect(await code(reading) == .cancelled)
    #expect(opened.database.snapshot == 0 && connection.pendingTransactionCount == 0)
    try opened.database.close()
  }

  @Test
  func `a task that is cancelled while its call is queued continues at once, and nothing is written`() async throws {
    let opened = try Opened()
    let connection = try opened.database.newConnection(name: "busy")
    let gate = StartGate()
    occupy(connection, until: gate)
    let writing = write(connection, "k")
    let jumping = Task { try await connection.beginLongLivedReadTransaction().count }
    #expect(await eventually { connection.pendingTransactionCount == 3 })
    writing.cancel()
    jumping.cancel()
    // The calls are still queued, because the lane is held until the gate opens.
    for failure in [await writing.result.map { _ in 0 }, await jumping.result] {
      guard case .failure(let error as YapDatabaseError) = failure else {
        Issue.record("not cancelled: \(failure)")
        continue
      }
      #expect(error.code == .cancelled && error.message.contains("on connection \"busy\""))
    }
    gate.open()
    try await connection.readWrite { try $0.setObject(bytes("1"), forKey: "after") }
    #expect(opened.database.snapshot == 1 && !connection.isInLongLivedReadTransaction)
    try #expect(connection.syncRead { try !$0.hasObject(forKey: "k") })
    try opened.database.close()
  }

  //  another connection              the task                        the test
  //  ──────────────────────────────  ──────────────────────────────  ──────────────────────────────
  //  is in a read-write transaction
  //                                  holds its own lane, and waits
  //                                  for the write lane
  //                                                                  cancels the task
  //                                  ends with `cancelled`
  //  commits
  @Test func `a write that waits for other writers can still be cancelled`() async throws {
    let opened = try Opened()
    let database = opened.database
    let (first, second) = (try database.newConnection(), try database.newConnection())
    let gate = StartGate()
    first.asyncReadWrite { transaction in
      gate.wait()
      try transaction.setObject(bytes("1"), forKey: "first")
    }
    #expect(await eventually { database.writer.lane.isHeld })
    let task = write(second, "second")
    #expect(await eventually { database.writer.waitingCount == 1 })
    task.cancel()
    #expect(await code(task) == .cancelled)
    gate.open()
    let number = try await second.readWrite { transaction in
      try #expect(!transaction.hasObject(forKey: "second") && transaction.hasObject(forKey: "first"))
      try transaction.setObject(bytes("2"), forKey: "third")
      return transaction.snapshot
    }
    #expect(number == 2)
    try opened.database.close()
  }

  @Test func `a block that has begun runs to its end, even if its task is cancelled`() async throws {
    let opened = try Opened()
    let connection = try opened.database.newConnection()
    let (hasBegun, gate) = (StopFlag(), StartGate())
    let task = Task {
      try await connection.readWrite { transaction in
        hasBegun.raise()
        gate.wait()
        try transaction.setObject(bytes("1"), forKey: "k")
        return transaction.snapshot
      }
    }
    #expect(await eventually { hasBegun.isRaised })
    task.cancel()
    gate.open()
    #expect(try await task.value == 1)
    #expect(opened.database.snapshot == 1)
    try opened.database.close()
  }

  @Test func `a write is either stored and returned, or cancelled and not stored`() async throws {
    let opened = try Opened()
    let database = opened.database
    let connections = try (0..<3).map { _ in try database.newConnection() }
    let gate = StartGate()
    for connection in connections { occupy(connection, until: gate) }
    let tasks = (0..<600).map { write(connections[$0 % 3], "\($0)") }
    for index in tasks.indices where index % 4 == 0 { tasks[index].cancel() }
    gate.open()
    // These cancellations may be too late.
    for index in tasks.indices.reversed() where index % 4 == 2 { tasks[index].cancel() }
    var stored: Set<String> = []
    var found: Discrepancy?
    for (index, task) in tasks.enumerated() {
      switch await task.result {
      case .success:
        stored.insert("\(index)")
        if index % 4 == 0 { found = found ?? Discrepancy("task \(index) was cancelled and has written") }
      case .failure(let error as YapDatabaseError) where error.code == .cancelled && index % 2 == 0: break
      case .failure(let error): found = found ?? Discrepancy("task \(index): \(error)")
      }
    }
    if database.snapshot != UInt64(stored.count) { found = found ?? Discrepancy("\(database.snapshot) commits") }
    let keys = try await connections[0].read { try Set($0.allKeys()) }
    if keys != stored { found = found ?? Discrepancy("stored: \(keys.symmetricDifference(stored))") }
    try opened.database.close()
    #expect(found == nil)
  }

  @Test func `calls that tasks await are executed before the database closes, and rejected after it`() async throws {
    let opened = try Opened()
    let connection = try opened.database.newConnection()
    let gate = StartGate()
    occupy(connection, until: gate)
    let task = write(connection, "k")
    #expect(await eventually { connection.pendingTransactionCount == 2 })
    do {
      try opened.database.close(timeout: .zero)
      Issue.record("closed with a call pending")
    } catch let error as YapDatabaseError {
      #expect(error.code == .timeout && error.message.contains("(2 pending calls)"))
    }
    gate.open()
    try opened.database.close(timeout: .seconds(100))
    #expect(try await task.value == 1)
    #expect(await code(write(connection, "late")) == .closed)
  }

  // MARK: Synchronous calls, and bookmarks

  @Test func `an async function calls both forms of each call`() async throws {
    let opened = try Opened()
    let database = opened.database
    let (connection, ui) = (try database.newConnection(), try database.newConnection())
    // As in YapDatabase's documentation: the block sets a variable, and the object is untyped.
    var object: Any?
    try connection.syncReadWrite { try $0.setObject(bytes("1"), forKey: "k") }
    try connection.syncRead { object = try $0.object(forKey: "k") }
    #expect(object as? [UInt8] == bytes("1"))
    #expect(try await connection.read { try $0.object([UInt8].self, forKey: "k") } == bytes("1"))

    try await ui.beginLongLivedReadTransaction()
    try await connection.readWrite { try $0.setObject(bytes("2"), forKey: "k") }
    #expect(try await ui.read { try $0.object([UInt8].self, forKey: "k") } == bytes("1"))
    #expect(try await ui.beginLongLivedReadTransaction().map(\.snapshot) == [2])
    try connection.syncReadWrite { try $0.setObject(bytes("3"), forKey: "k") }
    #expect(try await ui.endLongLivedReadTransaction()?.map(\.snapshot) == [3])
    #expect(try await ui.endLongLivedReadTransaction() == nil)

    try ui.syncBeginLongLivedReadTransaction()
    try connection.syncReadWrite { try $0.setObject(bytes("4"), forKey: "k") }
    #expect(try ui.syncBeginLongLivedReadTransaction().map(\.snapshot) == [4])
    #expect(try ui.syncEndLongLivedReadTransaction()?.isEmpty == true)
    try opened.database.close()
  }

  @Test func `the async forms need the permission for asynchronous calls`() async throws {
    let opened = try Opened()
    let connection = try opened.database.newConnection()
    for permitted in [YapDatabasePermittedTransactions.anySync, .asyncRead, .anyAsync] {
      connection.permittedTransactions = permitted
      let calls: [(YapDatabasePermittedTransactions, Task<Void, any Error>)] = [
        (.asyncRead, Task { try await connection.read { _ in } }),
        (.asyncReadWrite, Task { try await connection.readWrite { _ in } }),
        (.asyncRead, Task { _ = try await connection.beginLongLivedReadTransaction() }),
        (.asyncRead, Task { _ = try await connection.endLongLivedReadTransaction() }),
      ]
      for (index, (kind, call)) in calls.enumerated() {
        let found = await code(call)
        #expect(
          found == (permitted.contains(kind) ? nil : .notPermitted) || found == .longLivedReadInTheWay,
          "\(index)"
        )
      }
      connection.permittedTransactions = .any
      try await connection.endLongLivedReadTransaction()
    }
    try opened.database.close()
  }
}
