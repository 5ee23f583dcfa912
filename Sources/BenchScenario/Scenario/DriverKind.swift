public import BenchResults

/// The engine that a scenario drives. Each driver has a row in `DriverAbilities`.
public enum DriverKind: String, CaseIterable, Sendable, ScenarioWord, Codable {
  case yap, sqlite, grdb, lmdb, rocksdb
  /// Does nothing, so that a run measures only the harness.
  case null

  static let noun = "a driver"

  public var abilities: DriverAbilities {
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

  /// Whether the driver has an option of `engine` or of a connection. Every driver has the keys of other mappings.
  func knows(_ option: String, in grammar: MappingGrammar) -> Bool {
    switch grammar.noun {
    case ScenarioGrammar.engine.grammar.noun: abilities.engineOptions.contains(option)
    case ScenarioGrammar.connection.grammar.noun: abilities.connectionOptions.contains(option)
    default: true
    }
  }
}

/// An ability that a driver lacks.
struct Lack: CustomStringConvertible {
  /// A clause whose subject is the driver.
  var reason: String
  var remedy: String

  var description: String { "\(reason); \(remedy)" }
}

/// A function `lacking` returns nil if the driver has the ability.
extension DriverKind {
  /// Returns the reason why the driver lacks a feature, as a clause whose subject is the driver.
  func lacking(_ feature: DriverFeature) -> String? {
    if has(feature) { return nil }
    return keepsData ? feature.absence : DriverFeature.rows.absence
  }

  private func lacking(_ feature: DriverFeature?, remedy: String) -> Lack? {
    feature.flatMap(lacking).map { Lack(reason: $0, remedy: remedy) }
  }

  /// - Parameter mode: The mode of checkpoints at a fixed interval.
  func lacking(_ mode: CheckpointModeSetting) -> Lack? {
    guard has(.checkpoints), !abilities.intervalModes.contains(mode) else { return nil }
    return Lack(
      reason: "its checkpointer decides when to wait for readers",
      remedy: "write \"passive\", or choose the driver \"sqlite\""
    )
  }

  func lacking(_ level: SynchronousLevel) -> Lack? {
    guard keepsData, !abilities.synchronous.contains(level) else { return nil }
    let levels = SynchronousLevel.allCases.filter(abilities.synchronous.contains).map { "\"\($0.rawValue)\"" }
    return Lack(
      reason: "it has no level with the same durability",
      remedy: "write " + levels.joined(separator: " or ")
    )
  }

  func lacking(_ action: PhaseEvent.Action) -> Lack? {
    let feature: DriverFeature? =
      switch action {
      case .checkpoint: .checkpoints
      case .flushMemory: .memoryRelease
      case .vacuum: .vacuum
      case .reopen, .kill: .rows
      // A driver without views is reported at the key "views", so `register` needs no report.
      case .advance, .stall, .register: nil
      }
    return lacking(feature, remedy: "leave the event out, or choose another driver")
  }

  func lacking(_ operation: OperationKind) -> Lack? {
    if operation.verb == .touch, keepsData {
      return lacking(.changes).map { Lack(reason: $0 + ", so a touch has no effect", remedy: "leave it out") }
    }
    guard operation.nestedConnection != nil else { return nil }
    return lacking(.deadlockDetection, remedy: "leave it out, or choose the driver \"yap\"")
  }

  func lacking(_ call: TransactionCall) -> Lack? {
    call == .async ? lacking(.asynchronousCalls, remedy: "write \"sync\"") : nil
  }

  /// Also returns nil for a driver that keeps no data, because the loader refuses all of its invariants together.
  func lacking(_ invariant: Invariant) -> Lack? {
    let feature: DriverFeature? =
      switch invariant {
      case .exactlyOnceNotifications: .changes
      case .cacheCoherence, .noAliasing: .caches
      default: nil
      }
    return keepsData ? lacking(feature, remedy: "leave it out") : nil
  }

  func lacking(_ metric: Metric) -> Lack? {
    if let owner = metric.driver, owner != rawValue {
      return Lack(reason: "only the driver \"\(owner)\" has it", remedy: "choose that driver")
    }
    return lacking(metric.feature, remedy: "choose another driver")
  }
}
