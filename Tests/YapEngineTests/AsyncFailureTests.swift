import Dispatch
import Foundation
import HarnessPrimitives
import TestSupport
import Testing
import ThreadingPrimitives

@testable import YapEngine

/// Asynchronous calls that fail without a completion to receive the error.
@Suite struct AsyncFailureTests {
  /// Options under which the collection "refused" rejects every value.
  private static var options: YapDatabaseOptions {
    var options = YapDatabaseOptions.quick
    options.objectCodecs["refused"] = .codable(String.self)
    return options
  }

  private static func describe(_ failure: YapDatabaseAsyncFailure) -> String {
    let code = (failure.error as? YapDatabaseError)?.code.name ?? "\(failure.error)"
    return "\(failure.call) on \(failure.connection): \(code)"
  }

  /// Calls that fail, on a connection "ui" that is on a bookmark.
  private func fail(_ ui: YapDatabaseConnection, _ writer: YapDatabaseConnection) throws -> [String] {
    try ui.beginLongLivedReadTransaction()
    ui.asyncReadWrite { try $0.setObject(bytes("1"), forKey: "k") }
    writer.asyncReadWrite { try $0.setObject(bytes("1"), forKey: "k", inCollection: "refused") }
    writer.asyncReadWrite { _ in throw Deliberate() }
    writer.asyncRead { _ in throw Deliberate() }
    ui.asyncVacuum()
    ui.database.asyncUnregister("none")
    return [
      "asyncReadWrite on ui: longLivedReadInTheWay", "asyncReadWrite on writer: codec",
      "asyncReadWrite on writer: Deliberate()", "asyncRead on writer: Deliberate()",
      "asyncVacuum on ui: longLivedReadInTheWay", "asyncUnregister on extensions: notRegistered",
    ]
  }

  @Test func `a handler receives each failure, on the notification queue, and the statistics count it`() throws {
    var options = Self.options
    let queue = DispatchQueue(label: "notifications")
    let marker = DispatchSpecificKey<Bool>()
    queue.setSpecific(key: marker, value: true)
    options.notificationQueue = queue
    let received = SharedList<String>()
    options.asyncFailureHandler = { failure in
      let place = DispatchQueue.getSpecific(key: marker) == true ? "" : " elsewhere"
      received.append(Self.describe(failure) + place)
    }
    try withDatabase(options) { database in
      let (ui, writer) = (try database.newConnection(name: "ui"), try database.newConnection(name: "writer"))
      let expected = try fail(ui, writer)
      #expect(eventually { received.all.count >= expected.count })
      #expect(received.all.sorted() == expected.sorted())
      #expect(database.statistics.asyncFailureCount == expected.count)
      #expect(database.snapshot == 0)
    }
  }

  @Test func `a call that is rejected before it is queued is reported too`() throws {
    try withTemporaryFolder { folder in
      let database = try YapDatabase(path: folder + "/test.sqlite", options: Self.options)
      let received = SharedList<String>()
      database.asyncFailureHandler = { received.append(Self.describe($0)) }
      let connection = try database.newConnection(name: "narrow")
      connection.permittedTransactions = .anyRead
      connection.asyncReadWrite { _ in }
      try database.close()
      connection.asyncRead { _ in }
      database.asyncUnregister("none")
      #expect(eventually { received.all.count == 3 })
      #expect(
        received.all == [
          "asyncReadWrite on narrow: notPermitted", "asyncRead on narrow: closed",
          "asyncUnregister on extensions: closed",
        ]
      )
    }
  }

  @Test func `errors that a completion receives, and results that are not failures, are not reported`() throws {
    var options = Self.options
    let received = SharedList<String>()
    options.asyncFailureHandler = { received.append(Self.describe($0)) }
    try withDatabase(options) { database in
      let connection = try database.newConnection()
      let ended = SharedList<Bool>()
      connection.asyncReadWrite({ _ in throw Deliberate() }, completion: { ended.append($0.failure is Deliberate) })
      connection.asyncRead({ _ in throw Deliberate() }, completion: { ended.append($0 is Deliberate) })
      connection.asyncReadWrite { try $0.rollback() }
      connection.asyncReadWrite { _ in }
      connection.asyncRead { _ in }
      connection.asyncReadWrite { try $0.setObject(bytes("1"), forKey: "k") }
      try connection.read { _ in }
      #expect(eventually { ended.all == [true, true] })
      database.notificationQueue.sync {}
      #expect(received.all.isEmpty && database.statistics.asyncFailureCount == 0)
    }
  }

  @Test(.enabled(if: TestHooks.areBuiltIn))
  func `without a handler the first failure of each kind is printed at once`() throws {
    var options = Self.options
    let lines = SharedList<String>()
    options.testHooks.onFailureLine = { lines.append($0) }
    try withDatabase(options) { database in
      let (ui, writer) = (try database.newConnection(name: "ui"), try database.newConnection(name: "writer"))
      let expected = try fail(ui, writer)
      #expect(eventually { database.statistics.asyncFailureCount == expected.count })
      let starts = [
        ("asyncReadWrite", "ui", "readWrite"), ("asyncReadWrite", "writer", ""),
        ("asyncUnregister", "extensions", "no"),
      ].map { call, connection, error in
        "YapEngine: \(call) on connection \"\(connection)\" failed, "
          + "and has no completion to receive the error: \(error)"
      }
      for start in starts {
        #expect(eventually { lines.all.contains { $0.hasPrefix(start) } }, "\(start)")
      }
      #expect(eventually { lines.all.contains { $0.hasSuffix("Deliberate()") } })
      // A handler replaces the lines.
      let count = lines.all.count
      let received = SharedList<String>()
      database.asyncFailureHandler = { received.append(Self.describe($0)) }
      writer.asyncRead { _ in throw Deliberate() }
      #expect(eventually { received.all == ["asyncRead on writer: Deliberate()"] })
      #expect(lines.all.count == count)
    }
  }

  @Test func `a printed failure has one line, with the number of failures before it`() {
    let lines = SharedList<String>()
    let failures = AsyncFailures(handler: nil, write: { lines.append($0) })
    let second = FailureLineLimit.intervalNanoseconds
    func report(_ code: YapDatabaseError.Code, _ message: String, at now: UInt64) {
      let failure = YapDatabaseAsyncFailure(call: "asyncRead", connection: "c", error: YapDatabaseError(code, message))
      failures.report(failure, on: .global(), at: now)
    }
    report(.codec, "one\ntwo", at: 5)
    report(.codec, "three", at: 6)
    report(.codec, "four", at: 5 + second - 1)
    report(.closed, "five", at: 6)
    report(.codec, "six", at: 5 + second)
    let start = "YapEngine: asyncRead on connection \"c\" failed, and has no completion to receive the error: "
    #expect(
      lines.all == [
        start + "one two", start + "five", start + "six (and 2 more failures of this kind since the last line)",
      ]
    )
    #expect(failures.count == 5)
  }

  /// Compared with the definition over random failures: the test knows when each kind was last printed.
  @Test func `each kind is printed at most once a second, and every suppressed failure is counted once`() {
    let seed = Seed.announce(for: "AsyncFailureTests")
    var random = RandomStream(seed: seed)
    var limit = FailureLineLimit()
    var now: UInt64 = 0
    var lastLine: [String: UInt64] = [:]
    var suppressed: [String: Int] = [:]
    for _ in 0..<20_000 {
      now += UInt64(random.below(400_000_000))
      let kind = "kind \(random.below(5))"
      let isDue = lastLine[kind].map { now - $0 >= FailureLineLimit.intervalNanoseconds } ?? true
      let expected = isDue ? suppressed[kind] ?? 0 : nil
      #expect(limit.admit(kind, at: now) == expected, "with seed \(seed)")
      if isDue { lastLine[kind] = now }
      suppressed[kind] = isDue ? 0 : (suppressed[kind] ?? 0) + 1
    }
  }
}
