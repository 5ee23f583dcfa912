import BenchResults
import BenchScenario
import LatencyMetrics
import TestSupport
import Testing

@Suite("Every scenario of the project", .long)
struct SmokeRunTests {
  @Test("runs in smoke mode, and no invariant is violated", arguments: try RunningScenarios.paths())
  func runs(path: String) throws {
    let loaded = try ScenarioLoader.load(path: path)
    let neverShown = try RunningScenarios.neverShown { stretch in
      let results = try RunningScenarios.runAll(loaded, isSmoke: true, stretch: stretch).runs
      for result in results { check(result, of: loaded) }
      return Set(results.indices.flatMap { index in notShown(by: results[index], loaded).map { "\(index): \($0)" } })
    }
    #expect(neverShown == [])
  }

  private func check(_ result: RunResult, of loaded: LoadedScenario) {
    #expect(result.verdict.exitCode == .passed, "\(result.verdict)")
    #expect(result.isSmoke)
    #expect(!result.isPartial)
    #expect(result.phases.map(\.name) == loaded.scenario.phases.map(\.name))
    #expect(!result.samples.isEmpty)
    #expect(result.harness.nullOperationNanoseconds > 0)
  }

  /// The actors that did nothing in a phase, the conditions that never held, and the invariants that checked nothing.
  private func notShown(by result: RunResult, _ loaded: LoadedScenario) -> [String] {
    let actors = loaded.scenario.phases.flatMap { phase in
      phase.actors.filter { actor in
        !result.latencies.contains {
          $0.phase.name == phase.name && $0.actor == actor.name && $0.operation == OperationResult.transaction
            && $0.histogram.count > 0
        }
      }.map { "\(phase.name)/\($0.name)" }
    }
    let measured = Set((result.harness.overheads ?? []).filter { $0.nanoseconds > 0 }.map(\.actor))
    let unmeasured = loaded.scenario.phases.filter(\.records).flatMap(\.actors).map(\.name).filter {
      !measured.contains($0)
    }
    return actors + unmeasured.map { "the overhead of \($0)" }
      + result.phases.filter { $0.end != .reached }.map { "the end of \($0.name)" }
      + result.invariants.filter { $0.checks == 0 }.map(\.name)
  }
}
