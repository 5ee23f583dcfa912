import LatencyMetrics
import Testing

@testable import BenchRegression
@testable import BenchResults

@Suite("The run of a scenario in a night's suite") struct SuiteRunTests {
  /// A run of one phase with 300 transactions of some durations.
  private func run(_ repetition: Int, milliseconds: UInt64, exit code: BenchResults.ExitStatus = .passed) -> RunResult {
    var histogram = LatencyHistogram()
    for _ in 0..<300 { histogram.record(milliseconds * 1_000_000) }
    var actor = ActorResult(name: "write", load: .closed)
    actor.operations = [OperationResult(name: OperationResult.transaction, times: [.service: histogram])]
    var phase = PhaseResult(name: "run", isRecorded: true)
    phase.endNanoseconds = 1_000_000_000
    phase.actors = [actor]
    var run = RunResult()
    (run.scenario, run.repetition, run.phases) = ("commits", repetition, [phase])
    run.samples = [EngineSample(phase: "run"), EngineSample(phase: "run")]
    for index in run.samples.indices { run.samples[index].writes = FileWrites(wal: .init(syncs: 10 * index)) }
    run.verdict = VerdictResult(exitCode: code, headline: "", reasons: [])
    return run
  }

  private func figures(_ runs: [RunResult]) -> [String: Double] {
    let variant = ScenarioResult.Variant(name: nil, label: "", settings: [])
    let result = ScenarioResult(scenarioYAML: "", variants: [variant], repetitions: runs.count, runs: runs)
    let figures = SuiteRun(result, night: "n").figures
    return Dictionary(uniqueKeysWithValues: figures.map { ($0.name.text, $0.value) })
  }

  @Test func `a figure is the median of the trusted repetitions`() {
    let runs = [run(1, milliseconds: 1), run(2, milliseconds: 9), run(3, milliseconds: 2)]
    let all = figures(runs)
    #expect(abs((all["commits/run/write p50"] ?? 0) - 2e6) < 1e4)
    #expect(all["commits/run syncs"] == 10 && all["commits/run/write throughput"] == 300)
    #expect(!all.keys.contains("commits/run/write p90"))
    let failed =
      runs + [run(4, milliseconds: 9, exit: .invariantViolated), run(5, milliseconds: 9, exit: .internalError)]
    #expect(figures(failed) == all)
    var smoke = run(4, milliseconds: 9)
    smoke.isSmoke = true
    #expect(figures(runs + [smoke]) == all)
  }

  @Test func `a run on a busy machine lacks only the disturbed times`() {
    var busy = run(1, milliseconds: 1, exit: .measurementInvalid)
    #expect(figures([busy]).isEmpty)
    busy.phases[0].disturbance = .stop
    let names = figures([busy]).keys
    #expect(
      names.contains("commits/run syncs") && !names.contains { $0.hasSuffix("p50") || $0.hasSuffix("throughput") }
    )
  }
}
