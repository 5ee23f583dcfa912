internal import BenchModel
internal import LatencyMetrics

/// What several reports ask of a result.
extension RunResult {
  /// A frame's header in the WAL.
  static let frameHeaderBytes = 24

  var frameBytes: Int { pageSizeBytes + Self.frameHeaderBytes }

  func phase(named name: String) -> PhaseResult? { phases.first { $0.name == name } }

  /// The end of the last phase, or of the last sample if that is later.
  var endNanoseconds: UInt64 {
    max(phases.map(\.endNanoseconds).max() ?? 0, samples.last?.elapsedNanoseconds ?? 0)
  }

  func ratePerSecond(of latency: LatencyResult) -> Double? {
    guard let phase = phase(named: latency.phase), phase.workSeconds > 0 else { return nil }
    return Double(latency.histogram.count) / phase.workSeconds
  }

  /// A closed load begins an operation when the one before has ended, so it has no schedule to be late for.
  func isClosedLoad(phase: String, actor: String) -> Bool {
    harness.generators.contains { $0.phase == phase && $0.actor == actor && $0.isClosed }
  }

  func isClosedLoad(actor: String) -> Bool {
    let generators = harness.generators.filter { $0.actor == actor }
    return !generators.isEmpty && generators.allSatisfy(\.isClosed)
  }

  /// What became of an expectation, in a word. One whose phase a broken off run did not come to is open.
  func state(of expectation: ExpectationResult) -> String {
    if expectation.holds { return "ok" }
    return isPartial && expectation.measuredValue == nil ? "open" : "FAILED"
  }

  var sampledWALMaximumBytes: Int? { samples.compactMap { $0.wal?.bytes }.max() }
}

extension WALExcessResult {
  /// One line for people, which the run's notes explain.
  var headline: String {
    let time = Quantity.duration(nanoseconds: totalNanoseconds)
    return "WAL above \(Self.limitFactor) x its limit of \(Quantity.bytes(limitBytes)) for \(time), peak "
      + "\(Quantity.bytes(peakBytes)): \(cause)"
  }

  private var cause: String {
    let name = connection.map { "\"\($0)\"" }
    return switch reason {
    case .pinned: "pinned by \(name ?? "a connection")"
    case .neverUnread: "copied, but never without a reader" + (name.map { ", mostly \($0)" } ?? "")
    case .writersAhead: "commits outran the checkpoints"
    }
  }
}
