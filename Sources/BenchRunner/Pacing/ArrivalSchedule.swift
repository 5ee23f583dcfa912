internal import BenchModel
internal import Foundation
internal import NumericConversion
internal import ThreadingPrimitives

/// The intended times of an actor's transactions in one phase. Its workers take arrivals from it in order.
///
/// The times depend on the seed and the scenario only, never on how quickly the arrivals are served: an open loop.
final class ArrivalSchedule: Sendable {
  private struct State {
    var random: RandomStream
    var arrivals = 0.0
    var time = 0.0
    var givenBack: [UInt64] = []
  }

  private let rate: RateCurve
  private let process: ArrivalProcess
  private let phaseLength: Double
  private let random: RandomStream
  private let state: Guarded<State>

  /// - Parameter phaseLength: seconds; the time over which a ramp runs.
  init(_ rate: RateCurve, _ process: ArrivalProcess, phaseLength: Double, random: RandomStream) {
    self.rate = rate
    self.process = process
    self.phaseLength = phaseLength
    self.random = random
    state = Guarded(State(random: random))
  }

  /// The next intended start, in nanoseconds since the phase began; nil when there will be none.
  func next() -> UInt64? {
    state.withLock { advance(&$0) }
  }

  /// How many arrivals were due in the first `nanoseconds` of the phase, those included that were never taken.
  ///
  /// Draws them all once more. What was taken tells nothing: each worker takes its next arrival ahead of its time.
  func due(in nanoseconds: UInt64) -> Int {
    var state = State(random: random)
    var count = 0
    while let time = advance(&state), time <= nanoseconds { count += 1 }
    return count
  }

  /// Gives back an arrival that was taken and will not begin, because the phase is over.
  func giveBack(_ time: UInt64) {
    state.withLock { $0.givenBack.append(time) }
  }

  /// The arrivals that were due in the first `nanoseconds` of the phase and did not begin. To be asked when no worker
  /// works any more; what comes of later calls of `next` is not among them.
  func forEachUnbegun(in nanoseconds: UInt64, _ body: (UInt64) -> Void) {
    var state = state.withLock { $0 }
    for time in state.givenBack where time <= nanoseconds { body(time) }
    while let time = advance(&state), time <= nanoseconds { body(time) }
  }

  private func advance(_ state: inout State) -> UInt64? {
    state.arrivals += process == .poisson ? -log(1 - state.random.unit()) : 1
    state.time = rate.time(ofArrivals: state.arrivals, notBefore: state.time, phaseLength: phaseLength)
    guard state.time.isFinite, state.time < 1e9 else { return nil }
    return UInt64(saturating: state.time * 1e9)
  }
}
