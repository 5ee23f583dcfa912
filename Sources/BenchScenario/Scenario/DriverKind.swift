public import BenchResults

/// The engine that a scenario drives. Each driver has a row in `DriverAbilities`.
public enum DriverKind: String, CaseIterable, Sendable, ScenarioWord, Codable {
  case yap, sqlite, grdb, lmdb, rocksdb
  /// Does nothing, so that a run measures only the harness.
  case null

  static let noun = "a driver"

  var abilities: DriverAbilities {
    switch self {
    case .yap: .yap
    case .sqlite: .sqlite
    case .grdb: .grdb
    case .lmdb: .lmdb
    case .rocksdb: .rocksdb
    case .null: .null
    }
  }

  public func has(_ feature: DriverFeature) -> Bool { abilities.features.contains(feature) }

  /// Whether written values can be read again.
  public var keepsData: Bool { has(.rows) }

  /// The package trait with which the driver is built; nil for one that is in every build.
  public var trait: String? { abilities.trait }

  /// Whether the driver has an option of `engine` or of a connection. Every driver has the keys of other mappings.
  func knows(_ option: String, in grammar: MappingGrammar) -> Bool {
    switch grammar.noun {
    case ScenarioGrammar.engine.noun: option == "driver" || abilities.engineOptions.contains(option)
    case ScenarioGrammar.connection.noun: abilities.connectionOptions.contains(option)
    default: true
    }
  }
}

/// A function `lacking` returns the reason why the driver lacks an ability and the remedy, which the loader reports;
/// nil if the driver has the ability.
extension DriverKind {
  func lacking(_ feature: DriverFeature) -> String? {
    if has(feature) { return nil }
    return keepsData ? feature.absence : DriverFeature.rows.absence
  }

  /// - Parameter mode: The mode of checkpoints at a fixed interval.
  func lacking(_ mode: CheckpointModeSetting) -> String? {
    guard has(.checkpoints), !abilities.intervalModes.contains(mode) else { return nil }
    return "its checkpointer decides when to wait for readers; write \"passive\", or choose the driver \"sqlite\""
  }

  func lacking(_ level: SynchronousLevel) -> String? {
    guard keepsData, !abilities.synchronous.contains(level) else { return nil }
    let levels = SynchronousLevel.allCases.filter(abilities.synchronous.contains).map { "\"\($0.rawValue)\"" }
    return "it has no level with the same durability; write " + levels.joined(separator: " or ")
  }

  func lacking(_ action: PhaseEvent.Action) -> String? {
    let feature: DriverFeature? =
      switch action {
      case .checkpoint: .checkpoints
      case .flushMemory: .memoryRelease
      case .vacuum: .vacuum
      case .reopen, .kill: .rows
      // A driver without views is reported at the key "views", so `register` needs no report.
      case .advance, .stall, .register: nil
      }
    return feature.flatMap(lacking).map { $0 + "; leave the event out, or choose another driver" }
  }

  func lacking(_ operation: OperationKind) -> String? {
    if operation == .touch, keepsData {
      return lacking(.changes).map { $0 + ", so a touch has no effect; leave it out" }
    }
    guard operation.nestedConnection != nil else { return nil }
    return lacking(.deadlockDetection).map { $0 + "; leave it out, or choose the driver \"yap\"" }
  }

  func lacking(_ call: TransactionCall) -> String? {
    call == .async ? lacking(.asynchronousCalls).map { $0 + "; write \"sync\"" } : nil
  }

  /// Also returns nil for a driver that keeps no data, because the loader refuses all of its invariants together.
  func lacking(_ invariant: Invariant) -> String? {
    let feature: DriverFeature? =
      switch invariant {
      case .exactlyOnceNotifications: .changes
      case .cacheCoherence, .noAliasing: .caches
      default: nil
      }
    return keepsData ? feature.flatMap(lacking).map { $0 + "; leave it out" } : nil
  }

  func lacking(_ metric: Metric) -> String? {
    if let owner = metric.driver, owner != rawValue {
      return "only the driver \"\(owner)\" has it; choose that driver"
    }
    return metric.feature.flatMap(lacking).map { $0 + "; choose another driver" }
  }
}
