import BenchScenario
import Testing

@testable import BenchRunner

/// Every short list of events and stalls, under every clock that looks now and then.
@Suite("A schedule of events") struct EventScheduleTests {
  private static let longest: UInt64 = 5

  /// All lists of up to three times in order.
  private static let lists: [[UInt64]] = {
    let times = Array(0...UInt64(3))
    let ones = times.map { [$0] }
    let twos = ones.flatMap { list in times.filter { $0 >= list[0] }.map { list + [$0] } }
    return [[]] + ones + twos + twos.flatMap { list in times.filter { $0 >= list[1] }.map { list + [$0] } }
  }()

  private struct Play {
    var steps: [(time: UInt64, step: EventSchedule.Step)] = []
    /// The times until which it requested to wait, with the times of these requests.
    var waits: [(time: UInt64, until: UInt64)] = []
    var openStalls: [Int] = []
    var isFinished = false
  }

  /// - Parameters:
  ///   - looks: when the clock is looked at.
  ///   - lengths: how long the stall of each event is; 0 for an event that is none.
  private func play(_ times: [UInt64], _ lengths: [UInt64], looks: [UInt64]) -> Play {
    var schedule = EventSchedule(times.map { .time(nanoseconds: $0) })
    var play = Play()
    for now in looks {
      look: while true {
        let step = schedule.step(at: now)
        switch step {
        case .wait(let until):
          play.waits.append((now, until))
          break look
        case .finished:
          play.isFinished = true
          break look
        case .begin(let event):
          play.steps.append((now, step))
          if lengths[event] > 0 { schedule.beginStall(ofEvent: event, until: now + lengths[event]) }
        case .endStall: play.steps.append((now, step))
        }
      }
    }
    play.openStalls = schedule.openStalls
    return play
  }

  @Test func `begins each event once, in order, at the first look at its time or later, and ends each stall so`() {
    var played = 0
    for times in Self.lists {
      for lengthCode in 0..<Int(truncatingIfNeeded: UInt64(1) << (2 * times.count)) {
        let lengths = times.indices.map { UInt64(lengthCode >> (2 * $0) & 3) }
        for mask in 1..<(1 << (Self.longest + 1)) {
          let looks = (0...Self.longest).filter { mask >> $0 & 1 == 1 }
          let play = play(times, lengths, looks: looks)
          played += 1
          // By the plain rule: at the first look that is not before its time.
          let begun = times.enumerated().compactMap { event, time in
            looks.first { $0 >= time }.map { (event: event, time: $0) }
          }
          let ended = begun.compactMap { event, time -> (event: Int, time: UInt64)? in
            guard lengths[event] > 0 else { return nil }
            return looks.first { $0 >= time + lengths[event] }.map { (event: event, time: $0) }
          }
          let found = play.steps
          let foundBegun = found.compactMap { if case .begin(let event) = $0.step { (event, $0.time) } else { nil } }
          let foundEnded = found.compactMap { if case .endStall(let event) = $0.step { (event, $0.time) } else { nil } }
          let isRight =
            foundBegun.elementsEqual(begun) { $0.0 == $1.event && $0.1 == $1.time }
            && foundEnded.sorted { $0 < $1 }.elementsEqual(ended.sorted { $0.event < $1.event }) {
              $0.0 == $1.event && $0.1 == $1.time
            }
          let open = begun.map(\.event).filter { event in
            lengths[event] > 0 && !ended.contains { $0.event == event }
          }
          let isAllDone = begun.count == times.count && open.isEmpty
          guard isRight, play.openStalls.sorted() == open, play.isFinished == isAllDone,
            play.waits.allSatisfy({ $0.until > $0.time })
          else {
            Issue.record("times \(times), stalls of \(lengths), looked at \(looks): \(found)")
            return
          }
        }
      }
    }
    #expect(played > 50_000)
  }

  @Test func `what is due at the same look comes in the order of its time, the end of a stall first`() {
    var schedule = EventSchedule([1, 2, 3].map { .time(nanoseconds: $0) })
    #expect(schedule.step(at: 0) == .wait(until: 1))
    #expect(schedule.step(at: 1) == .begin(0))
    schedule.beginStall(ofEvent: 0, until: 3)
    #expect(schedule.step(at: 1) == .wait(until: 2))
    #expect(schedule.step(at: 9) == .begin(1))
    #expect(schedule.step(at: 9) == .endStall(0))
    #expect(schedule.step(at: 9) == .begin(2))
    #expect(schedule.step(at: 9) == .finished)
  }

  @Test func `waits for what comes next, an event or the end of the shortest stall`() {
    var schedule = EventSchedule([0, 0, 50].map { .time(nanoseconds: $0) })
    #expect(schedule.step(at: 0) == .begin(0))
    schedule.beginStall(ofEvent: 0, until: 30)
    #expect(schedule.step(at: 0) == .begin(1))
    schedule.beginStall(ofEvent: 1, until: 20)
    #expect(schedule.openStalls == [1, 0])
    #expect(schedule.step(at: 0) == .wait(until: 20))
    #expect(schedule.step(at: 20) == .endStall(1))
    #expect(schedule.step(at: 20) == .wait(until: 30))
    #expect(schedule.step(at: 30) == .endStall(0))
    #expect(schedule.step(at: 30) == .wait(until: 50))
  }

  @Test func `an event at a count begins once the count is reached, after what is due by its time`() {
    var schedule = EventSchedule([.time(nanoseconds: 5), .checkpoints(2), .commits(3), .commits(9)])
    #expect(schedule.awaitedCommits == 3 && schedule.awaitsCheckpoints)
    #expect(schedule.step(at: 0) == .wait(until: 5))
    #expect(schedule.step(at: 1, .init(commits: 2, checkpoints: 1)) == .wait(until: 5))
    #expect(schedule.step(at: 1, .init(commits: 3, checkpoints: 1)) == .begin(2))
    #expect(schedule.awaitedCommits == 9)
    #expect(schedule.step(at: 6, .init(commits: 20, checkpoints: 7)) == .begin(0))
    #expect(schedule.step(at: 6, .init(commits: 20, checkpoints: 7)) == .begin(1))
    #expect(!schedule.awaitsCheckpoints)
    #expect(schedule.step(at: 6) == .wait(until: .max))
    schedule.beginStall(ofEvent: 1, until: 8)
    #expect(schedule.step(at: 6) == .wait(until: 8))
    #expect(schedule.step(at: 6, .init(commits: 9)) == .begin(3))
    #expect(schedule.awaitedCommits == nil)
    #expect(schedule.step(at: 8) == .endStall(1))
    #expect(schedule.step(at: 8) == .finished)
  }
}
