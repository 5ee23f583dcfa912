public import BenchResults
public import EngineStress

extension CaseOutcome {
  /// Adds the checks and violations of a run.
  public mutating func add(_ result: RunResult) {
    for invariant in result.invariants {
      count("checks of \(invariant.name)", invariant.checks)
      failures += invariant.violations.map { "\(invariant.name): \($0)" }
    }
  }
}
