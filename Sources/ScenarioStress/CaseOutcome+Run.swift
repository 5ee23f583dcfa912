public import BenchResults
internal import BenchScenario
public import EngineStress

extension CaseOutcome {
  /// Adds the transactions, checks and violations of a run with every invariant. Figures and expectations do not count.
  public mutating func addLoad(_ result: RunResult) {
    count("runs")
    let transactions = result.phases.flatMap(\.actors).compactMap(\.transactions)
    count("transactions", transactions.reduce(0) { $0 + $1.endedCount })
    let names = Dictionary(uniqueKeysWithValues: CheckedProperty.all.map { ($0.invariant.rawValue, $0.countName) })
    for invariant in result.invariants {
      count(names[invariant.name] ?? invariant.name, invariant.checks)
      failures += invariant.violations.map { "\(invariant.name): \($0)" }
    }
    if failures.isEmpty, result.verdict.exitCode == .internalError {
      failures.append(([result.verdict.headline] + result.verdict.reasons).joined(separator: "; "))
    }
  }
}
