internal import BenchResults
internal import BenchScenario
internal import EngineStress

extension CaseOutcome {
  /// Adds the transactions, checks and failures of a run with every invariant.
  mutating func addLoad(_ result: RunResult) {
    count("runs")
    count("transactions", result.transactionCount)
    let names = Dictionary(uniqueKeysWithValues: CheckedProperty.all.map { ($0.invariant.rawValue, $0.countName) })
    for invariant in result.invariants { count(names[invariant.name] ?? invariant.name, invariant.checks) }
    failures += result.failures
  }
}

extension RunResult {
  var transactionCount: Int { phases.flatMap(\.actors).reduce(0) { $0 + ($1.transactions?.endedCount ?? 0) } }

  /// The violations of invariants, or without one the failure of the run. Figures and expectations do not count.
  var failures: [String] {
    let violations = invariants.flatMap { invariant in invariant.violations.map { "\(invariant.name): \($0)" } }
    guard violations.isEmpty, verdict.exitCode == .internalError else { return violations }
    return [([verdict.headline] + verdict.reasons).joined(separator: "; ")]
  }
}
