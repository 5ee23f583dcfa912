internal import BenchResults
internal import LatencyMetrics

/// Values that reports and exports derive from a run.
extension RunResult {
  /// The end of the last phase, or the time of the last sample if that is later.
  var endNanoseconds: UInt64 {
    max(phases.map(\.endNanoseconds).max() ?? 0, samples.last?.elapsedNanoseconds ?? 0)
  }

  /// The duration of all phases.
  var phaseSeconds: Double { phases.reduce(0) { $0 + Double($1.durationNanoseconds) / 1e9 } }

  /// Whether the actor's load is closed in all its phases.
  func isClosedLoad(actor: String) -> Bool {
    let loads = phases.compactMap { $0.actor(actor)?.load }
    return !loads.isEmpty && loads.allSatisfy { $0 == .closed }
  }

  /// Such as ` Built from commit 0123abc.`; empty if the commit is not known.
  var buildText: ReportText {
    guard let commit = environment.commit else { return "" }
    let changes = environment.hasUncommittedChanges ? " with uncommitted changes" : ""
    return " Built from commit \(code: String(commit.prefix(7)))\(changes)."
  }

  var sampledWALMaximumBytes: Int? { samples.compactMap { $0.wal?.bytes }.max() }

  func actor(_ name: String, in phase: String) -> ActorResult? { self.phase(named: phase)?.actor(name) }

  /// The actors with timed transactions.
  func actors(in phase: String) -> [String] {
    (self.phase(named: phase)?.actors ?? []).filter { $0.transactions?.times.isEmpty == false }.map(\.name)
  }

  func transactions(_ actor: String, _ kind: TimeKind, in phase: String) -> LatencyHistogram? {
    self.actor(actor, in: phase)?.transactions?.times[kind]
  }
}
