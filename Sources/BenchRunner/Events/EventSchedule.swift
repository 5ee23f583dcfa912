/// Decides which of a phase's events begins next, and which stall ends next: a state machine without clock, threads or
/// engine.
///
/// Events begin in the order of their times, and none before its time. Of several due steps, the one with the earliest
/// time comes first; of equal times, the end of a stall comes before an event.
struct EventSchedule: Equatable {
  enum Step: Equatable {
    /// Nothing is due before this time.
    case wait(until: UInt64)
    /// The event with this index begins.
    case begin(Int)
    /// The stall of the event with this index ends.
    case endStall(Int)
    /// No event and no stall is left.
    case finished
  }

  private struct Stall: Equatable {
    let event: Int
    let end: UInt64
  }

  /// The due time of each event in nanoseconds since the phase began, in ascending order.
  private let times: [UInt64]
  private var next = 0
  /// The open stalls, in the order of their ends.
  private var stalls: [Stall] = []

  /// - Parameter times: the due time of each event in nanoseconds since the phase began, in ascending order.
  init(_ times: [UInt64]) { self.times = times }

  /// The indices of the events whose stalls are open.
  var openStalls: [Int] { stalls.map(\.event) }

  /// Returns the next step. An event that it begins, or a stall that it ends, is not returned again.
  mutating func step(at now: UInt64) -> Step {
    let begin = next < times.count ? times[next] : nil
    let end = stalls.first?.end
    guard let earliest = [begin, end].compactMap({ $0 }).min() else { return .finished }
    guard earliest <= now else { return .wait(until: earliest) }
    if earliest == end { return .endStall(stalls.removeFirst().event) }
    next += 1
    return .begin(next - 1)
  }

  /// Records that an event has begun a stall, which lasts until `end`.
  mutating func beginStall(ofEvent event: Int, until end: UInt64) {
    let index = stalls.firstIndex { $0.end > end } ?? stalls.endIndex
    stalls.insert(Stall(event: event, end: end), at: index)
  }
}
