internal import BenchResults
internal import LatencyMetrics

/// Receives the times of transactions and operations for each second of a run, and the times of events for each phase,
/// so that they need not be kept in memory.
package struct LatencyLog: Sendable {
  /// The log's time zero, in nanoseconds of the monotonic clock.
  package var base: UInt64
  /// Writes whole lines of the log. It is called in order, one call at a time.
  package var write: @Sendable (String) -> Void

  package init(base: UInt64, write: @escaping @Sendable (String) -> Void) {
    self.base = base
    self.write = write
  }
}

/// Hands a run's lines over to a thread of its own, so that a slow disk delays no sample. Text is queued instead of
/// histograms, because it takes less memory.
struct LatencyLogRelay: Sendable {
  private let log: LatencyLog
  private let tag: LatencyTag
  private let relay: Relay<String>

  init(_ log: LatencyLog, _ tag: LatencyTag) throws {
    (self.log, self.tag) = (log, tag)
    relay = try Relay(name: "latency-log") { log.write($0.joined()) }
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
    if !lines.isEmpty { relay.append(lines) }
  }

  /// Waits until everything was written.
  func finish() { relay.finish() }
}
