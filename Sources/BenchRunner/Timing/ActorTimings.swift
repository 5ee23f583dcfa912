internal import BenchModel
internal import LatencyMetrics
internal import ThreadingPrimitives

/// The hand-over of times from an actor's workers: once a second each worker exchanges its recorder for an empty one.
///
/// Recording takes no lock; the hand-over takes one for a moment.
final class ActorTimings: Sendable {
  static let intervalNanoseconds: UInt64 = 1_000_000_000

  struct HandedOver {
    let thread: Int
    /// The second of the phase that the recorder covers.
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

  /// Allocates the recorders that will be exchanged for full ones, so that no worker allocates one while it works.
  func prepare(spares count: Int) {
    let spares = (0..<count).map { _ in newRecorder() }
    state.withLock { $0.spare += spares }
  }

  func newRecorder() -> LatencyRecorder { LatencyRecorder(slotCount: slots.count, digits: digits) }

  /// Takes a recorder and returns an empty one.
  func handOver(_ recorder: LatencyRecorder, thread: Int, interval: Int) -> LatencyRecorder {
    let spare = state.withLock { state in
      state.handedOver.append(HandedOver(thread: thread, interval: interval, recorder: recorder))
      return state.spare.popLast()
    }
    return spare ?? newRecorder()
  }

  /// Takes the recorders that were handed over since the last call.
  func take() -> [HandedOver] {
    state.withLock { state in
      defer { state.handedOver = [] }
      return state.handedOver
    }
  }

  /// Resets a recorder that was taken, and keeps it for reuse.
  func giveBack(_ recorder: LatencyRecorder) {
    recorder.reset()
    state.withLock { $0.spare.append(recorder) }
  }
}

/// The engine's reported times of the current transaction, until its worker records them.
struct ReportedTimes {
  /// nil if the engine does not report it; so is the next one.
  var laneWait: UInt64?
  var writeLaneWait: UInt64?
  /// nil also for a transaction that has not committed anything.
  var commit: CommitTimes?
}
