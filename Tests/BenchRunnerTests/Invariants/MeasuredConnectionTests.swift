import BenchResults
import BenchScenario
import Testing
import ThreadingPrimitives

@testable import BenchDrivers
@testable import BenchRunner

@Suite("A connection under observation") struct MeasuredConnectionTests {
  /// Every list of numbers below `limit` of at most so many members.
  private func lists(below limit: UInt64, atMost length: Int) -> [[UInt64]] {
    var all: [[UInt64]] = [[]]
    var longest: [[UInt64]] = [[]]
    for _ in 0..<length {
      longest = longest.flatMap { list in (0..<limit).map { list + [$0] } }
      all += longest
    }
    return all
  }

  @Test func `a move from a bookmark is told of each commit in between, once and in order`() {
    for jumped in lists(below: 6, atMost: 4) {
      for before in 0...4 as ClosedRange<UInt64> {
        for snapshot in 0...5 as ClosedRange<UInt64> {
          let isRight = before <= snapshot && jumped == (0...5).filter { $0 > before && $0 <= snapshot }
          let fault = MeasuredConnection.fault(in: DriverAdvance(snapshot: snapshot, jumped: jumped), since: before)
          #expect((fault == nil) == isRight, "from \(before) to \(snapshot), told of \(jumped)")
        }
      }
    }
  }

  @Test func `a first bookmark is told of the last commits without a gap`() {
    for jumped in lists(below: 6, atMost: 4) {
      for snapshot in 0...5 as ClosedRange<UInt64> {
        let isRight = jumped.isEmpty || (0...snapshot).contains { jumped == Array($0...snapshot) }
        let fault = MeasuredConnection.fault(in: DriverAdvance(snapshot: snapshot, jumped: jumped), since: nil)
        #expect((fault == nil) == isRight, "to \(snapshot), told of \(jumped)")
      }
    }
  }

  @Test func `a fault is told with what was expected`() {
    func fault(_ snapshot: UInt64, _ jumped: [UInt64], since before: UInt64?) -> String? {
      MeasuredConnection.fault(in: DriverAdvance(snapshot: snapshot, jumped: jumped), since: before)
    }
    #expect(
      fault(5, [4], since: 3)
        == "moved from snapshot 3 to snapshot 5 and reported the commits [4] instead of each of 4 to 5 once"
    )
    #expect(fault(2, [], since: 3) == "moved back from snapshot 3 to 2")
    let many = fault(50, Array(1...49), since: 0) ?? ""
    #expect(many.contains("20, …]"))
  }

  private struct Watched {
    let log = ViolationLog(checked: Set(Invariant.allCases))
    let driver = ScriptedConnection()
    let connection: MeasuredConnection
    var checks = CheckCounts()

    init() { connection = MeasuredConnection(driver, violations: log, pool: WorkerPool(name: "moves")) }

    mutating func advance(to snapshot: UInt64, _ jumped: [UInt64], atLeast floor: UInt64 = 0) throws {
      driver.answer = DriverAdvance(snapshot: snapshot, jumped: jumped)
      try connection.advance(&checks, atLeast: floor)
    }

    var isViolated: Bool { log.isViolated.isRaised }
  }

  @Test func `a bookmark is followed from move to move`() throws {
    var watched = Watched()
    try watched.advance(to: 3, [])
    try watched.advance(to: 5, [4, 5])
    try watched.advance(to: 5, [])
    #expect(!watched.isViolated)
    #expect(watched.checks.exactlyOnceNotifications == 3)
    try watched.advance(to: 7, [7])
    #expect(watched.log.violations(of: .exactlyOnceNotifications).count == 1)
  }

  @Test func `a bookmark that was let go does not count for the next one`() throws {
    var watched = Watched()
    try watched.advance(to: 3, [])
    try watched.connection.endLongLivedRead()
    #expect(!watched.connection.holdsBookmark)
    // Plain reads have followed commits 4 to 7 meanwhile.
    try watched.advance(to: 9, [8, 9])
    #expect(!watched.isViolated)
    #expect(watched.connection.holdsBookmark)
  }

  @Test func `a connection whose snapshot goes back is reported`() {
    var watched = Watched()
    watched.connection.check(5, atLeast: 0, &watched.checks)
    watched.connection.check(5, atLeast: 0, &watched.checks)
    watched.connection.check(8, atLeast: 0, &watched.checks)
    #expect(!watched.isViolated)
    watched.connection.check(7, atLeast: 0, &watched.checks)
    #expect(watched.log.violations(of: .monotonicSnapshots).count == 1)
    #expect(watched.checks.monotonicSnapshots == 4)
  }

  @Test func `a read that misses an acknowledged commit is reported, unless a bookmark keeps it`() throws {
    var watched = Watched()
    watched.connection.check(5, atLeast: 5, &watched.checks)
    try watched.advance(to: 5, [])
    watched.connection.check(5, atLeast: 9, &watched.checks)
    #expect(!watched.isViolated)
    try watched.connection.endLongLivedRead()
    watched.connection.check(8, atLeast: 9, &watched.checks)
    #expect(watched.log.violations(of: .monotonicSnapshots).count == 1)
  }

  @Test func `a move that misses an acknowledged commit is reported`() throws {
    var watched = Watched()
    try watched.advance(to: 3, [], atLeast: 3)
    #expect(!watched.isViolated)
    try watched.advance(to: 5, [4, 5], atLeast: 6)
    #expect(watched.log.violations(of: .monotonicSnapshots).count == 1)
  }

  @Test func `a transaction that is later than a move and is checked before it is no step back`() throws {
    var watched = Watched()
    let connection = watched.connection
    // A write ends the bookmark as soon as the engine has moved it.
    watched.driver.onAdvance = {
      var checks = CheckCounts()
      connection.check(6, atLeast: 0, &checks)
    }
    try watched.advance(to: 5, [])
    #expect(!watched.isViolated)
    // And the later snapshot is the one that counts.
    connection.check(5, atLeast: 0, &watched.checks)
    #expect(watched.log.violations(of: .monotonicSnapshots).count == 1)
  }

  @Test func `a move to an earlier snapshot than a transaction has seen is reported`() throws {
    var watched = Watched()
    watched.connection.check(6, atLeast: 0, &watched.checks)
    try watched.advance(to: 5, [])
    #expect(watched.log.violations(of: .monotonicSnapshots).count == 1)
  }

  @Test func `a commit wakes those who follow`() throws {
    let watched = Watched()
    let sleeper = Parker()
    watched.connection.wake(sleeper)
    watched.connection.noticeCommit()
    #expect(sleeper.park(deadline: 1))
    watched.connection.stopWaking(sleeper)
    watched.connection.noticeCommit()
    #expect(!sleeper.park(deadline: 1))
  }

  @Test func `news are news until the bookmark moves`() throws {
    var watched = Watched()
    #expect(!watched.connection.mayMove)
    watched.connection.noticeCommit()
    watched.connection.noticeCommit()
    #expect(watched.connection.mayMove)
    try watched.advance(to: 2, [1, 2])
    #expect(!watched.connection.mayMove)
  }
}

/// A connection that returns prepared answers.
// Used by one thread in each test.
private final class ScriptedConnection: DriverConnection, @unchecked Sendable {
  var answer = DriverAdvance(snapshot: 0, jumped: [])
  var onAdvance: () -> Void = {}

  var name: String { "scripted" }
  func read(_ body: (any DriverTransaction) throws -> Void) -> UInt64? { nil }
  func readWrite(_ body: (any DriverTransaction) throws -> Void) -> CommitTimes? { nil }
  func asyncRead(_ body: (any DriverTransaction) throws -> Void) {}
  func asyncReadWrite(_ body: (any DriverTransaction) throws -> Void) {}
  func advance(changesIn collection: String?) -> DriverAdvance {
    onAdvance()
    return answer
  }
  func endLongLivedRead() {}
  func flushMemory() {}
}
