import Testing

@testable import YapEngine

/// Every order of commits, of the job that posts, of its rest and of a close.
@Suite struct NotificationScheduleTests {
  private enum Step: CaseIterable {
    case commit, note, post, endRest, close
  }

  /// A database around the schedule. Commits are made, then noted, then posted, one step at a time.
  private struct World: Hashable {
    var committed = 0
    var noted = 0
    var posted = 0
    var state = NotificationSchedule.State.idle
    /// Whether a job posts up to the end of the list.
    var isPosting = false
    /// Whether the job belongs to a close, after which no job follows.
    var isLast = false
    var isResting = false
    var isClosed = false

    /// - Returns: The state after the step; nil if the step is not possible now.
    func after(_ step: Step, rests: Bool, _ falsifications: Set<Falsification>) throws -> World? {
      var world = self
      var schedule = NotificationSchedule(rests: rests, state)
      switch step {
      case .commit:
        guard committed < 3, !isClosed else { return nil }
        world.committed += 1
      case .note:
        guard noted < committed else { return nil }
        world.noted += 1
        if schedule.noteCommit() {
          if isPosting || isResting { throw Discrepancy("a second job is put on the queue") }
          world.isPosting = true
        }
      case .post:
        guard isPosting else { return nil }
        if posted < committed {
          world.posted += 1
        } else {
          schedule.reachedEnd()
          world.isPosting = false
          if rests, !isLast { world.isResting = true }
        }
      case .endRest:
        guard isResting, !isPosting else { return nil }
        world.isResting = false
        world.isPosting = schedule.restEnded()
      case .close:
        // The close is noted after all writers have ended, and its job is queued after the others.
        guard !isClosed, noted == committed, !isPosting else { return nil }
        world.isClosed = true
        world.isPosting = schedule.cutRestShort()
        world.isLast = world.isPosting
        if !world.isPosting, posted < committed { throw Discrepancy("closed is told before commit \(committed)") }
      }
      let isForgotten =
        falsifications.contains(.forgetsCommitsDuringARest) && step == .note
        && state == .resting(hasCommits: false)
      world.state = isForgotten ? state : schedule.state
      return world
    }
  }

  private func explore(rests: Bool, _ falsifications: Set<Falsification> = []) -> Discrepancy? {
    Discrepancy.first {
      var seen: Set<World> = [World()]
      var front = [World()]
      while let world = front.popLast() {
        var isAtRest = true
        for step in Step.allCases {
          guard let next = try world.after(step, rests: rests, falsifications) else { continue }
          if step != .commit, step != .close { isAtRest = false }
          if seen.insert(next).inserted { front.append(next) }
        }
        if isAtRest {
          try Discrepancy.check(world.posted, world.committed, "commits posted when nothing runs any more")
        }
      }
      try Discrepancy.check(seen.contains { $0.posted == 3 && $0.state == .idle }, true, "reached the end")
      try Discrepancy.check(seen.contains { $0.isLast }, rests, "cut a rest short")
    }
  }

  @Test(arguments: [true, false])
  func `in every order each commit is posted, by one job at a time, and before a close`(rests: Bool) {
    #expect(explore(rests: rests) == nil)
  }

  @Test func `a commit that is forgotten during a rest is detected`() {
    #expect(explore(rests: true, [.forgetsCommitsDuringARest]) != nil)
  }
}
