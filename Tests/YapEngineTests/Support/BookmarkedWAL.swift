@testable import YapEngine

/// A WAL in virtual time with a writer that never pauses, bookmarks that move at fixed intervals, and the planner,
/// whose decisions are executed at once.
///
/// The writer appends frames in each millisecond in which the write lane is free. A reset holds the lane like the
/// engine: until each bookmark is at the newest snapshot, or until the planner's time limit for the slowest one.
struct BookmarkedWAL {
  struct Bookmark {
    /// The milliseconds between two moves; nil for a bookmark that never moves.
    let period: Int?
    /// The millisecond of its first move.
    let offset: Int
    /// The millisecond of its end.
    var end = Int.max
    fileprivate(set) var snapshot: UInt64 = 0
    fileprivate(set) var position = WALPosition(generation: 0, frame: 0)
    fileprivate(set) var movedAt: UInt64 = 0

    init(period: Int?, offset: Int, end: Int = .max) {
      self.period = period
      self.offset = offset
      self.end = end
    }

    func moves(at moment: Int) -> Bool {
      guard let period, moment >= offset else { return false }
      return (moment - offset) % period == 0
    }
  }

  /// A reset, with times in milliseconds.
  struct Reset {
    let began: Int
    let waited: Int
    /// The size of the WAL in multiples of the limit.
    let size: Int
    let isDone: Bool
  }

  static let millisecond: UInt64 = 1_000_000
  /// The time origin; the planner's first pauses are counted from 0.
  private static let start: UInt64 = 100_000 * millisecond

  private(set) var bookmarks: [Bookmark]
  private(set) var account = WALAccount(frames: 0)
  private(set) var longest = 0
  private(set) var resets: [Reset] = []
  private(set) var moment = 0
  private let limit: Int
  private let framesPerMillisecond: Int
  private var planner: CheckpointPlanner
  private var blocker: PinnedSnapshot?
  /// The times of the commits, by number.
  private var committedAt: [UInt64] = [0]

  init(_ bookmarks: [Bookmark], limit: Int, framesPerMillisecond: Int) {
    self.bookmarks = bookmarks
    self.limit = limit
    self.framesPerMillisecond = framesPerMillisecond
    planner = CheckpointPlanner(mode: .automatic, framesAtOpen: 0, limitFrames: limit)
  }

  /// The longest time that writers waited for readers within any `length` milliseconds, in milliseconds.
  func greatestWait(inMilliseconds length: Int) -> Int {
    resets.indices.map { first in
      resets[first...].prefix { $0.began < resets[first].began + length }.reduce(0) { $0 + $1.waited }
    }.max() ?? 0
  }

  mutating func run(milliseconds: Int) throws(Discrepancy) {
    let end = moment + milliseconds
    while moment < end {
      commit()
      moveBookmarks()
      try settle()
      moment += 1
    }
  }

  private var now: UInt64 { Self.start + UInt64(moment) * Self.millisecond }
  private var newest: UInt64 { UInt64(committedAt.count - 1) }

  private mutating func commit() {
    let restarts = account.isRestartDue
    committedAt.append(now)
    _ = account.recordCommit(
      framesInWAL: (restarts ? 0 : account.frames) + framesPerMillisecond,
      hasRestarted: restarts
    )
    planner.recordCommit(at: now)
    longest = max(longest, account.frames)
  }

  private mutating func moveBookmarks() {
    bookmarks.removeAll { $0.end <= moment }
    for index in bookmarks.indices where bookmarks[index].moves(at: moment) { move(index) }
  }

  private mutating func move(_ index: Int) {
    bookmarks[index].snapshot = newest
    bookmarks[index].position = account.end
    bookmarks[index].movedAt = now
  }

  private var oldestPin: PinnedSnapshot? {
    let oldest = bookmarks.indices.min { (bookmarks[$0].snapshot, $0) < (bookmarks[$1].snapshot, $1) }
    return oldest.map { index in
      let bookmark = bookmarks[index]
      return PinnedSnapshot(
        connection: ConnectionID(number: UInt64(bookmark.offset)),
        name: "bookmark \(index)",
        snapshot: bookmark.snapshot,
        position: bookmark.position,
        dueSince: bookmark.snapshot < newest ? committedAt[Int(bookmark.snapshot) + 1] : bookmark.movedAt
      )
    }
  }

  private mutating func settle() throws(Discrepancy) {
    for _ in 0..<12 {
      let pin = oldestPin
      var whereabouts = CheckpointPlanner.Blocker.gone
      if let blocker, let found = bookmarks.first(where: { UInt64($0.offset) == blocker.connection.number }) {
        whereabouts = found.snapshot == blocker.snapshot ? .stays : .moved
      }
      switch planner.decide(at: now, account: account, oldestPin: pin?.position, blocker: whereabouts) {
      case .idle, .wait: return
      case .checkpoint(let cause):
        let copyable = account.copyableFrame(oldestPin: pin?.position)
        account.recordCheckpoint(framesInWAL: account.frames, copied: copyable)
        planner.recordTry(cause, at: now, expected: copyable, copied: copyable)
      case .reset:
        guard whereabouts != .stays else { throw Discrepancy("a reset before a reader that stays") }
        reset()
      }
    }
    throw Discrepancy("does not come to rest: \(account)")
  }

  private mutating func reset() {
    let (began, start, frames) = (moment, now, account.frames)
    var inTheWay = oldestPin.flatMap { $0.snapshot < newest ? $0 : nil }
    while let pin = inTheWay {
      let limit = planner.readerWaitNanoseconds(frames: frames, due: pin.nanosecondsDue(at: start))
      if now >= start + limit { break }
      moment += 1
      moveBookmarks()
      inTheWay = oldestPin.flatMap { $0.snapshot < newest ? $0 : nil }
    }
    if inTheWay == nil {
      account.recordCheckpoint(framesInWAL: frames, copied: frames)
      account.recordReset(isTruncated: false)
    }
    blocker = inTheWay
    resets.append(Reset(began: began, waited: moment - began, size: frames / limit, isDone: inTheWay == nil))
    planner.recordReset(
      began: start,
      frames: frames,
      waited: now - start,
      copied: 0,
      outcome: inTheWay == nil ? .reset : .gaveUp(on: inTheWay, began: start)
    )
  }
}
