internal import BenchScenario

/// An invariant with its number in the list of properties that a stress run checks.
struct CheckedProperty: Sendable {
  /// From 1. Two invariants may be parts of one property.
  let number: Int
  let invariant: Invariant

  var countName: String { "I\(number) \(invariant.rawValue)" }

  /// All invariants, in the order of their numbers.
  static let all: [CheckedProperty] = Invariant.allCases.map {
    CheckedProperty(number: propertyNumber(of: $0), invariant: $0)
  }
  .sorted { ($0.number, $0.invariant.rawValue) < ($1.number, $1.invariant.rawValue) }

  private static func propertyNumber(of invariant: Invariant) -> Int {
    switch invariant {
    case .ledger: 1
    case .serializedWriters: 2
    case .exactVersions: 3
    case .freshReads: 4
    case .monotonicSnapshots, .snapshotStability: 5
    case .knownAnswers, .atomicCommits: 6
    case .conservation: 7
    case .enumerations: 8
    case .exactlyOnceNotifications, .changedKeys: 9
    case .cacheCoherence: 10
    case .noAliasing: 11
    case .boundedWAL: 12
    case .liveness: 13
    }
  }

  /// Whether each complete run of a scenario checks the invariant, whatever its threads do.
  func isCertain(in scenario: Scenario) -> Bool {
    let acting = scenario.phases.flatMap(\.actors).map(\.settings)
    switch invariant {
    case .ledger, .serializedWriters, .knownAnswers: return !scenario.dataset.isEmpty
    case .monotonicSnapshots, .boundedWAL, .liveness: return true
    case .freshReads: return acting.contains { $0.snapshot == .latest }
    case .exactlyOnceNotifications: return acting.contains(where: \.writes)
    case .changedKeys: return acting.contains(where: \.writes) && !scenario.hasEngineProcess
    case .exactVersions: return acting.contains(where: \.readsRows)
    case .conservation: return acting.contains(where: \.transfers)
    // These depend on the time that a thread gets, and on the rows that are drawn again.
    case .snapshotStability, .atomicCommits, .enumerations, .cacheCoherence, .noAliasing: return false
    }
  }
}

extension ActorSettings {
  /// Whether some of its operations read drawn rows.
  fileprivate var readsRows: Bool {
    operations.contains { [.get, .getMetadata, .getRow, .exists, .multiGet].contains($0.kind.verb) }
  }
}
