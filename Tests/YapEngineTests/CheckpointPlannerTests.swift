import Testing

@testable import SQLiteBinding
@testable import YapEngine

/// The planner in virtual time, where its decisions are executed at once.
@Suite struct CheckpointPlannerTests {
  private static let millisecond: UInt64 = 1_000_000
  private static let second: UInt64 = 1_000_000_000

  /// The events of a database.
  private enum Event: CaseIterable { case commit, longCommit, pin, move, unpin, moment, second }

  // MARK: Every short sequence of events

  @Test(arguments: PlannedWorld.Reader.allCases)
  func `after every sequence of events each rule holds, and the planner does not spin`(_ reader: PlannedWorld.Reader)
    throws
  {
    var story: [Event] = []
    try extend(&story, PlannedWorld(reader: reader, limit: 8), left: 6)
  }

  /// Plays every continuation of the sequence by `left` more events.
  private func extend(_ story: inout [Event], _ world: PlannedWorld, left: Int) throws {
    for event in Event.allCases {
      var next = world
      story.append(event)
      switch event {
      case .commit: next.commit(frames: 3)
      case .longCommit: next.commit(frames: 300)
      case .pin, .move: next.pin()
      case .unpin: next.unpin()
      case .moment: next.now += 7 * Self.millisecond
      case .second: next.now += Self.second
      }
      do { try next.settle() } catch { throw Discrepancy("\(story): \(error)") }
      if left > 1 { try extend(&story, next, left: left - 1) }
      story.removeLast()
    }
  }

  // MARK: Long runs

  @Test func `with readers that follow the WAL stays under twice its limit`() throws {
    var world = PlannedWorld(reader: .follows, limit: 1_000)
    var longest = 0
    for _ in 0..<12_000 {
      world.commit(frames: 4)
      try world.settle()
      world.now += 5 * Self.millisecond
      longest = max(longest, world.account.frames)
      if world.commits % 3 == 0 { world.pin() }
    }
    #expect(longest < 2_000)
    #expect(world.resets > 10)
    #expect(world.waited <= 60 * Self.second / 20)
  }

  @Test(arguments: [1, 5, 20, 30] as [UInt64])
  func `on a slow disk readers get less time, so that writers do not wait longer in total`(_ milliseconds: UInt64)
    throws
  {
    var planner = CheckpointPlanner(mode: .automatic, framesAtOpen: 0, limitFrames: 1_000)
    let copied = milliseconds * Self.millisecond
    func reset(copied: UInt64) {
      planner.recordReset(began: 0, frames: 1_000, waited: 0, copied: copied, outcome: .reset)
    }
    var wait: UInt64 { planner.readerWaitNanoseconds(frames: 1_000, due: 0) }
    #expect(wait == 40 * Self.millisecond)
    reset(copied: copied)
    #expect(wait + copied <= ResetBudget.shortHoldNanoseconds)
    // One fast copy changes the estimate by an eighth, many reset it.
    reset(copied: 0)
    #expect(wait == min(50 * Self.millisecond - copied / 8 * 7, 40 * Self.millisecond))
    for _ in 0..<30 { reset(copied: 0) }
    #expect(wait == 40 * Self.millisecond)
    for reader in PlannedWorld.Reader.allCases {
      var world = PlannedWorld(reader: reader, limit: 100)
      world.copyingTime = copied
      for _ in 0..<12_000 {
        world.commit(frames: 4)
        try world.settle()
        world.pin()
        world.now += 5 * Self.millisecond
      }
      #expect(
        world.longestHold
          <= (reader == .follows ? ResetBudget.shortHoldNanoseconds : ResetBudget.longestHoldNanoseconds)
      )
    }
  }

  @Test func `a reader that is always one commit behind does not make writers wait ever more often`() throws {
    var world = PlannedWorld(reader: .isLate, limit: 100)
    for _ in 0..<12_000 {
      world.commit(frames: 4)
      try world.settle()
      // Its snapshot is never the newest for long, and it does not move while writers wait.
      world.pin()
      world.now += 5 * Self.millisecond
    }
    let given = world.ledger.entries(after: 0).filter { $0.outcome == .gaveUp }
    // One hold of each length, then holds of the longest length, after pauses that double from 1 s to 16 s.
    #expect(
      given.map { $0.durationNanoseconds / Self.millisecond } == [40, 60, 125] + Array(repeating: 250, count: 8)
    )
    #expect(given.allSatisfy { $0.pinnedBy == "reader" })
    let pauses = zip(given, given.dropFirst()).dropFirst(3).map { first, second in
      (second.startedAtNanoseconds - first.startedAtNanoseconds) / Self.second
    }
    #expect(pauses == [1, 1, 2, 4, 8, 16, 16])
    // After its end, later readers get the full time again.
    world.unpin()
    world.now += Self.second
    try world.settle()
    #expect(world.account.frames == 0)
  }

  @Test func `a reader that stays makes one reset give up, and the next reset begins as soon as it moves`() throws {
    var world = PlannedWorld(reader: .isLate, limit: 100)
    world.commit(frames: 3)
    world.pin()
    for _ in 0..<12_000 {
      world.commit(frames: 4)
      try world.settle()
      world.now += 5 * Self.millisecond
    }
    #expect(world.ledger.entries(after: 0).filter { $0.outcome == .gaveUp }.count == 1)
    #expect(world.resets == 0)
    world.pin()
    try world.settle()
    #expect(world.resets == 1)
    #expect(world.account.frames == 0)
  }

  @Test func `the WAL is reset once the reader is at the newest commit, even if a longer hold was planned`() throws {
    var world = PlannedWorld(reader: .isLate, limit: 100)
    world.pin()
    // The reader has stayed for less than the longest hold when the reset gives up.
    world.commit(frames: 100)
    try world.settle()
    #expect(world.ledger.entries(after: 0).filter { $0.outcome == .gaveUp }.count == 1)
    world.pin()
    world.now += Self.second
    try world.settle()
    #expect(world.resets == 1)
    #expect(world.account.frames == 0)
  }

  @Test func `a reset that does not have to wait needs no pause`() throws {
    var world = PlannedWorld(reader: .follows, limit: 10)
    for _ in 0..<100 {
      world.commit(frames: 10)
      try world.settle()
      #expect(world.account.frames == 0)
    }
    #expect(world.waited == 0)
  }

  @Test func `a reset waits for a reader that may move, and not for one whose move was due for long`() {
    let planner = CheckpointPlanner(mode: .automatic, framesAtOpen: 0, limitFrames: 100)
    let long = ResetBudget.longestHoldNanoseconds
    #expect(planner.readerWaitNanoseconds(frames: 100, due: 40 * Self.millisecond - 1) == 40 * Self.millisecond)
    #expect(planner.readerWaitNanoseconds(frames: 100, due: 40 * Self.millisecond) == 0)
    #expect(planner.readerWaitNanoseconds(frames: 800, due: long - 1) == long)
    #expect(planner.readerWaitNanoseconds(frames: 800, due: long) == 0)
    #expect(planner.readerWaitNanoseconds(frames: 800, due: nil) == 40 * Self.millisecond)
  }

  @Test func `the pause after a blocked checkpoint ends with a reset, however often the WAL is reset`() {
    var planner = CheckpointPlanner(mode: .automatic, framesAtOpen: 0, limitFrames: 1_000)
    planner.recordTry(.backlog, at: Self.second, expected: 300, copied: nil)
    let account = WALAccount(frames: CheckpointPlanner.worthwhileFrames)
    let pause = CheckpointPlanner.Decision.wait(until: Self.second + CheckpointPlanner.shortestBackoffNanoseconds)
    #expect(planner.decide(at: Self.second, account: account, oldestPin: nil) == pause)
    let began = Self.second + Self.millisecond
    planner.recordReset(began: began, frames: 1_000, waited: 0, copied: 0, outcome: .reset)
    #expect(planner.decide(at: began, account: account, oldestPin: nil) == .checkpoint(.backlog))
  }

  @Test func `disabled checkpoints stay disabled above the limit`() {
    let planner = CheckpointPlanner(mode: .every(nanoseconds: .max), framesAtOpen: 0, limitFrames: 10)
    let decision = planner.decide(at: .max / 2, account: WALAccount(frames: 1_000), oldestPin: nil)
    #expect(decision == .wait(until: .max))
  }

  @Test func `a WAL that restarts at the next commit is not reset again`() {
    var account = WALAccount(frames: 1_000)
    let planner = CheckpointPlanner(mode: .automatic, framesAtOpen: 0, limitFrames: 10)
    account.recordCheckpoint(framesInWAL: 1_000, copied: 1_000)
    #expect(planner.decide(at: 0, account: account, oldestPin: nil) == .reset)
    account.recordReset(isTruncated: false)
    #expect(planner.decide(at: 0, account: account, oldestPin: nil) == .idle)
    _ = account.recordCommit(framesInWAL: 1_001, hasRestarted: false)
    #expect(planner.isOverLimit(account))
  }

  @Test func `counts that SQLite did not return are ignored`() {
    var attempt = CheckpointAttempt(mode: .truncate, cause: .limit, startedAt: 0)
    #expect(!attempt.isWhole)
    for (frames, copied) in [(nil, nil), (nil, 3), (3, nil), (3, 2)] as [(Int?, Int?)] {
      attempt.result = SQLiteCheckpointResult(isBusy: true, framesInWAL: frames, framesCopied: copied)
      #expect(!attempt.isWhole)
    }
    attempt.result = SQLiteCheckpointResult(isBusy: false, framesInWAL: 3, framesCopied: 3)
    #expect(attempt.isWhole)
  }
}
