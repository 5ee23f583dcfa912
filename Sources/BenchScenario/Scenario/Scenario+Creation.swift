package import BenchResults

// Initialisers for programs that create scenarios. They take the keys that have no default.

extension Scenario {
  package init(
    name: String,
    summary: String,
    connections: [ConnectionSettings],
    actors: [ActorSettings],
    phases: [PhaseSettings]
  ) {
    self.init(name: name, summary: summary, tags: [], connections: connections, actors: actors, phases: phases)
  }
}

extension EngineSettings {
  package init(of driver: DriverKind) { self.init(driver: driver) }
}

extension CheckpointSettings {
  package init(every nanoseconds: UInt64) { self.init(everyNanoseconds: nanoseconds) }
}

extension DatasetCollection {
  package init(_ name: String, rows: Int, of value: SizeDistribution) {
    self.init(name: name, rows: rows, value: ValueShape(size: value))
  }
}

extension ValueShape {
  package init(_ size: SizeDistribution, compressible: Double = 0) {
    self.init(size: size, compressible: compressible)
  }
}

extension ViewSettings {
  package init(_ name: String, of collection: String) { self.init(name: name, collection: collection) }
}

extension ActorSettings {
  /// Creates an actor whose transactions are read-write transactions if one of its operations writes.
  package init(_ name: String, on connection: String, _ operations: [OperationWeight]) {
    let writes = operations.contains { $0.kind.verb.isWrite }
    self.init(
      name: name,
      connections: [connection],
      operations: operations,
      transactionKind: writes ? .readWrite : .read
    )
  }
}

extension PhaseSettings {
  package init(_ name: String, end: PhaseEnd, _ actors: [PhaseActor]) {
    self.init(name: name, end: end, actors: actors)
  }
}

extension PhaseCondition {
  package init(source: String, _ metric: Metric, _ comparison: Comparison, than value: Double) {
    self.init(source: source, metric: metric, rule: .compares(comparison, value))
  }
}

extension Scenario {
  /// The invariants that the loader accepts for the scenario.
  package var legalInvariants: [Invariant] { Invariant.stated.filter(isLegal) }

  private func isLegal(_ invariant: Invariant) -> Bool {
    guard engine.driver.keepsData, engine.driver.lacking(invariant) == nil else { return false }
    let acting = phases.flatMap(\.actors).map(\.settings)
    return switch invariant {
    case .atomicCommits: acting.contains(where: \.writesSeveralKeys)
    case .conservation: acting.contains(where: \.transfers)
    case .noAliasing: dataset.contains { $0.codec == .json } && !hasEngineProcess
    default: true
    }
  }
}
