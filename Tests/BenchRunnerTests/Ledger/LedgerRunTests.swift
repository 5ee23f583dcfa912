import BenchResults
import BenchScenario
import TestSupport
import Testing

/// Runs with a ledger and every invariant.
@Suite("A run with a ledger") struct LedgerRunTests {
  /// Scenarios that have every kind of event, view, transfer and bookmark between them.
  private static let representative = [
    "concurrency/transfers.yaml", "policy/three-policies.yaml", "stress/short-transactions.yaml",
    "trouble/random-operations.yaml", "trouble/start-after-a-crash.yaml", "views/late-registration.yaml",
    "wal/stall-and-move.yaml",
  ]

  /// The representative scenarios; in a nightly run, all of the driver yap.
  private static func paths() throws -> [String] {
    let paths = try RunningScenarios.paths()
    guard Nightly.minutes != nil else {
      return paths.filter { path in representative.contains { path.hasSuffix("/" + $0) } }
    }
    return try paths.filter { try ScenarioLoader.load(path: $0).scenario.engine.driver == .yap }
  }

  @Test func `the representative scenarios exist`() throws {
    let paths = try RunningScenarios.paths()
    #expect(Self.representative.filter { name in !paths.contains { $0.hasSuffix("/" + name) } } == [])
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
