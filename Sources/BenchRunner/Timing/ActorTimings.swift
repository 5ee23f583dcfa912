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

/// Adds up what one actor's workers hand over in one phase: everything, and each second by itself.
struct TimingCollection {
  let timings: ActorTimings
  let digits: Int
  /// One for each slot, over the whole phase.
  private(set) var totals: [LatencyHistogram]
  private(set) var intervals: [IntervalResult] = []
  /// Seconds that some worker may still add to: a histogram for each kind of time of whole transactions.
  private var open: [Int: [LatencyHistogram]] = [:]
  /// The second up to which each worker has handed over everything.
  private var through: [Int]

  init(_ timings: ActorTimings, threads: Int, digits: Int) {
    self.timings = timings
    self.digits = digits
    totals = (0..<timings.slots.count).map { _ in LatencyHistogram(digits: digits) }
    through = Array(repeating: -1, count: threads)
  }

  /// Adds what was handed over, and closes the seconds that every worker has left behind.
  /// - Parameters:
  ///   - start: when the phase began, in nanoseconds since the run began.
  ///   - end: the phase's end, if it is over: then every second is closed.
  mutating func collect(phase: String, start: UInt64, end: UInt64?) {
    for handedOver in timings.take() {
      add(handedOver)
      timings.giveBack(handedOver.recorder)
    }
    let closed = end == nil ? through.min() ?? 0 : Int.max
    for interval in open.keys.sorted() where interval <= closed {
      close(interval, phase: phase, start: start, end: end)
    }
  }

  /// Adds an arrival that was due and did not begin before the phase was over.
  mutating func addUnbegun(waited nanoseconds: UInt64) {
    totals[timings.slots.unbegun].record(nanoseconds)
  }

  private mutating func add(_ handedOver: ActorTimings.HandedOver) {
    let slots = timings.slots
    let histograms = (0..<slots.count).map(handedOver.recorder.histogram(in:))
    for slot in totals.indices { totals[slot].add(histograms[slot]) }
    through[handedOver.thread] = max(through[handedOver.thread], handedOver.interval)
    var kinds = open[handedOver.interval] ?? slots.kinds.map { _ in LatencyHistogram(digits: digits) }
    for (index, kind) in slots.kinds.enumerated() {
      kinds[index].add(slots.transactions(kind, in: histograms, digits: digits))
    }
    open[handedOver.interval] = kinds
  }

  private mutating func close(_ interval: Int, phase: String, start: UInt64, end: UInt64?) {
    guard let kinds = open.removeValue(forKey: interval) else { return }
    let from = start + UInt64(interval) * ActorTimings.intervalNanoseconds
    // Workers leave a little after the end, and that is no second of the phase.
    if let end, from >= end, kinds.allSatisfy(\.isEmpty) { return }
    let whole = from + ActorTimings.intervalNanoseconds
    // What began before the end and took long is booked in the second in which it came to its own end.
    let to = if let end, from < end { min(whole, end) } else { whole }
    for (kind, histogram) in zip(timings.slots.kinds, kinds) {
      intervals.append(
        IntervalResult(
          phase: phase,
          actor: timings.actor,
          kind: kind,
          startNanoseconds: from,
          endNanoseconds: to,
          count: histogram.count,
          p50Nanoseconds: histogram.value(atPercentile: 50),
          p99Nanoseconds: histogram.value(atPercentile: 99),
          maximumNanoseconds: histogram.maximum
        )
      )
    }
  }
}
