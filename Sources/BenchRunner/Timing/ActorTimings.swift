internal import BenchResults
internal import LatencyMetrics
internal import ThreadingPrimitives

/// The hand-over of times from an actor's workers: once a second each worker exchanges its recorder for an empty one.
///
/// Recording takes no lock; the hand-over takes one for a moment.
final class ActorTimings: Sendable {
  static let intervalNanoseconds = IntervalResult.wholeNanoseconds

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

  /// Allocates recorders that will be exchanged for full ones, so that workers rarely allocate one while they work.
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
  func take() -> [HandedOver] { state.withLock { exchange(&$0.handedOver, with: []) } }

  /// Resets a recorder that was taken, and keeps it for reuse.
  func giveBack(_ recorder: LatencyRecorder) {
    recorder.reset()
    state.withLock { $0.spare.append(recorder) }
  }
}

/// Adds up the times that one actor's workers hand over in one phase: in total, and for each second.
struct TimingCollection {
  /// The number of seconds that stay open for a worker that has not passed them. A worker may be blocked for the whole
  /// phase; its times of older seconds then follow as further entries of those seconds.
  static let longestOpen = 16

  /// The latencies that ended in one second; its bounds are nanoseconds since the run began.
  struct ClosedSecond {
    var start: UInt64
    var end: UInt64
    var operations: [OperationResult]
  }

  let timings: ActorTimings
  let digits: Int
  /// One histogram for each slot, over the whole phase.
  private(set) var totals: [LatencyHistogram]
  private(set) var intervals: [TimeKind: IntervalSeries] = [:]
  private(set) var waitIntervals: [Metric: IntervalSeries] = [:]
  /// Seconds that some worker may still add to, with a histogram for each slot. Empty histograms share their memory.
  private var open: [Int: [LatencyHistogram]] = [:]
  /// The second up to which each worker has handed over everything.
  private var through: [Int]
  private let empty: [LatencyHistogram]

  init(_ timings: ActorTimings, threads: Int, digits: Int) {
    self.timings = timings
    self.digits = digits
    empty = Array(repeating: LatencyHistogram(digits: digits), count: timings.slots.count)
    totals = empty
    through = Array(repeating: -1, count: threads)
  }

  /// Adds the recorders that were handed over, and closes the seconds that every worker has passed.
  /// - Parameters:
  ///   - start: the start of the phase, in nanoseconds since the run began.
  ///   - end: the end of the phase, if it is over: then every second is closed.
  ///   - isShared: whether a wait for a processor between two times may have been another process's fault. Such waits
  ///     of other seconds are not collected.
  ///   - onClosed: receives each second that is closed, and at the end the waits of `addUnbegun`.
  mutating func collect(
    start: UInt64,
    end: UInt64?,
    isShared: (_ start: UInt64, _ end: UInt64) -> Bool = { _, _ in true },
    onClosed: (ClosedSecond) -> Void = { _ in }
  ) {
    for handedOver in timings.take() {
      add(handedOver)
      timings.giveBack(handedOver.recorder)
    }
    let left = max(through.min() ?? 0, (open.keys.max() ?? 0) - Self.longestOpen)
    let closed = end == nil ? left : Int.max
    for interval in open.keys.sorted() where interval <= closed {
      close(interval, start: start, end: end, isShared: isShared, onClosed)
    }
    if let end { reportUnbegun(start: start, end: end, onClosed) }
  }

  /// Adds the waits, until the end of the phase, of the arrivals that were due and did not begin.
  mutating func addUnbegun(_ waits: LatencyHistogram) {
    totals[timings.slots.unbegun].add(waits)
  }

  private mutating func add(_ handedOver: ActorTimings.HandedOver) {
    through[handedOver.thread] = max(through[handedOver.thread], handedOver.interval)
    for slot in totals.indices {
      let histogram = handedOver.recorder.histogram(in: slot)
      if !timings.slots.delayedByProcessorWaits.all.contains(slot) { totals[slot].add(histogram) }
      open[handedOver.interval, default: empty][slot].add(histogram)
    }
  }

  private mutating func close(
    _ interval: Int,
    start: UInt64,
    end: UInt64?,
    isShared: (_ start: UInt64, _ end: UInt64) -> Bool,
    _ onClosed: (ClosedSecond) -> Void
  ) {
    guard let histograms = open.removeValue(forKey: interval) else { return }
    let from = start + UInt64(interval) * ActorTimings.intervalNanoseconds
    let whole = from + ActorTimings.intervalNanoseconds
    // A transaction that began before the phase's end and ended after it belongs to the second in which it ended.
    let to = if let end, from < end { min(whole, end) } else { whole }
    if isShared(from, to) {
      for slot in timings.slots.delayedByProcessorWaits.all { totals[slot].add(histograms[slot]) }
    }
    onClosed(ClosedSecond(start: from, end: to, operations: timings.slots.results(histograms, digits: digits)))
    let kinds = timings.slots.kinds.map { timings.slots.transactions($0, in: histograms, digits: digits) }
    // Workers end a little after the phase. A second after its end in which no transaction ended is not kept.
    if let end, from >= end, kinds.allSatisfy(\.isEmpty) { return }
    func result(_ histogram: LatencyHistogram) -> IntervalResult {
      IntervalResult(startNanoseconds: from, endNanoseconds: to, histogram)
    }
    for metric in [Metric.laneWait, .writeLaneWait, .notificationToRead] {
      guard let histogram = timings.slots.waits(metric, in: histograms), !histogram.isEmpty else { continue }
      waitIntervals[metric, default: IntervalSeries()].append(result(histogram))
    }
    for (kind, histogram) in zip(timings.slots.kinds, kinds) {
      intervals[kind, default: IntervalSeries()].append(result(histogram))
    }
  }

  /// The last closed second: its response times, or its service times for a closed load.
  var lastInterval: IntervalResult? { (intervals[.response] ?? intervals[.service])?.last }

  /// Reports the arrivals that never began, in the second in which the phase ended.
  private func reportUnbegun(start: UInt64, end: UInt64, _ onClosed: (ClosedSecond) -> Void) {
    let slot = timings.slots.unbegun
    guard !totals[slot].isEmpty else { return }
    var histograms = empty
    histograms[slot] = totals[slot]
    let second = ActorTimings.intervalNanoseconds
    let from = start + (end - start - min(1, end - start)) / second * second
    onClosed(ClosedSecond(start: from, end: end, operations: timings.slots.results(histograms, digits: digits)))
  }
}
