internal import BenchResults
internal import BenchScenario
internal import Foundation
internal import LatencyMetrics
internal import NumericConversion
internal import SeededRandom
internal import ThreadingPrimitives

/// The intended times of an actor's transactions in one phase. Its workers take the arrivals in order.
///
/// The times depend only on the seed and the scenario, never on the speed at which arrivals are served: an open loop.
final class ArrivalSchedule: Sendable {
  /// Arrivals of a phase that is over.
  struct Settlement {
    /// The number of arrivals that were due, including those that began or were dropped.
    var due: Int
    /// The waits, until the phase's end, of the arrivals that were due and did not begin.
    var unbegunWaits: LatencyHistogram
  }

  private struct State {
    var random: RandomStream
    /// The area under the rate up to the last arrival that was taken.
    var area = 0.0
    var taken = 0
    var givenBack: [UInt64] = []
    /// The times of the last arrivals that were taken, at most one for each worker, in no order.
    var latest: [UInt64]
  }

  /// Up to this number, independent arrivals that did not begin are drawn one by one, which takes a few milliseconds.
  /// Above it, the expected number of arrivals is spread evenly under the rate: a Poisson number with this mean has a
  /// standard deviation of 0.4 %, and the share falls with the root of the number.
  static let mostDrawnAtEnd = 65_536

  private let rate: RateCurve
  private let process: ArrivalProcess
  private let phaseLength: Double
  private let state: Guarded<State>

  /// - Parameters:
  ///   - phaseLength: seconds; the time over which a ramp rises or falls.
  ///   - workers: the number of workers, each of which takes an arrival before it is due.
  init(_ rate: RateCurve, _ process: ArrivalProcess, phaseLength: Double, workers: Int, random: RandomStream) {
    self.rate = rate
    self.process = process
    self.phaseLength = phaseLength
    state = Guarded(State(random: random, latest: Array(repeating: 0, count: max(workers, 1))))
  }

  /// Takes the next intended start, in nanoseconds since the phase began; nil if no arrival is left.
  func next() -> UInt64? {
    state.withLock { state in
      guard let time = advance(&state) else { return nil }
      state.latest[state.taken % state.latest.count] = time
      state.taken += 1
      return time
    }
  }

  /// Takes back an arrival that `next` returned and that will not begin, because the phase is over.
  func giveBack(_ time: UInt64) {
    state.withLock { $0.givenBack.append(time) }
  }

  /// The number of arrivals that were due in the first `now` nanoseconds of the phase, while its workers run.
  /// Independent arrivals that no worker has taken are counted with the integral of the rate.
  func dueArrivals(at now: UInt64) -> Int {
    let state = state.withLock { $0 }
    let early = state.latest.count { $0 > now }
    return early > 0 ? state.taken - early : state.taken + count(after: state.area, by: now)
  }

  /// Counts the arrivals of the first `end` nanoseconds of the phase, after its workers have ended or were abandoned.
  ///
  /// Arrivals that were taken count as due, unless they were given back and are later than `end`. Arrivals that were
  /// not taken are counted with the integral of the rate, in bounded time. The count is exact for evenly spread
  /// arrivals and those of a file, and for independent arrivals up to `mostDrawnAtEnd`.
  func settle(at end: UInt64, digits: Int) -> Settlement {
    var state = state.withLock { $0 }
    var waits = LatencyHistogram(digits: digits)
    for time in state.givenBack where time <= end { waits.record(end - time) }
    let given = state.taken - state.givenBack.count
    let left = count(after: state.area, by: end)
    if process == .poisson, left <= Self.mostDrawnAtEnd {
      while let time = advance(&state), time <= end { waits.record(end - time) }
    } else {
      addWaits(after: state.area, count: left, at: end, to: &waits)
    }
    return Settlement(due: given + waits.count, unbegunWaits: waits)
  }

  /// Adds the waits of the evenly spread arrivals after `area`, one bucket of the histogram at a time.
  private func addWaits(after area: Double, count: Int, at end: UInt64, to waits: inout LatencyHistogram) {
    var added = 0
    while added < count, let time = time(ofArea: area + Double(added + 1)) {
      let longest = end - min(time, end)
      let shortest = waits.equivalentDurations(to: longest).lowerBound
      // A wait of 0 counts as 1 ns.
      let through = shortest <= 1 ? end : end - shortest
      let number = max(self.count(after: area, by: through, atLeast: added), added + 1) - added
      // The longest and the shortest wait are recorded exactly, because a histogram keeps its extremes exactly.
      waits.record(longest, count: number - 1)
      let last = self.time(ofArea: area + Double(added + number)) ?? time
      waits.record(end - min(last, end))
      added += number
    }
  }

  /// The number of evenly spread arrivals after `area` whose time, as `next()` returns it, is not later than `end`.
  /// - Parameter known: a lower bound of the result.
  private func count(after area: Double, by end: UInt64, atLeast known: Int = 0) -> Int {
    let seconds = min(Double(end) / 1e9, Self.latestSeconds)
    let estimate = rate.arrivals(by: seconds, phaseLength: phaseLength) - area
    var count = max(Int(saturating: min(estimate, Self.mostCounted).rounded(.down)), known)
    func isDue(_ count: Int) -> Bool { time(ofArea: area + Double(count)).map { $0 <= end } ?? false }
    // The integral and its inverse differ only by rounding errors.
    while count > known, !isDue(count) { count -= 1 }
    while Double(count) < Self.mostCounted, isDue(count + 1) { count += 1 }
    return count
  }

  /// A double represents every whole number up to this one.
  private static let mostCounted = 0x1p53
  /// About 30 years: arrivals with later times are ignored.
  private static let latestSeconds = 1e9

  private func advance(_ state: inout State) -> UInt64? {
    state.area += process == .poisson ? -log(1 - state.random.unit()) : 1
    return time(ofArea: state.area)
  }

  /// nil for an arrival that never happens, or that is later than `latestSeconds`.
  private func time(ofArea area: Double) -> UInt64? {
    let time = rate.time(ofArrivals: area, phaseLength: phaseLength)
    guard time.isFinite, time < Self.latestSeconds else { return nil }
    return UInt64(saturating: time * 1e9)
  }
}
