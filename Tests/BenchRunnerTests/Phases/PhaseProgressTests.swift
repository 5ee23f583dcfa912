import Testing

@testable import BenchResults
@testable import BenchRunner
@testable import BenchScenario

@Suite("The progress of a phase") struct PhaseProgressTests {
  private static let start: UInt64 = 100
  private static let length: UInt64 = 10

  private static let ends: [PhaseEnd] = [
    .duration(nanoseconds: length), .operations(5),
    .until(
      PhaseCondition(source: "wal.frames == 0", metric: .walFrames, rule: .compares(.equal, 0)),
      withinNanoseconds: length
    ),
    PhaseEnd(nanoseconds: length, operations: 5),
  ]

  private static let events: [PhaseProgress.Event] = [
    .tick, .condition(holds: false), .condition(holds: true), .workersFinished, .brokenOff,
  ]

  private typealias Step = (event: PhaseProgress.Event, now: UInt64)

  /// The reason for which the phase stops at an event, and its end time; nil if it continues.
  private func stop(_ end: PhaseEnd, _ step: Step) -> (reason: PhaseResult.End, time: UInt64)? {
    let deadline = end.plannedNanoseconds.map { Self.start + $0 }
    let onTime = min(step.now, deadline ?? .max)
    switch step.event {
    case .brokenOff: return (.cutShort, step.now)
    case .condition(holds: true): return (.reached, onTime)
    case .workersFinished:
      guard let deadline else { return (.reached, step.now) }
      guard step.now >= deadline else { return (.cutShort, step.now) }
      return (end.withinNanoseconds == nil ? .reached : .notReached, deadline)
    case .tick, .condition(holds: false):
      guard let deadline, step.now >= deadline else { return nil }
      return (end.withinNanoseconds == nil ? .reached : .notReached, deadline)
    }
  }

  /// The expected action at each step. The first reason counts, and the phase ends only with its workers.
  private func expected(_ end: PhaseEnd, _ steps: [Step]) -> [PhaseProgress.Action] {
    guard let first = steps.indices.first(where: { stop(end, steps[$0]) != nil }), let why = stop(end, steps[first])
    else { return steps.map { _ in .keepRunning } }
    let last = steps[first...].firstIndex { $0.event == .workersFinished } ?? steps.endIndex
    return steps.indices.map { index in
      if index < first { return .keepRunning }
      if index >= last { return .finish(why.reason, at: why.time) }
      return index == first ? .stopWorkers : .keepRunning
    }
  }

  private func expectAll(_ end: PhaseEnd, _ steps: [Step], longest: Int, failures: inout Int) {
    var progress = PhaseProgress(end, start: Self.start)
    let actions = steps.map { progress.handle($0.event, at: $0.now) }
    if actions != expected(end, steps) {
      failures += 1
      if failures < 5 { Issue.record("\(end) after \(steps): \(actions) instead of \(expected(end, steps))") }
    }
    guard steps.count < longest else { return }
    let now = steps.last?.now ?? Self.start
    for event in Self.events {
      for later in [0, 6, 15] as [UInt64] {
        expectAll(end, steps + [(event, now + later)], longest: longest, failures: &failures)
      }
    }
  }

  @Test(arguments: ends)
  func `every sequence of events ends according to the rules`(end: PhaseEnd) {
    var failures = 0
    expectAll(end, [], longest: 4, failures: &failures)
    #expect(failures == 0)
  }

  @Test func `a phase of fixed length ends at its time, however late it is checked`() {
    var progress = PhaseProgress(.duration(nanoseconds: 10), start: 100)
    #expect(progress.handle(.tick, at: 109) == .keepRunning)
    #expect(progress.handle(.tick, at: 5_000) == .stopWorkers)
    #expect(progress.handle(.workersFinished, at: 9_000) == .finish(.reached, at: 110))
  }

  @Test func `workers that stop when the time is over do not end the phase early`() {
    var progress = PhaseProgress(.duration(nanoseconds: 10), start: 100)
    #expect(progress.handle(.workersFinished, at: 113) == .finish(.reached, at: 110))
    var early = PhaseProgress(.duration(nanoseconds: 10), start: 100)
    #expect(early.handle(.workersFinished, at: 109) == .finish(.cutShort, at: 109))
  }

  @Test func `a phase that times out reports it`() {
    var progress = PhaseProgress(Self.ends[2], start: 100)
    #expect(progress.handle(.condition(holds: false), at: 109) == .keepRunning)
    #expect(progress.handle(.condition(holds: false), at: 110) == .stopWorkers)
    #expect(progress.handle(.condition(holds: true), at: 111) == .keepRunning)
    #expect(progress.handle(.workersFinished, at: 120) == .finish(.notReached, at: 110))
  }

  @Test func `a phase with several ends states the first of them`() {
    let end = PhaseEnd(nanoseconds: 10, operations: 5, until: Self.ends[2].until)
    var timed = PhaseProgress(end, start: 100)
    #expect(timed.handle(.condition(holds: false), at: 110) == .stopWorkers && timed.endedBy == .time)
    // The count was done by transactions that had begun before.
    #expect(timed.handle(.workersFinished, at: 120, .operations) == .finish(.reached, at: 110))
    #expect(timed.endedBy == .time)
    var counted = PhaseProgress(end, start: 100)
    for event in [.tick, .condition(holds: true), .condition(holds: false)] as [PhaseProgress.Event] {
      #expect(counted.handle(event, at: 112, .operations) == .keepRunning, "its last transactions run")
      #expect(counted.awaitsWorkersSince == 112)
    }
    #expect(counted.handle(.workersFinished, at: 113, .operations) == .finish(.reached, at: 113))
    #expect(counted.endedBy == .operations && counted.awaitsWorkersSince == nil)
    var awaited = PhaseProgress(end, start: 100)
    #expect(awaited.handle(.condition(holds: true), at: 105) == .stopWorkers && awaited.endedBy == .until)
    var broken = PhaseProgress(end, start: 100)
    #expect(broken.handle(.brokenOff, at: 105, .operations) == .stopWorkers && broken.endedBy == nil)
    var late = PhaseProgress(PhaseEnd(operations: 5, until: end.until, withinNanoseconds: 10), start: 100)
    #expect(late.handle(.tick, at: 110) == .stopWorkers && late.endedBy == nil)
  }

  @Test func `a phase of operations has no deadline`() {
    var progress = PhaseProgress(.operations(5), start: 100)
    #expect(progress.deadline == nil)
    #expect(progress.handle(.tick, at: .max) == .keepRunning)
    #expect(progress.handle(.workersFinished, at: 700) == .finish(.reached, at: 700))
  }
}
