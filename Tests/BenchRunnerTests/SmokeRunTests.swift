import BenchModel
import LatencyMetrics
import Testing

@Suite("Every scenario of the project")
struct SmokeRunTests {
  @Test("runs in smoke mode, and no invariant is violated", arguments: try RunningScenarios.paths())
  func runs(path: String) throws {
    let loaded = try ScenarioLoader.load(path: path)
    var idle: Set<String>?
    // Beside other work an actor may get no turn in a phase of 300 ms: what one run has not shown, the next one may.
    for _ in 1...12 {
      let results = try RunningScenarios.runAll(loaded, isSmoke: true).runs
      for result in results { check(result, of: loaded) }
      let idleNow = Set(
        results.indices.flatMap { index in idleParts(of: results[index], loaded).map { "\(index): \($0)" } }
      )
      idle = idle?.intersection(idleNow) ?? idleNow
      if idle == [] { break }
    }
    #expect(idle == [])
  }

  private func check(_ result: RunResult, of loaded: LoadedScenario) {
    #expect(result.verdict.exitCode == ExitStatus.allHeld.rawValue, "\(result.verdict)")
    #expect(result.isSmoke)
    #expect(!result.isPartial)
    #expect(result.phases.map(\.name) == loaded.scenario.phases.map(\.name))
    #expect(result.phases.allSatisfy { $0.end == .reached })
    #expect(!result.samples.isEmpty)
    #expect(result.harness.nullOperationNanoseconds > 0)
  }

  /// The actors that did nothing in a phase, and the invariants that looked at nothing.
  private func idleParts(of result: RunResult, _ loaded: LoadedScenario) -> [String] {
    let actors = loaded.scenario.phases.flatMap { phase in
      phase.actors.filter { actor in
        !result.latencies.contains {
          $0.phase == phase.name && $0.actor == actor.name && $0.operation == LatencyResult.transaction
            && $0.histogram.count > 0
        }
      }.map { "\(phase.name)/\($0.name)" }
    }
    return actors + result.invariants.filter { $0.checks == 0 }.map(\.name)
  }
}
