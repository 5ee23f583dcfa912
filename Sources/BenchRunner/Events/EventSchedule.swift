/// Which of a phase's events comes next, and which stall ends: a state machine without clock, threads or engine.
///
/// Events begin in the order of their times, each when its time has come. Of two things that are due the one comes
/// first whose time is earlier, and of two at the same time the end of a stall.
struct EventSchedule: Equatable {
  enum Step: Equatable {
    /// Nothing is due before.
    case wait(until: UInt64)
    /// An event, by its number.
    case begin(Int)
    /// The stall that an event has begun.
    case endStall(Int)
    /// Nothing is left to come.
    case finished
  }

  private struct Stall: Equatable {
    let event: Int
    let end: UInt64
  }

  /// When each event is due, in order.
  private let times: [UInt64]
  private var next = 0
  /// Those that last, the first to end first.
  private var stalls: [Stall] = []

  /// - Parameter times: when each event is due, since the phase began, in order.
  init(_ times: [UInt64]) { self.times = times }

  /// The numbers of the stalls that last.
  var openStalls: [Int] { stalls.map(\.event) }

  /// What is to be done now. It counts as done from here on.
  mutating func step(at now: UInt64) -> Step {
    let begin = next < times.count ? times[next] : nil
    let end = stalls.first?.end
    guard let earliest = [begin, end].compactMap({ $0 }).min() else { return .finished }
    guard earliest <= now else { return .wait(until: earliest) }
    if earliest == end { return .endStall(stalls.removeFirst().event) }
    next += 1
    return .begin(next - 1)
  }

  /// An event has begun a stall that lasts until then.
  mutating func stalls(event: Int, until end: UInt64) {
    let place = stalls.firstIndex { $0.end > end } ?? stalls.endIndex
    stalls.insert(Stall(event: event, end: end), at: place)
  }
}
