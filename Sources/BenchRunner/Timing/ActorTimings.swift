internal import BenchModel
internal import LatencyMetrics
internal import ThreadingPrimitives

/// Where an actor's workers hand over what they have timed, once a second, and get an empty recorder for it.
///
/// Recording takes no lock; this hand-over takes one, for a moment.
final class ActorTimings: Sendable {
  static let intervalNanoseconds: UInt64 = 1_000_000_000

  struct HandedOver {
    let thread: Int
    /// The second of the phase that it covers.
    let interval: Int
    let recorder: LatencyRecorder
  }

  private struct State {
    var handedOver: [HandedOver] = []
    var spare: [LatencyRecorder] = []
  }

  let actor: String
  let slots: TimingSlots
  private let digits: Int
  private let state = Guarded(State())

  init(actor: String, slots: TimingSlots, digits: Int) {
    self.actor = actor
    self.slots = slots
    self.digits = digits
  }

  /// Makes the recorders that will be exchanged for full ones, so that no worker has to make one while it works.
  func prepare(spares count: Int) {
    let spares = (0..<count).map { _ in newRecorder() }
    state.withLock { $0.spare += spares }
  }

  func newRecorder() -> LatencyRecorder { LatencyRecorder(slotCount: slots.count, digits: digits) }

  /// Takes a recorder and gives an empty one.
  func handOver(_ recorder: LatencyRecorder, thread: Int, interval: Int) -> LatencyRecorder {
    let spare = state.withLock { state in
      state.handedOver.append(HandedOver(thread: thread, interval: interval, recorder: recorder))
      return state.spare.popLast()
    }
    return spare ?? newRecorder()
  }

  /// Takes what was handed over since the last call.
  func take() -> [HandedOver] {
    state.withLock { state in
      defer { state.handedOver = [] }
      return state.handedOver
    }
  }

  /// Gives back what was taken, emptied.
  func giveBack(_ recorder: LatencyRecorder) {
    recorder.reset()
    state.withLock { $0.spare.append(recorder) }
  }
}
