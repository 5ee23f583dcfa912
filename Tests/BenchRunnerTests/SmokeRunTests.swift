import BenchModel
import LatencyMetrics
import Testing

@Suite("Every scenario of the project")
struct SmokeRunTests {
  @Test("runs in smoke mode, and no invariant is violated", arguments: try RunningScenarios.paths())
  func runs(path: String) throws {
    let loaded = try ScenarioLoader.load(path: path)
    for result in try RunningScenarios.runAll(loaded, isSmoke: true).runs { try check(result, of: loaded) }
  }

  private func check(_ result: RunResult, of loaded: LoadedScenario) throws {
    #expect(result.verdict.exitCode == ExitStatus.allHeld.rawValue, "\(result.verdict)")
    #expect(result.isSmoke)
    #expect(!result.isPartial)
    #expect(result.phases.map(\.name) == loaded.scenario.phases.map(\.name))
    #expect(result.phases.allSatisfy { $0.end == .reached })
    #expect(!result.samples.isEmpty)
    for phase in loaded.scenario.phases {
      for actor in phase.actors {
        let count = result.latencies.first {
          $0.phase == phase.name && $0.actor == actor.name && $0.operation == LatencyResult.transaction
        }?.histogram.count
        #expect((count ?? 0) > 0, "\(phase.name)/\(actor.name)")
      }
    }
    #expect(result.invariants.allSatisfy { $0.checks > 0 }, "\(result.invariants)")
    #expect(result.harness.nullOperationNanoseconds > 0)
  }
}
