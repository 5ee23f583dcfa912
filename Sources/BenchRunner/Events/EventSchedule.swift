internal import BenchScenario

/// Decides which of a phase's events begins next, and which stall ends next: a state machine without clock, threads or
/// engine.
///
/// Events at times begin in the order of their times, and none before its time. Of several due steps, the one with the
/// earliest time comes first; of equal times, the end of a stall comes before an event. Events whose counts are reached
/// come after the steps that are due by their times, in the order of the list.
struct EventSchedule: Equatable {
  enum Step: Equatable {
    /// Nothing is due before this time. If events wait for counts, one of them may be due earlier.
    case wait(until: UInt64)
    /// The event with this index begins.
    case begin(Int)
    /// The stall of the event with this index ends.
    case endStall(Int)
    /// No event and no stall is left.
    case finished
  }

  /// The counts of the phase so far.
  struct Counts: Equatable {
    var commits = 0
    var checkpoints = 0
  }

  private struct Stall: Equatable {
    let event: Int
    let end: UInt64
  }

  private let times: [EventTime]
  /// The indices of the events that have not begun: those at times in the order of their times, then those at counts.
  private var pending: [Int]
  /// The open stalls, in the order of their ends.
  private var stalls: [Stall] = []

  /// - Parameter times: the moment at which each event is due; the times since the phase began in ascending order.
  init(_ times: [EventTime]) {
    self.times = times
    pending =
      times.indices.filter { times[$0].nanoseconds != nil } + times.indices.filter { times[$0].nanoseconds == nil }
  }

  /// The indices of the events whose stalls are open.
  var openStalls: [Int] { stalls.map(\.event) }

  /// The least number of commits for which an event waits; nil if none waits for commits.
  var awaitedCommits: Int? {
    pending.compactMap { if case .commits(let count) = times[$0] { count } else { nil } }.min()
  }

  /// Whether an event waits for checkpoints.
  var awaitsCheckpoints: Bool {
    pending.contains { if case .checkpoints = times[$0] { true } else { false } }
  }

  /// Returns the next step. An event that it begins, or a stall that it ends, is not returned again.
  mutating func step(at now: UInt64, _ counts: Counts = Counts()) -> Step {
    let begin = pending.first.flatMap { times[$0].nanoseconds }
    let end = stalls.first?.end
    let earliest = [begin, end].compactMap { $0 }.min()
    if let earliest, earliest <= now {
      if earliest == end { return .endStall(stalls.removeFirst().event) }
      return .begin(pending.removeFirst())
    }
    if let index = pending.firstIndex(where: { isReached(times[$0], counts) }) {
      return .begin(pending.remove(at: index))
    }
    return pending.isEmpty && stalls.isEmpty ? .finished : .wait(until: earliest ?? .max)
  }

  private func isReached(_ time: EventTime, _ counts: Counts) -> Bool {
    switch time {
    case .time: false
    case .commits(let count): counts.commits >= count
    case .checkpoints(let count): counts.checkpoints >= count
    }
  }

  /// Records that an event has begun a stall, which lasts until `end`.
  mutating func beginStall(ofEvent event: Int, until end: UInt64) {
    let index = stalls.firstIndex { $0.end > end } ?? stalls.endIndex
    stalls.insert(Stall(event: event, end: end), at: index)
  }
}
