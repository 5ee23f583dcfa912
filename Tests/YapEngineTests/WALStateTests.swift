import Testing

@testable import YapEngine

/// Exhaustive tests of the account of the WAL and of the planner of checkpoints.
@Suite struct WALStateTests {
  // MARK: The account

  private enum Event: CaseIterable {
    case shortCommit, longCommit, wholeCheckpoint, pinnedCheckpoint, checkpointBesideCommit, pin, reset, truncation
  }

  @Test func `the account agrees with a simulated WAL`() throws {
    for length in 1...6 {
      var indices = Array(repeating: 0, count: length)
      repeat {
        let events = indices.map { Event.allCases[$0] }
        let found = Discrepancy.first { try Self.play(events) }
        if let found {
          Issue.record("\(events): \(found)")
          return
        }
      } while Self.advance(&indices, base: Event.allCases.count)
    }
  }

  /// Increments the number with these digits; returns false after the largest number.
  private static func advance(_ digits: inout [Int], base: Int) -> Bool {
    for index in digits.indices {
      digits[index] += 1
      if digits[index] < base { return true }
      digits[index] = 0
    }
    return false
  }

  /// Simulates the events. A pin holds the frames after its own. SQLite restarts the WAL at a commit if all frames are
  /// copied and no pin reads from the WAL.
  private static func play(_ events: [Event]) throws {
    var account = WALAccount(frames: 0)
    var frames = 0
    var copied = 0
    /// The pin's last frame, and whether it reads from the WAL, which is false if all frames were copied when it began.
    var pin: (position: WALPosition, frame: Int, readsWAL: Bool)?
    var restarts = 0
    for event in events {
      switch event {
      case .shortCommit, .longCommit:
        let beginsAnew = frames > 0 && copied == frames && pin?.readsWAL != true
        if beginsAnew {
          restarts += 1
          frames = 0
          copied = 0
          pin?.frame = 0
        }
        frames += event == .shortCommit ? 1 : 4
        let position = account.recordCommit(framesInWAL: frames, hasRestarted: beginsAnew)
        try Discrepancy.check(position, WALPosition(generation: restarts, frame: frames), "end of a commit")
      case .wholeCheckpoint, .pinnedCheckpoint:
        if event == .wholeCheckpoint { pin = nil }
        let limit = max(pin?.frame ?? frames, copied)
        try Discrepancy.check(account.copyableFrame(oldestPin: pin?.position), limit, "copyable frames")
        copied = limit
        account.recordCheckpoint(framesInWAL: frames, copied: copied)
      case .checkpointBesideCommit where pin == nil && frames > copied:
        // The guard sees the present frames. A commit follows, and the checkpoint reports the frames that it saw.
        let seen = frames
        frames += 1
        _ = account.recordCommit(framesInWAL: frames, hasRestarted: false)
        copied = seen
        account.recordCheckpointBesideCommits(framesInWAL: seen, copied: seen)
      case .reset where pin == nil:
        copied = frames
        account.recordReset(isTruncated: false)
        try Discrepancy.check(account.isRestartDue, frames > 0, "a restart is due")
      case .truncation where pin == nil:
        if frames > 0 { restarts += 1 }
        frames = 0
        copied = 0
        account.recordReset(isTruncated: true)
      case .pin: pin = (account.end, frames, copied < frames)
      case .checkpointBesideCommit, .reset, .truncation: break
      }
      try Discrepancy.check(account.backlog, frames - copied, "backlog")
      try Discrepancy.check(account.generation, restarts, "restarts")
      if let pin { try Discrepancy.check(account.frame(of: pin.position), pin.frame, "frame of the pin") }
    }
  }

  @Test func `a commit keeps its given position in the WAL`() {
    let commit = Commit(snapshot: 1, origin: nil, committedAt: 0, previous: nil)
    #expect(commit.position == WALPosition(generation: 0, frame: 0))
    for position in [WALPosition(generation: 3, frame: 0xffff_ffff), WALPosition(generation: 0x7fff_ffff, frame: 1)] {
      commit.position = position
      #expect(commit.position == position)
    }
  }

  // MARK: The planner

  private static let millisecond: UInt64 = 1_000_000
  private static let times: [UInt64] = [0, 1, 19, 20, 21, 99, 100, 101, 500, 5_000].map { $0 * millisecond }
  private static let frameCounts = [0, 1, 255, 256, 257, 10_000]

  @Test(arguments: [YapDatabaseOptions.Checkpointing.automatic, .every(nanoseconds: 20 * millisecond)], [0, 7])
  func `a checkpoint is planned only for frames that can be copied, and then in bounded time`(
    _ mode: YapDatabaseOptions.Checkpointing,
    _ framesAtOpen: Int
  ) throws {
    for committedAt in Self.times {
      for triedAt in [nil] + Self.times.map({ Optional($0) }) {
        for failures in triedAt == nil ? [0] : [0, 1, 3, 9] {
          var planner = CheckpointPlanner(mode: mode, framesAtOpen: framesAtOpen, limitFrames: .max)
          planner.recordCommit(at: committedAt)
          if let triedAt {
            planner.recordTry(.backlog, at: triedAt, expected: 5, copied: 5)
            for _ in 0..<failures {
              planner.recordTry(.backlog, at: triedAt, expected: 5, copied: failures == 3 ? nil : 4)
            }
          }
          for now in Self.times where now >= committedAt && now >= triedAt ?? 0 {
            try Self.check(planner, now)
          }
        }
      }
    }
  }

  private static func check(_ planner: CheckpointPlanner, _ now: UInt64) throws {
    for frames in frameCounts {
      for copied in frameCounts where copied <= frames {
        for pinned in [nil] + frameCounts.map({ Optional($0) }) where pinned ?? 0 <= frames {
          var account = WALAccount(frames: frames)
          account.recordCheckpoint(framesInWAL: frames, copied: copied)
          let pin = pinned.map { WALPosition(generation: 0, frame: $0) }
          let gain = max(pinned ?? frames, copied) - copied
          let decision = planner.decide(at: now, account: account, oldestPin: pin)
          let isRight =
            switch decision {
            case .idle: gain == 0
            case .checkpoint: gain > 0
            case .reset: false
            case .wait(let until):
              gain > 0 && until > now && until <= now + CheckpointPlanner.longestBackoffNanoseconds + 1
                && isCheckpoint(planner.decide(at: until + 100 * millisecond, account: account, oldestPin: pin))
            }
          if !isRight { throw Discrepancy("\(decision) at \(now) with \(frames), \(copied), \(pinned ?? -1)") }
        }
      }
    }
  }

  private static func isCheckpoint(_ decision: CheckpointPlanner.Decision) -> Bool {
    if case .checkpoint = decision { true } else { false }
  }

  @Test func `many frames are copied at once, and few frames once the database is idle`() {
    var planner = CheckpointPlanner(mode: .automatic, framesAtOpen: 0, limitFrames: .max)
    planner.recordCommit(at: 1_000)
    let rest = 1_000 + CheckpointPlanner.restNanoseconds
    let many = WALAccount(frames: CheckpointPlanner.worthwhileFrames)
    let few = WALAccount(frames: CheckpointPlanner.worthwhileFrames - 1)
    #expect(planner.decide(at: 1_001, account: many, oldestPin: nil) == .checkpoint(.backlog))
    #expect(planner.decide(at: 1_001, account: few, oldestPin: nil) == .wait(until: rest))
    #expect(planner.decide(at: rest, account: few, oldestPin: nil) == .checkpoint(.rest))
    let rare = CheckpointPlanner(mode: .automatic, framesAtOpen: 0, limitFrames: .max, copiesRarely: true)
    let more = WALAccount(frames: CheckpointPlanner.worthwhileFramesIfRare)
    #expect(rare.decide(at: 1, account: more, oldestPin: nil) == .checkpoint(.backlog))
    #expect(rare.decide(at: 1, account: many, oldestPin: nil) == .wait(until: CheckpointPlanner.restNanoseconds))
    let opening = CheckpointPlanner(mode: .automatic, framesAtOpen: 3, limitFrames: .max)
    #expect(opening.decide(at: 0, account: WALAccount(frames: 3), oldestPin: nil) == .checkpoint(.opening))
  }

  @Test func `attempts that an unknown reader limits become rarer, down to one a second, until one succeeds`() {
    var planner = CheckpointPlanner(mode: .automatic, framesAtOpen: 0, limitFrames: .max)
    let account = WALAccount(frames: 1_000)
    var now: UInt64 = 1
    var waits: [UInt64] = []
    for _ in 0..<9 {
      planner.recordTry(.backlog, at: now, expected: 1_000, copied: 10)
      guard case .wait(let until) = planner.decide(at: now, account: account, oldestPin: nil) else { break }
      waits.append((until - now) / Self.millisecond)
      now = until
    }
    #expect(waits == [20, 40, 80, 160, 320, 640, 1_000, 1_000, 1_000])
    planner.recordTry(.backlog, at: now, expected: 1_000, copied: 1_000)
    #expect(planner.decide(at: now, account: account, oldestPin: nil) == .checkpoint(.backlog))
  }

  @Test func `commits wake the checkpointer only if it can copy or reset`() {
    let planner = CheckpointPlanner(mode: .automatic, framesAtOpen: 0, limitFrames: .max)
    let account = WALAccount(frames: 10)
    func backlog(_ decision: CheckpointPlanner.Decision, held: Int) -> Int {
      planner.wakeThresholds(decision, account: account, heldByPin: held).backlog
    }
    #expect(backlog(.idle, held: 0) == 1)
    #expect(backlog(.idle, held: 4) == .max)
    #expect(backlog(.wait(until: 9), held: 4) == .max)
    #expect(backlog(.wait(until: 9), held: 0) == CheckpointPlanner.worthwhileFrames)
    #expect(backlog(.checkpoint(.rest), held: 0) == .max)
    let limited = CheckpointPlanner(mode: .automatic, framesAtOpen: 0, limitFrames: 11)
    #expect(limited.wakeThresholds(.idle, account: account, heldByPin: 4).frames == 11)
    #expect(limited.wakeThresholds(.idle, account: WALAccount(frames: 11), heldByPin: 4).frames == 22)
    #expect(limited.wakeThresholds(.idle, account: WALAccount(frames: 88), heldByPin: 4).frames == .max)
  }
}
