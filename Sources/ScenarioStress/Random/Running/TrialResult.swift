internal import BenchDrivers
internal import BenchResults
internal import BenchScenario

/// The settings of a trial: one run of a scenario in a process of its own.
struct TrialSettings: Codable, Sendable, Equatable {
  /// Changes of the engine.
  var tests = EngineTestSettings()
  /// The time that transactions may take to end after a phase. A run gives them up after it, which is a failure.
  var patienceNanoseconds: UInt64 = 10_000_000_000
}

/// The result of a trial.
struct TrialResult: Codable, Sendable, Equatable {
  /// Violations of invariants, failures of the engine, and the end of the process if it was not the regular one.
  var failures: [String] = []
  /// The invariants that were violated.
  var violated: [String] = []
  /// The number of checks of each invariant.
  var checks: [String: Int] = [:]
  /// The combinations whose operation was performed and whose event was reached.
  var combinations: [String] = []
  var transactions = 0
  /// The number of events that were performed.
  var events = 0
  /// The time from the start of the first phase to the end of the last.
  var seconds = 0.0
}

extension TrialResult {
  /// The result of a run.
  init(_ run: RunResult, of scenario: Scenario) {
    for invariant in run.invariants {
      checks[invariant.name] = invariant.checks
      if !invariant.violations.isEmpty { violated.append(invariant.name) }
    }
    failures = run.failures
    transactions = run.transactionCount
    events = run.phases.flatMap(\.events).count { $0.outcome == .done || $0.outcome == .failed }
    seconds = Double((run.phases.last?.endNanoseconds ?? 0) - (run.phases.first?.startNanoseconds ?? 0)) / 1e9
    combinations = Combination.performed(in: run, of: scenario).map(\.description).sorted()
  }
}

extension Combination {
  /// The combinations whose operation was performed and whose event was reached.
  static func performed(in run: RunResult, of scenario: Scenario) -> Set<Combination> {
    var performed: Set<Combination> = []
    for phase in scenario.phases {
      guard let result = run.phases.first(where: { $0.name == phase.name }) else { continue }
      let reached = zip(phase.events, result.events).filter { $1.outcome == .done || $1.outcome == .failed }
      let events = phase.events.isEmpty ? [.none] : reached.map { EventForm($0.0.action) }
      for actor in phase.actors.map(\.settings) {
        let policies = Set(actor.connections.compactMap { policy(ofConnection: $0, scenario) })
        for operation in actor.operations {
          guard let times = result.actor(actor.name)?.operation(operation.name), times.endedCount > 0 else {
            continue
          }
          for (event, policy) in events.flatMap({ event in policies.map { (event, $0) } }) {
            let snapshot = SnapshotForm(actor)
            performed.insert(
              Combination(operation: operation.kind.verb, snapshot: snapshot, policy: policy, event: event)
            )
          }
        }
      }
    }
    return performed
  }

  private static func policy(ofConnection name: String, _ scenario: Scenario) -> CachePolicySetting? {
    let own = scenario.connections.first { $0.name == name }?.objectPolicy
    return own ?? scenario.engine.defaultObjectPolicy ?? .usualOfObjects
  }
}
