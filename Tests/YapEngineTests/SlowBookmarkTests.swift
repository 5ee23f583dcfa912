import Testing

@testable import YapEngine

/// The bound of the WAL with bookmarks that move slowly, and its cost, in virtual time.
@Suite struct SlowBookmarkTests {
  private typealias Bookmark = BookmarkedWAL.Bookmark

  /// Bookmarks with the same period, whose moves are spread over it.
  private static func bookmarks(_ count: Int, period: Int) -> [Bookmark] {
    (0..<count).map { Bookmark(period: period, offset: 1 + $0 * period / count) }
  }

  /// The number of frames that the writer appends in a millisecond.
  private static let rate = 10

  private static func wal(_ bookmarks: [Bookmark], fillMilliseconds: Int) -> BookmarkedWAL {
    BookmarkedWAL(bookmarks, limit: fillMilliseconds * rate, framesPerMillisecond: rate)
  }

  /// - Parameters:
  ///   - period: The milliseconds between two moves of a bookmark.
  ///   - fill: The milliseconds in which the writer fills the WAL up to its limit.
  @Test(arguments: [10, 16, 50, 100, 200], [5, 50, 500])
  func `bookmarks that move at 5 Hz or more bound the WAL, however many there are`(_ period: Int, _ fill: Int) throws {
    for count in 1...8 {
      var wal = Self.wal(Self.bookmarks(count, period: period), fillMilliseconds: fill)
      try wal.run(milliseconds: 20_000)
      // The size that allows a hold longer than the period, plus the frames until the next reset may begin.
      let multiple = period < 40 ? 2 : period < 60 ? 4 : period < 125 ? 8 : 16
      let pause = 4 * 2 * (period + 2)
      #expect(wal.longest <= Self.rate * (multiple * fill + pause), "\(count) bookmarks")
      #expect(wal.resets.contains { $0.isDone }, "\(count) bookmarks")
    }
  }

  @Test(arguments: [10, 16, 50, 100, 200, 400, 1_000], [5, 50, 500])
  func `writers wait for readers at most a quarter of the time, and at most 250 ms at a time`(
    _ period: Int,
    _ fill: Int
  ) throws {
    for count in [1, 3, 8] {
      var wal = Self.wal(Self.bookmarks(count, period: period), fillMilliseconds: fill)
      try wal.run(milliseconds: 20_000)
      #expect(wal.resets.allSatisfy { $0.waited <= 250 })
      #expect(wal.resets.allSatisfy { $0.size >= 2 || $0.waited <= 40 })
      #expect(wal.resets.allSatisfy { $0.size >= 4 || $0.waited <= 60 })
      #expect(wal.resets.allSatisfy { $0.size >= 8 || $0.waited <= 125 })
      // Any 10 s contain at most a quarter of waiting, plus the last hold, which may end after them.
      #expect(wal.greatestWait(inMilliseconds: 10_000) <= 2_500 + 250, "\(count) bookmarks")
    }
  }

  @Test(arguments: [5, 50, 500])
  func `a bookmark that never moves costs writers one short hold`(_ fill: Int) throws {
    var wal = Self.wal([Bookmark(period: nil, offset: 1)], fillMilliseconds: fill)
    try wal.run(milliseconds: 20_000)
    #expect(wal.resets.count == 1)
    #expect(wal.resets.allSatisfy { $0.waited <= 40 && !$0.isDone })
  }

  @Test(arguments: [5, 50, 500])
  func `a bookmark that never moves, besides others that move, costs writers at most one hold of each length`(
    _ fill: Int
  ) throws {
    var wal = Self.wal(
      Self.bookmarks(4, period: 100) + [Bookmark(period: nil, offset: 999)],
      fillMilliseconds: fill
    )
    try wal.run(milliseconds: 20_000)
    #expect(wal.resets.reduce(0) { $0 + $1.waited } <= 40 + 60 + 125 + 250)
    #expect(wal.resets.allSatisfy { !$0.isDone })
  }

  @Test func `a bookmark that moves once a second costs writers less than a tenth of the time`() throws {
    var wal = Self.wal([Bookmark(period: 1_000, offset: 1)], fillMilliseconds: 5)
    try wal.run(milliseconds: 60_000)
    #expect(wal.resets.reduce(0) { $0 + $1.waited } < 6_000)
  }

  @Test func `the next reset follows at once when the reader that made a reset give up has ended`() throws {
    // The WAL exceeds its limit after 20 ms, and the reader ends after 100 ms.
    var wal = Self.wal([Bookmark(period: nil, offset: 1, end: 100)], fillMilliseconds: 20)
    try wal.run(milliseconds: 1_000)
    let first = try #require(wal.resets.first)
    let second = try #require(wal.resets.dropFirst().first)
    #expect(!first.isDone && second.isDone)
    #expect(second.began <= 101)
  }

  @Test func `the WAL is soon below its bound when the bookmark that made a reset give up moves again`() throws {
    // The bookmark stays for 5 s, then moves at 60 Hz.
    var wal = Self.wal([Bookmark(period: 16, offset: 5_000)], fillMilliseconds: 500)
    try wal.run(milliseconds: 6_000)
    #expect(wal.account.frames < 2 * 500 * Self.rate)
    let resets = wal.resets.count
    try wal.run(milliseconds: 20_000)
    #expect(wal.resets.count > resets)
    #expect(wal.resets.dropFirst(resets).allSatisfy { $0.isDone && $0.size < 3 })
  }

  // MARK: The table of budgets

  @Test func `a larger WAL allows longer holds, and more of them`() {
    var last = ResetBudget(holdNanoseconds: 0, rarity: .max)
    for multiple in [1, 2, 4, 8] {
      let budget = ResetBudget.of(frames: multiple * 1_000, limit: 1_000)
      #expect(budget.holdNanoseconds > last.holdNanoseconds && budget.rarity < last.rarity)
      #expect(ResetBudget.of(frames: multiple * 2_000 - 1, limit: 1_000) == (multiple == 8 ? .Steps.last : budget))
      let next = ResetBudget.nextStep(after: multiple * 1_000, limit: 1_000)
      #expect(next == (multiple == 8 ? .max : multiple * 2_000))
      last = budget
    }
    #expect(last == .Steps.last && last.holdNanoseconds == ResetBudget.longestHoldNanoseconds)
    #expect(ResetBudget.nextStep(after: 7, limit: .max) == .max)
    #expect(ResetBudget.of(frames: .max, limit: .max) == .Steps.first)
  }
}
