import BenchResults
import BenchScenario
import Testing

/// Runs with a ledger and every invariant.
@Suite("A run with a ledger") struct LedgerRunTests {
  private static func paths() throws -> [String] {
    try RunningScenarios.paths().filter { try ScenarioLoader.load(path: $0).scenario.engine.driver == .yap }
  }

  @Test("of each scenario violates no invariant", arguments: try paths())
  func runs(path: String) throws {
    let result = try RunningScenarios.runWithLedger(try ScenarioLoader.load(path: path))
    #expect(result.verdict.exitCode == .passed, "\(result.verdict)")
    #expect(result.invariants.map(\.name) == Invariant.allCases.map(\.rawValue))
    let checks = Dictionary(uniqueKeysWithValues: result.invariants.map { ($0.name, $0.checks) })
    #expect(checks["ledger"] ?? 0 > 0)
  }
}
