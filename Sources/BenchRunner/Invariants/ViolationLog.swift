internal import BenchScenario
internal import ThreadingPrimitives

/// The violations that were found. The first one stops the run.
final class ViolationLog: Sendable {
  /// The most violations that are kept for each invariant.
  private static let kept = 5

  private let checked: Set<Invariant>
  private let violations = Guarded<[Invariant: [String]]>([:])
  /// Raised by the first violation.
  let isViolated = StopFlag()

  /// - Parameter checked: the invariants that the scenario asks for; no other is reported.
  init(checked: Set<Invariant>) {
    self.checked = checked
  }

  func report(_ invariant: Invariant, _ what: @autoclosure () -> String) {
    guard checked.contains(invariant) else { return }
    let text = what()
    violations.withLock { violations in
      if violations[invariant, default: []].count < Self.kept { violations[invariant, default: []].append(text) }
    }
    isViolated.raise()
  }

  func violations(of invariant: Invariant) -> [String] {
    violations.withLock { $0[invariant] ?? [] }
  }
}

/// The number of checks of each invariant. Each worker has its own counts, which are added when it ends.
struct CheckCounts: Sendable {
  var knownAnswers = 0
  var snapshotStability = 0
  var monotonicSnapshots = 0
  var exactlyOnceNotifications = 0
  var cacheCoherence = 0
  var noAliasing = 0
  var atomicCommits = 0
  var conservation = 0
  var ledger = 0
  var serializedWriters = 0
  var exactVersions = 0
  var freshReads = 0
  var enumerations = 0
  var changedKeys = 0
  var boundedWAL = 0
  var liveness = 0

  subscript(invariant: Invariant) -> Int { self[keyPath: Self.property(of: invariant)] }

  private static func property(of invariant: Invariant) -> WritableKeyPath<Self, Int> {
    switch invariant {
    case .knownAnswers: \.knownAnswers
    case .snapshotStability: \.snapshotStability
    case .monotonicSnapshots: \.monotonicSnapshots
    case .exactlyOnceNotifications: \.exactlyOnceNotifications
    case .cacheCoherence: \.cacheCoherence
    case .noAliasing: \.noAliasing
    case .atomicCommits: \.atomicCommits
    case .conservation: \.conservation
    case .ledger: \.ledger
    case .serializedWriters: \.serializedWriters
    case .exactVersions: \.exactVersions
    case .freshReads: \.freshReads
    case .enumerations: \.enumerations
    case .changedKeys: \.changedKeys
    case .boundedWAL: \.boundedWAL
    case .liveness: \.liveness
    }
  }

  static func += (left: inout Self, right: Self) {
    for invariant in Invariant.allCases { left[keyPath: property(of: invariant)] += right[invariant] }
  }
}
