import BenchResults
import LatencyMetrics
import Testing

@testable import BenchRegression

@Suite("Figures of a run that a comparison uses") struct RunFiguresTests {
  private func figures(durations count: Int) -> [RunFigure] {
    var histogram = LatencyHistogram()
    for duration in 1...count { histogram.record(UInt64(duration)) }
    var actor = ActorResult(name: "write", load: .closed)
    actor.operations = [OperationResult(name: OperationResult.transaction, times: [.service: histogram])]
    var phase = PhaseResult(name: "run", isRecorded: true)
    phase.endNanoseconds = 1_000_000_000
    phase.actors = [actor]
    var run = RunResult()
    run.scenario = "commits"
    run.phases = [phase]
    let variant = ScenarioResult.Variant(name: nil, label: "", settings: [])
    return RunFigures.figures(
      of: ScenarioResult(scenarioYAML: "", variants: [variant], repetitions: 1, runs: [run])
    )
  }

  @Test(arguments: [("p50", 2), ("p90", 10), ("p99", 100), ("p99.9", 1_000)])
  func `a percentile is a figure if a duration lies beyond it`(name: String, count: Int) throws {
    let figure = try #require(figures(durations: count).first { $0.name.metric == name })
    #expect(figure.exceedances == 1)
    #expect(!figures(durations: count - 1).contains { $0.name.metric == name })
  }
}
