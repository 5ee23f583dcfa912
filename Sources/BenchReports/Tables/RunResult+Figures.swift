internal import BenchResults
internal import LatencyMetrics

/// Values that reports and exports derive from a run.
extension RunResult {
  /// The size of a frame's header in the WAL.
  static let frameHeaderBytes = 24

  var frameBytes: Int { pageSizeBytes + Self.frameHeaderBytes }

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

  var sampledWALMaximumBytes: Int? { samples.compactMap { $0.wal?.bytes }.max() }

  func actor(_ name: String, in phase: String) -> ActorResult? { self.phase(named: phase)?.actor(name) }

  /// The actors with timed transactions.
  func actors(in phase: String) -> [String] {
    (self.phase(named: phase)?.actors ?? []).filter { $0.transactions?.times.isEmpty == false }.map(\.name)
  }

  func transactions(_ actor: String, _ kind: TimeKind, in phase: String) -> LatencyHistogram? {
    self.actor(actor, in: phase)?.transactions?.times[kind]
  }

  /// Transactions per second; nil if none were timed, or if the phase took no time.
  func throughput(of actor: String, in phase: String) -> Double? {
    guard let phase = self.phase(named: phase), let actor = phase.actor(actor) else { return nil }
    return actor.transactions?.times[.service].flatMap { phase.ratePerSecond(of: $0.count, by: actor) }
  }

  func walBytes(in phase: String) -> [Int] {
    samples.filter { $0.phase == phase }.compactMap { $0.wal?.bytes }
  }

  /// The area under the linearly interpolated WAL size, in byte-seconds; nil with fewer than two samples.
  func walByteSeconds(in phase: String) -> Double? {
    let areas = SampledAreas(samples.filter { $0.phase == phase }, frameBytes: frameBytes)
    return areas.hasWAL ? areas.walByteSeconds : nil
  }
}

extension Collection<LatencyHistogram> {
  /// All durations together; nil for an empty collection.
  func sum() -> LatencyHistogram? {
    first.map { first in dropFirst().reduce(into: first) { $0.add($1) } }
  }
}

extension Sequence where Element: Hashable {
  /// The elements in their order, each at its first occurrence.
  var withoutDuplicates: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
