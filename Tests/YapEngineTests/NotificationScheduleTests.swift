import Testing

@testable import YapEngine

/// Every order in which commits, the job that posts, its rest and a close can come.
@Suite struct NotificationScheduleTests {
  private enum Step: CaseIterable {
    case commit, note, post, endRest, close
  }

  /// Commits are made, then told of, then posted. What a database does around the schedule, one step at a time.
  private struct World: Hashable {
    var committed = 0
    var noted = 0
    var posted = 0
    var state = NotificationSchedule.State.idle
    /// A job goes to the end of the list.
    var isPosting = false
    /// It is that of a close, after which none follows.
    var isLast = false
    var isResting = false
    var isClosed = false

    /// - Returns: nil if the step cannot be taken now.
    func after(_ step: Step, rests: Bool, _ bugs: Set<PlantedBug>) throws -> World? {
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
        // Writers are through before anything is told of the close; its job comes behind the others.
        guard !isClosed, noted == committed, !isPosting else { return nil }
        world.isClosed = true
        world.isPosting = schedule.cutRestShort()
        world.isLast = world.isPosting
        if !world.isPosting, posted < committed { throw Discrepancy("closed is told before commit \(committed)") }
      }
      let isForgotten =
        bugs.contains(.falsified(.forgetsCommitsDuringARest)) && step == .note && state == .resting(hasCommits: false)
      world.state = isForgotten ? state : schedule.state
      return world
    }
  }

  private func explore(rests: Bool, _ bugs: Set<PlantedBug> = []) -> Discrepancy? {
    Discrepancy.first {
      var seen: Set<World> = [World()]
      var front = [World()]
      while let world = front.popLast() {
        var isAtRest = true
        for step in Step.allCases {
          guard let next = try world.after(step, rests: rests, bugs) else { continue }
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
  func `whatever comes when, each commit is posted, by one job at a time, and before a close`(rests: Bool) {
    #expect(explore(rests: rests) == nil)
  }

  @Test func `a commit that is forgotten during a rest is found out`() {
    #expect(explore(rests: true, [.falsified(.forgetsCommitsDuringARest)]) != nil)
  }
}
