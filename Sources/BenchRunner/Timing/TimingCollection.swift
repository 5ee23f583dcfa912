internal import BenchModel
internal import LatencyMetrics

/// Adds up what one actor's workers hand over in one phase: everything, and each second by itself.
struct TimingCollection {
  /// How many seconds wait for a worker that has not left them. It may be held up for as long as the phase lasts; what
  /// it brings for an older second is then told by itself.
  static let longestOpen = 16

  /// What ended in one second; its ends are nanoseconds since the run began.
  struct ClosedSecond {
    var start: UInt64
    var end: UInt64
    var latencies: [LatencyResult]
  }

  let timings: ActorTimings
  let digits: Int
  /// One for each slot, over the whole phase.
  private(set) var totals: [LatencyHistogram]
  private(set) var intervals: [IntervalResult] = []
  private(set) var waitIntervals: [WaitIntervalResult] = []
  /// Seconds that some worker may still add to: a histogram for each slot. Empty ones share their memory.
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

  /// Adds what was handed over, and closes the seconds that every worker has left behind.
  /// - Parameters:
  ///   - phase: its name.
  ///   - start: when the phase began, in nanoseconds since the run began.
  ///   - end: the phase's end, if it is over: then every second is closed.
  ///   - onClosed: is told of each second that is closed, and at the end of what `addUnbegun` was told.
  mutating func collect(
    phase: String,
    start: UInt64,
    end: UInt64?,
    onClosed: (ClosedSecond) -> Void = { _ in }
  ) {
    for handedOver in timings.take() {
      add(handedOver)
      timings.giveBack(handedOver.recorder)
    }
    let left = max(through.min() ?? 0, (open.keys.max() ?? 0) - Self.longestOpen)
    let closed = end == nil ? left : Int.max
    for interval in open.keys.sorted() where interval <= closed {
      close(interval, phase: phase, start: start, end: end, onClosed)
    }
    if let end { tellOfUnbegun(phase: phase, start: start, end: end, onClosed) }
  }

  /// Adds how long the arrivals that were due and did not begin before the phase was over had waited by then.
  mutating func addUnbegun(_ waits: LatencyHistogram) {
    totals[timings.slots.unbegun].add(waits)
  }

  private mutating func add(_ handedOver: ActorTimings.HandedOver) {
    through[handedOver.thread] = max(through[handedOver.thread], handedOver.interval)
    for slot in totals.indices {
      let histogram = handedOver.recorder.histogram(in: slot)
      totals[slot].add(histogram)
      open[handedOver.interval, default: empty][slot].add(histogram)
    }
  }

  private mutating func close(
    _ interval: Int,
    phase: String,
    start: UInt64,
    end: UInt64?,
    _ onClosed: (ClosedSecond) -> Void
  ) {
    guard let histograms = open.removeValue(forKey: interval) else { return }
    let from = start + UInt64(interval) * ActorTimings.intervalNanoseconds
    let whole = from + ActorTimings.intervalNanoseconds
    // What began before the end and took long is booked in the second in which it came to its own end.
    let to = if let end, from < end { min(whole, end) } else { whole }
    onClosed(ClosedSecond(start: from, end: to, latencies: latencies(histograms, phase)))
    let kinds = timings.slots.kinds.map { timings.slots.transactions($0, in: histograms, digits: digits) }
    // Workers leave a little after the end, and that is no second of the phase.
    if let end, from >= end, kinds.allSatisfy(\.isEmpty) { return }
    waitIntervals += waits(histograms, phase, endNanoseconds: to)
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

  private func waits(_ histograms: [LatencyHistogram], _ phase: String, endNanoseconds: UInt64) -> [WaitIntervalResult]
  {
    [Metric.laneWait, .writeLaneWait].compactMap { metric in
      guard let histogram = timings.slots.waits(metric, in: histograms), !histogram.isEmpty else { return nil }
      return WaitIntervalResult(
        metric: metric.rawValue,
        phase: phase,
        actor: timings.actor,
        endNanoseconds: endNanoseconds,
        histogram
      )
    }
  }

  /// Arrivals that never began belong to the second in which the phase was over.
  private func tellOfUnbegun(phase: String, start: UInt64, end: UInt64, _ onClosed: (ClosedSecond) -> Void) {
    let slot = timings.slots.unbegun
    guard !totals[slot].isEmpty else { return }
    var histograms = empty
    histograms[slot] = totals[slot]
    let second = ActorTimings.intervalNanoseconds
    let from = start + (end - start - min(1, end - start)) / second * second
    onClosed(ClosedSecond(start: from, end: end, latencies: latencies(histograms, phase)))
  }

  private func latencies(_ histograms: [LatencyHistogram], _ phase: String) -> [LatencyResult] {
    timings.slots.latencies(histograms, phase: phase, actor: timings.actor, digits: digits)
  }
}
