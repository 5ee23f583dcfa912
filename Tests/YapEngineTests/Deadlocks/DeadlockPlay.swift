import Synchronization
import TestSupport
import ThreadingPrimitives

@testable import YapEngine

/// Plays one pattern and records the results of its calls.
final class DeadlockPlay: Sendable {
  let database: YapDatabase
  let a: YapDatabaseConnection
  let b: YapDatabaseConnection
  let c: YapDatabaseConnection
  /// A connection of another database.
  let elsewhere: YapDatabaseConnection
  private let errors = SharedList<YapDatabaseError>()
  private let wrong = SharedList<String>()

  init(folder: String, options: YapDatabaseOptions) throws {
    database = try YapDatabase(path: folder + "/test.sqlite", options: options)
    try database.waitForOpeningCheckpoint()
    a = try database.newConnection(name: "a")
    b = try database.newConnection(name: "b")
    c = try database.newConnection(name: "c")
    elsewhere = try YapDatabase(path: folder + "/other.sqlite", options: options).newConnection(name: "elsewhere")
    for connection in [a, elsewhere] { try write(connection) }
  }

  /// - Throws: `Discrepancy` unless the calls had the expected results and the database works afterwards.
  func perform(_ pattern: DeadlockPattern) throws {
    try pattern.play(self)
    try Discrepancy.check(wrong.all, [], pattern.name)
    let codes = errors.all.map(\.code)
    let expected = Array(repeating: YapDatabaseError.Code.nestedTransaction, count: pattern.nested)
    try Discrepancy.check(codes, expected + Array(repeating: .deadlock, count: pattern.deadlocks), pattern.name)
    for error in errors.all where error.code == .deadlock {
      let names = ["\"a\"", "\"b\"", "\"c\"", "\"elsewhere\""].filter(error.message.contains)
      if names.count < 2 { throw Discrepancy("\(pattern.name): \(error.message)") }
    }
    for connection in [a, b, c, elsewhere] {
      try connection.endLongLivedReadTransaction()
      try write(connection)
      try connection.read { try Discrepancy.check($0.object(forKey: "k") as? [UInt8], bytes("1"), pattern.name) }
    }
    try database.close()
    try elsewhere.database.close()
  }

  func put(_ transaction: YapDatabaseReadWriteTransaction) throws {
    try transaction.setObject(bytes("1"), forKey: "k")
  }

  func write(_ connection: YapDatabaseConnection) throws {
    try connection.readWrite { try put($0) }
  }

  /// Records the error of a call that may fail.
  func note(_ call: () throws -> Void) {
    do { try call() } catch let error as YapDatabaseError { errors.append(error) } catch { wrong.append("\(error)") }
  }

  /// Records the error of a call that must succeed.
  func succeed(_ call: () throws -> Void) {
    do { try call() } catch { wrong.append("\(error)") }
  }

  /// Reads and sets every property, none of which may wait for another thread.
  func askEverything(_ connection: YapDatabaseConnection) {
    connection.objectCacheLimit += 1
    connection.metadataCacheEnabled.toggle()
    connection.refusesToEndLongLivedReadImplicitly.toggle()
    _ = connection.isInLongLivedReadTransaction
    _ = (connection.snapshot, connection.name, connection.objectPolicy, connection.pendingTransactionCount)
    _ = (database.snapshot, database.statistics, database.checkpoints().count)
  }

  // MARK: Threads

  /// Runs each body on a thread of its own. `step` returns once both have called it.
  func beside(_ bodies: (@Sendable (_ step: () -> Void) throws -> Void)...) throws {
    let arrived = Atomic<Int>(0)
    let crew = Crew()
    for (index, body) in bodies.enumerated() {
      try crew.add("thread \(index)") {
        try body {
          arrived.add(1, ordering: .relaxed)
          self.wait("the others") { arrived.load(ordering: .relaxed) == bodies.count }
        }
      }
    }
    if let found = crew.run() { throw found }
  }

  /// Each thread reads in a transaction, and inside it with the connection of the next thread.
  func cross(_ reads: [@Sendable ((YapDatabaseReadTransaction) throws -> Void) throws -> Void]) throws {
    let arrived = Atomic<Int>(0)
    let crew = Crew()
    for (index, read) in reads.enumerated() {
      let next = reads[(index + 1) % reads.count]
      try crew.add("thread \(index)") {
        try read { _ in
          arrived.add(1, ordering: .relaxed)
          self.wait("the others") { arrived.load(ordering: .relaxed) == reads.count }
          self.note { try next { _ in } }
        }
      }
    }
    if let found = crew.run() { throw found }
  }

  /// The same with asynchronous outer reads.
  func crossJobs() throws {
    let arrived = Atomic<Int>(0)
    let done = SharedList<Int>()
    for (outer, inner) in [(a, b), (b, a)] {
      outer.asyncRead({ _ in
        arrived.add(1, ordering: .relaxed)
        self.wait("the other") { arrived.load(ordering: .relaxed) == 2 }
        self.note { try inner.read { _ in } }
        done.append(1)
      })
    }
    wait("both") { done.all.count == 2 }
  }

  /// Inside a read-write transaction of `a`, a write of `b` is queued, and then `a`'s block reads from `b`.
  func besideQueuedWrite(_ start: () throws -> WorkerThread?) throws {
    let thread = try a.readWrite { transaction in
      let thread = try start()
      waitUntilWriterIsAwaited(by: b)
      note { try b.read { _ in } }
      try put(transaction)
      return thread
    }
    thread?.join()
    try b.read { _ in }  // after the queued calls
  }

  /// The block of a read-write transaction of `a` waits for `b`, whose holder then begins to write.
  /// - Parameter start: Runs its argument on another thread, with `b`'s lane held.
  func beforeWrite(_ start: (@escaping @Sendable () -> Void) throws -> WorkerThread?) throws {
    let thread = try a.readWrite { transaction in
      let thread = try start {
        self.wait("the read of b") { self.b.lane.waiterCount == 1 }
        self.succeed { try self.b.runReadWrite { try self.put($0) } }
      }
      wait("the holder of b") { b.lane.occupancy > 0 }
      note { try b.read { _ in } }
      try put(transaction)
      return thread
    }
    thread?.join()
    try b.read { _ in }
  }

  func waitUntilWriterIsAwaited(by connection: YapDatabaseConnection) {
    // A checkpoint may be waiting too. Then the connection waits a moment later, which is also correct.
    wait("a waiting write") { database.writer.lane.waiterCount > 0 && connection.lane.occupancy > 0 }
  }

  private func wait(_ what: String, for condition: () -> Bool) {
    if !eventually(condition) { wrong.append("\(what) did not come") }
  }
}
