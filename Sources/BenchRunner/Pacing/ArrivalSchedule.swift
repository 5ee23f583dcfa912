internal import BenchScenario
internal import Foundation
internal import HarnessPrimitives
internal import LatencyMetrics
internal import ThreadingPrimitives

/// The intended times of an actor's transactions in one phase. Its workers take the arrivals in order.
///
/// The times depend only on the seed and the scenario, never on the speed at which arrivals are served: an open loop.
///
/// Evenly spread arrival i, from 0, is due when the area under the rate is i + ½: at (i + ½)/rate for a constant rate.
/// A phase thus has as many arrivals as the area under its rate, rounded to a whole number. The first is due half an
/// interval after the start of the phase, when all workers are ready, and the last one half an interval before its
/// end. A phase is the half-open interval from its start to its end: a later arrival, such as one of a file at exactly
/// the end, does not exist.
final class ArrivalSchedule: Sendable {
  /// Arrivals of a phase that is over.
  struct Settlement {
    /// The number of arrivals that were due, including those that began or were dropped.
    var due: Int
    /// The waits of the arrivals that were due and did not begin: until the phase's end, or until the first worker was
    /// free again if that was later.
    var unbegunWaits: LatencyHistogram
  }

  private struct State {
    var random: RandomStream
    /// The area under the rate up to the last arrival that was taken.
    var area: Double
    var taken = 0
    var givenBack: [UInt64] = []
    /// The number of arrivals that were withdrawn.
    var withdrawn = 0
    /// The first time at which a worker was free for an arrival that it gave back.
    var firstFree = UInt64.max
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
  private let phaseEnd: UInt64
  private let state: Guarded<State>

  /// - Parameters:
  ///   - phaseLength: seconds; the time over which a ramp rises or falls.
  ///   - phaseEnd: nanoseconds since the phase began; there are no arrivals from then on.
  ///   - workers: the number of workers, each of which takes an arrival before it is due.
  init(
    _ rate: RateCurve,
    _ process: ArrivalProcess,
    phaseLength: Double,
    phaseEnd: UInt64 = .max,
    workers: Int,
    random: RandomStream
  ) {
    self.rate = rate
    self.process = process
    self.phaseLength = phaseLength
    self.phaseEnd = phaseEnd
    let area = process == .poisson ? 0 : -0.5
    state = Guarded(State(random: random, area: area, latest: Array(repeating: 0, count: max(workers, 1))))
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
  /// - Parameter free: the time at which its worker was free for it, in nanoseconds since the phase began.
  func giveBack(_ time: UInt64, freeAt free: UInt64) {
    state.withLock { state in
      state.givenBack.append(time)
      state.firstFree = min(state.firstFree, free)
    }
  }

  /// Takes back an arrival that `next` returned, for which a worker was free when the phase ended. It does not count as
  /// due, because it has waited for nothing.
  func withdraw() {
    state.withLock { $0.withdrawn += 1 }
  }

  /// The number of arrivals that were due in the first `now` nanoseconds of the phase, while its workers run.
  /// Independent arrivals that no worker has taken are counted with the integral of the rate.
  func dueArrivals(at now: UInt64) -> Int {
    // Counted with the lock held: a copy of the state would share its array with the workers.
    let (taken, early, area) = state.withLock { state in
      (state.taken, state.latest.count { $0 > now }, evenArea(state))
    }
    return early > 0 ? taken - early : taken + count(after: area, before: now &+ 1)
  }

  /// Counts the arrivals of the phase that were due before `end`, after its workers have ended or were abandoned.
  ///
  /// Arrivals that were taken count as due, unless they were withdrawn, or given back and are not earlier than `end`.
  /// Arrivals that were not taken are counted with the integral of the rate, in bounded time. The count is exact for
  /// evenly spread arrivals and arrivals of a file, and for independent arrivals up to `mostDrawnAtEnd`.
  ///
  /// - Parameter end: the end of the phase, in nanoseconds since it began.
  func settle(at end: UInt64, digits: Int) -> Settlement {
    var state = state.withLock { $0 }
    var waits = LatencyHistogram(digits: digits)
    let free = state.firstFree == .max ? end : max(end, state.firstFree)
    for time in state.givenBack where time < end { waits.record(free - time) }
    let given = state.taken - state.givenBack.count - state.withdrawn
    let left = count(after: evenArea(state), before: end)
    if process == .poisson, left <= Self.mostDrawnAtEnd {
      while let time = advance(&state), time < end { waits.record(free - time) }
    } else {
      addWaits(after: evenArea(state), count: left, before: end, until: free, to: &waits)
    }
    return Settlement(due: given + waits.count, unbegunWaits: waits)
  }

  /// The area after which evenly spread arrivals replace those that no worker has taken: half an interval before the
  /// first of them, so that independent arrivals have the expected number.
  private func evenArea(_ state: State) -> Double { process == .poisson ? state.area - 0.5 : state.area }

  /// Adds the waits until `free` of the evenly spread arrivals after `area` and before `end`, one bucket of the
  /// histogram at a time.
  private func addWaits(
    after area: Double,
    count: Int,
    before end: UInt64,
    until free: UInt64,
    to waits: inout LatencyHistogram
  ) {
    var added = 0
    while added < count, let time = time(ofArea: area + Double(added + 1)) {
      let longest = free - min(time, free)
      let shortest = waits.equivalentDurations(to: longest).lowerBound
      let limit = min(free - min(shortest, free), end - min(1, end)) + 1
      let number = max(self.count(after: area, before: limit, atLeast: added), added + 1) - added
      // The longest and the shortest wait are recorded exactly, because a histogram keeps its extremes exactly.
      waits.record(longest, count: number - 1)
      let last = self.time(ofArea: area + Double(added + number)) ?? time
      waits.record(free - min(last, free))
      added += number
    }
  }

  /// The number of evenly spread arrivals after `area` whose time, as `next()` returns it, is earlier than `end`.
  /// - Parameter known: a lower bound of the result.
  private func count(after area: Double, before end: UInt64, atLeast known: Int = 0) -> Int {
    let end = min(end, phaseEnd)
    let seconds = min(Double(end) / 1e9, Self.latestSeconds)
    let estimate = rate.arrivals(by: seconds, phaseLength: phaseLength) - area
    var count = max(Int(saturating: min(estimate, Self.mostCounted).rounded(.down)), known)
    func isDue(_ count: Int) -> Bool { time(ofArea: area + Double(count)).map { $0 < end } ?? false }
    // The integral and its inverse differ only by rounding errors.
    while count > known, !isDue(count) { count -= 1 }
    while Double(count) < Self.mostCounted, isDue(count + 1) { count += 1 }
    return count
  }

  /// A double represents every whole number up to this one, and every half.
  private static let mostCounted = 0x1p52
  /// About 30 years: arrivals with later times are ignored.
  private static let latestSeconds = 1e9

  private func advance(_ state: inout State) -> UInt64? {
    state.area += process == .poisson ? -log(1 - state.random.unit()) : 1
    return time(ofArea: state.area)
  }

  /// nil for an arrival that never happens, that is not in the phase, or that is later than `latestSeconds`.
  private func time(ofArea area: Double) -> UInt64? {
    let time = rate.time(ofArrivals: area, phaseLength: phaseLength)
    guard time.isFinite, time < Self.latestSeconds else { return nil }
    let nanoseconds = UInt64(saturating: time * 1e9)
    return nanoseconds < phaseEnd ? nanoseconds : nil
  }
}
