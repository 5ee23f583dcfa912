internal import BenchResults
internal import LatencyMetrics
internal import ThreadingPrimitives

/// Receives the times of transactions and operations for each second of a run, and the times of events for each phase,
/// so that they need not be kept in memory.
public struct LatencyLog: Sendable {
  /// The log's time zero, in nanoseconds of the monotonic clock.
  public var base: UInt64
  /// Writes whole lines of the log. It is called in order, one call at a time.
  public var write: @Sendable (String) -> Void

  public init(base: UInt64, write: @escaping @Sendable (String) -> Void) {
    self.base = base
    self.write = write
  }
}

/// Hands a run's lines over to a thread of its own, so that a slow disk delays no sample. Text is queued instead of
/// histograms, because it takes less memory.
final class LatencyLogRelay: Sendable {
  private struct State {
    var waiting: [String] = []
    var isFinished = false
  }

  private let log: LatencyLog
  private let tag: LatencyTag
  private let state = Guarded(State())
  private let writer = Parker()
  private let thread = Guarded<WorkerThread?>(nil)

  init(_ log: LatencyLog, _ tag: LatencyTag) throws {
    self.log = log
    self.tag = tag
    let thread = try WorkerThread(name: "latency-log") { self.serve() }
    self.thread.withLock { $0 = thread }
  }

  /// Queues the latencies of one span of time.
  /// - Parameters:
  ///   - start: nanoseconds of the monotonic clock, as is `end`.
  ///   - latencies: empty histograms are left out.
  func append(from start: UInt64, to end: UInt64, _ latencies: [Latency]) {
    let from = start - min(start, log.base)
    let to = max(from, end - min(end, log.base))
    let lines = latencies.filter { !$0.histogram.isEmpty }.map {
      HistogramLog.line(tag: tag.text(of: $0), from: from, to: to, $0.histogram)
    }
    guard !lines.isEmpty else { return }
    state.withLock { $0.waiting += lines }
    writer.unpark()
  }

  /// Waits until everything was written. Must be called once.
  func finish() {
    state.withLock { $0.isFinished = true }
    writer.unpark()
    let thread = thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
    thread?.join()
  }

  private func serve() {
    while true {
      let (lines, isLast) = state.withLock { state in
        defer { state.waiting = [] }
        return (state.waiting, state.isFinished)
      }
      if !lines.isEmpty { log.write(lines.joined()) }
      if isLast { return }
      if lines.isEmpty { writer.park() }
    }
  }
}
