internal import BenchModel
internal import LatencyMetrics

/// What the caches of a connection did in a phase, and what for.
struct CacheUse {
  var object: EngineSample.CacheCounts
  var metadata: EngineSample.CacheCounts
  /// Of all actors on the connection, transactions of several operations taken apart.
  var operations: Int
  /// Of all connections.
  var commits: Int
}

/// Figures of one run that comparisons are made of.
extension RunResult {
  func actor(_ name: String, in phase: String) -> ActorResult? { self.phase(named: phase)?.actor(name) }

  /// The actors that have timed transactions.
  func actors(in phase: String) -> [String] {
    (self.phase(named: phase)?.actors ?? []).filter { $0.transactions?.times.isEmpty == false }.map(\.name)
  }

  func transactions(_ actor: String, _ kind: TimeKind, in phase: String) -> LatencyHistogram? {
    self.actor(actor, in: phase)?.transactions?.times[kind]
  }

  /// Transactions per second.
  func throughput(of actor: String, in phase: String) -> Double? {
    guard let phase = self.phase(named: phase), phase.workSeconds > 0 else { return nil }
    return phase.actor(actor)?.transactions?.times[.service].map { Double($0.count) / phase.workSeconds }
  }

  /// Connections that an actor uses, and whose caches are counted.
  func cachingConnections(in phase: String) -> [String] {
    let used = (self.phase(named: phase)?.actors ?? []).compactMap(\.connection)
    let counted = Set(samples.first { $0.phase == phase }?.connections.filter { $0.caches != nil }.map(\.name) ?? [])
    return used.filter { counted.contains($0) }
  }

  func cacheUse(of connection: String, in phase: String) -> CacheUse? {
    let own = samples.filter { $0.phase == phase }
    func caches(_ sample: EngineSample?) -> EngineSample.Caches? {
      sample?.connections.first { $0.name == connection }?.caches
    }
    guard let first = caches(own.first), let last = caches(own.last) else { return nil }
    let actors = (self.phase(named: phase)?.actors ?? []).filter { $0.connection == connection }
    return CacheUse(
      object: last.object - first.object,
      metadata: last.metadata - first.metadata,
      operations: actors.reduce(0) { $0 + $1.operationCount },
      commits: (own.last?.commit ?? 0) - (own.first?.commit ?? 0)
    )
  }

  func walBytes(in phase: String) -> [Int] {
    samples.filter { $0.phase == phase }.compactMap { $0.wal?.bytes }
  }

  /// The area under the size of the WAL; between two samples it is taken to change in a straight line.
  func walByteSeconds(in phase: String) -> Double? {
    let own = samples.filter { $0.phase == phase && $0.wal != nil }
    guard own.count > 1 else { return nil }
    return zip(own, own.dropFirst()).reduce(0) { sum, pair in
      let seconds = Double(pair.1.elapsedNanoseconds - pair.0.elapsedNanoseconds) / 1e9
      return sum + Double((pair.0.wal?.bytes ?? 0) + (pair.1.wal?.bytes ?? 0)) / 2 * seconds
    }
  }
}
