internal import BenchModel
internal import LatencyMetrics

/// Values that several reports derive from a result.
extension RunResult {
  /// A frame's header in the WAL.
  static let frameHeaderBytes = 24

  var frameBytes: Int { pageSizeBytes + Self.frameHeaderBytes }

  /// The end of the last phase, or of the last sample if that is later.
  var endNanoseconds: UInt64 {
    max(phases.map(\.endNanoseconds).max() ?? 0, samples.last?.elapsedNanoseconds ?? 0)
  }

  /// Whether the actor's load is closed in all its phases.
  func isClosedLoad(actor: String) -> Bool {
    let loads = phases.compactMap { $0.actor(actor)?.load }
    return !loads.isEmpty && loads.allSatisfy { $0 == .closed }
  }

  func state(of expectation: ExpectationResult) -> ExpectationState {
    if expectation.holds { return .passed }
    return isPartial && expectation.measuredValue == nil ? .open : .failed
  }

  var sampledWALMaximumBytes: Int? { samples.compactMap { $0.wal?.bytes }.max() }
}

/// The state of an expectation, as reports write it.
enum ExpectationState: String {
  case passed = "ok"
  case failed = "FAILED"
  /// The run was interrupted before the expectation's phase.
  case open

  /// Of several runs, the first that applies.
  static let mostSevereFirst: [Self] = [.failed, .open, .passed]

  var text: ReportText { self == .failed ? "\(strong: .text(rawValue))" : .text(rawValue) }
}

extension WALExcessResult {
  /// One line, which the run's notes explain.
  var headline: String {
    let time = Quantity.duration(nanoseconds: totalNanoseconds)
    return "WAL above \(Self.limitFactor) x its limit of \(Quantity.bytes(limitBytes)) for \(time), peak "
      + "\(Quantity.bytes(peakBytes)): \(cause)"
  }

  private var cause: String {
    let name = connection.map { "\"\($0)\"" }
    return switch reason {
    case .pinned: "pinned by \(name ?? "a connection")"
    case .neverUnread: "checkpointed, but never without a reader" + (name.map { ", mostly \($0)" } ?? "")
    case .writersAhead: "commits outran the checkpoints"
    }
  }
}
