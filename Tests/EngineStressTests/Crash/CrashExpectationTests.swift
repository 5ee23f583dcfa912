import Testing

@testable import EngineStress

/// The legal contents of a database after the death of the process that wrote it.
@Suite struct CrashExpectationTests {
  /// Returns the first error that one life, and the opening after it, have.
  private func error(
    _ events: [CrashEvent],
    writers: Int = 2,
    hasView: Bool = false,
    thenNewest newest: UInt64
  ) -> String? {
    var expectation = CrashExpectation()
    expectation.begin(writers: writers, hasView: hasView)
    for event in [.opened(0), .verified(newestEntry: 0, entries: 0, rows: 0)] + events {
      if let error = expectation.apply(event) { return error }
    }
    return expectation.apply(.opened(newest))
  }

  @Test(arguments: 0...9 as ClosedRange<UInt64>) func `all acknowledged commits, and one more of each writer`(
    newest: UInt64
  ) {
    let events = [1, 2, 3, 4, 5].map { CrashEvent.acknowledged($0) }
    let found = error(events, thenNewest: newest)
    #expect((found == nil) == (5...7).contains(newest))
    if newest < 5 { #expect(found?.contains("commit 5 was acknowledged (lost commits: \(5 - newest))") == true) }
    if newest > 7 { #expect(found?.contains("at most 7 can have been made") == true) }
  }

  @Test func `acknowledgements arrive in any order`() {
    #expect(error([.acknowledged(3), .acknowledged(1), .acknowledged(2)], thenNewest: 3) == nil)
    // Commit 2 was made, because 3 was.
    #expect(error([.acknowledged(3), .acknowledged(1)], thenNewest: 2) != nil)
    #expect(error([.acknowledged(3), .acknowledged(1)], thenNewest: 4) == nil)
    #expect(error([.acknowledged(3), .acknowledged(1)], thenNewest: 5) != nil)
  }

  @Test func `a commit that returned an error may exist`() {
    #expect(error([.acknowledged(1), .failed], thenNewest: 4) == nil)
    #expect(error([.acknowledged(1), .failed], thenNewest: 5) != nil)
  }

  @Test func `no number is acknowledged twice`() {
    #expect(error([.acknowledged(1), .acknowledged(1)], thenNewest: 1)?.contains("number 1") == true)
    var expectation = CrashExpectation()
    expectation.begin(writers: 1, hasView: false)
    for event in [.opened(0), .verified(newestEntry: 0, entries: 0, rows: 0), .acknowledged(1)] as [CrashEvent] {
      #expect(expectation.apply(event) == nil)
    }
    expectation.begin(writers: 1, hasView: false)
    #expect(expectation.apply(.opened(2)) == nil)
    #expect(expectation.foundUnreported == 1)
    #expect(expectation.apply(.verified(newestEntry: 2, entries: 2, rows: 1)) == nil)
    #expect(expectation.apply(.acknowledged(2)) != nil)
  }

  @Test func `a process that is killed while it opens the database adds no commit`() {
    var expectation = CrashExpectation()
    for _ in 0..<3 {
      expectation.begin(writers: 4, hasView: true)
      #expect(expectation.apply(.opening) == nil)
    }
    #expect(expectation.newest == 0...0 && expectation.unrecorded == 0)
    #expect(expectation.apply(.opened(1)) != nil)
  }

  @Test func `registrations of views have no entry`() {
    var expectation = CrashExpectation()
    for life in 0..<3 as Range<UInt64> {
      expectation.begin(writers: 1, hasView: true)
      #expect(expectation.apply(.opened(life)) == nil)
      #expect(expectation.apply(.verified(newestEntry: 0, entries: 0, rows: 0)) == nil)
      #expect(expectation.apply(.registered(life + 1)) == nil)
      #expect(expectation.unrecorded == life + 1)
    }
    #expect(expectation.newest.lowerBound == 3)
    expectation.begin(writers: 1, hasView: false)
    #expect(expectation.apply(.opened(4)) == nil)
    #expect(expectation.apply(.verified(newestEntry: 4, entries: 1, rows: 1)) == nil)
    #expect(expectation.unrecorded == 0)
  }

  @Test(
    arguments: [
      .opening, .opened(7), .verified(newestEntry: 1, entries: 2, rows: 3), .registered(4), .acknowledged(.max),
      .failed,
      .joined, .moved, .checkpointBegun, .checkpointEnded, .closing, .closed, .wrong("row \"a\"/b is wrong"),
    ] as [CrashEvent]
  )
  func `each event survives its line`(event: CrashEvent) throws {
    let line = try event.line
    #expect(line.last == "\n")
    #expect(CrashEvent(line: line.dropLast()) == event)
  }

  @Test func `lines are short, and other lines are no events`() throws {
    let long = try CrashEvent.wrong(String(repeating: "é\n", count: 9_000)).line
    #expect(long.utf8.count <= 4_096 && long.filter { $0 == "\n" }.count == 1)
    for line in ["", "a", "a x 1", "{}", #"{"opened":{"_0":"x"}}"#] { #expect(CrashEvent(line: line[...]) == nil) }
  }
}
