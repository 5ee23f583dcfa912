import BenchResults
import LatencyMetrics

/// Checks the waits, services and responses of actors with one thread each for consistency with each other and with the
/// phases.
enum TimeParts {
  static func faults(_ latencies: [Latency], _ phases: [PhaseResult]) -> [String] {
    func find(_ latency: Latency, _ kind: TimeKind) -> (count: Int, nanoseconds: Double)? {
      latencies.first {
        $0.phase.name == latency.phase.name && $0.actor == latency.actor && $0.operation == latency.operation
          && $0.kind == kind
      }.map { ($0.histogram.count, sum($0)) }
    }
    var faults: [String] = []
    let responses = latencies.filter { $0.kind == .response && !$0.histogram.isEmpty }
    if responses.isEmpty { faults.append("nothing has a response") }
    for latency in responses {
      let name = "\(latency.phase.name)/\(latency.actor) \(latency.operation)"
      guard let wait = find(latency, .wait), let service = find(latency, .service) else {
        faults.append("\(name) has a response and not its parts")
        continue
      }
      let response = (count: latency.histogram.count, nanoseconds: sum(latency))
      if wait.count != response.count || service.count > response.count {
        faults.append("\(name) was counted \(wait.count), \(service.count) and \(response.count) times")
      }
      // Histograms have three digits, and no duration is shorter than 1 ns.
      let error = abs(wait.nanoseconds + service.nanoseconds - response.nanoseconds)
      if error > 0.002 * response.nanoseconds + Double(2 * response.count) {
        faults.append("\(name): wait and service miss the response by \(error) ns")
      }
    }
    return faults + phases.flatMap { misfits(latencies, $0) }
  }

  /// The sequential operations of a thread take at most the duration of the phase, except for the last one.
  private static func misfits(_ latencies: [Latency], _ phase: PhaseResult) -> [String] {
    latencies.filter {
      $0.phase.name == phase.name && $0.operation == OperationResult.transaction && $0.kind == .service
    }.compactMap { latency in
      let longest = phase.endNanoseconds - phase.startNanoseconds + latency.histogram.maximum
      guard sum(latency) > 1.002 * Double(longest) + Double(latency.histogram.count) else { return nil }
      return "\(phase.name)/\(latency.actor) has worked for \(sum(latency)) ns of \(longest) ns"
    }
  }

  private static func sum(_ latency: Latency) -> Double {
    latency.histogram.mean * Double(latency.histogram.count)
  }
}
