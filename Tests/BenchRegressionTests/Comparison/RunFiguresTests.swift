import LatencyMetrics
import Testing

@testable import BenchRegression
@testable import BenchResults

@Suite("Figures of a run that a comparison uses") struct RunFiguresTests {
  /// - Parameters:
  ///   - waits: Whether each transaction waited for a processor, for nine tenths of its time.
  ///   - disturbance: The disturbance of the phase.
  private func figures(
    durations count: Int,
    waits: Bool = false,
    disturbance: Disturbance? = nil
  ) -> [RunFigure] {
    var histogram = LatencyHistogram()
    for duration in 1...count { histogram.record(UInt64(duration)) }
    var actor = ActorResult(name: "write", load: .closed)
    actor.operations = [OperationResult(name: OperationResult.transaction, times: [.service: histogram])]
    actor.commitTimes = CommitTimesSum()
    actor.commitTimes?.add(.zero, service: 0, count: count)
    if waits {
      var undisturbed = LatencyHistogram()
      for duration in 1...count { undisturbed.record(UInt64(max(duration / 10, 1))) }
      actor.disturbed = [.service: DisturbedTimes(measured: histogram, undisturbed: undisturbed)]
    }
    var phase = PhaseResult(name: "run", isRecorded: true)
    phase.endNanoseconds = 1_000_000_000
    phase.disturbance = disturbance
    phase.actors = [actor]
    var run = RunResult()
    run.scenario = "commits"
    run.phases = [phase]
    run.samples = [EngineSample(phase: "run"), EngineSample(phase: "run")]
    for index in run.samples.indices { run.samples[index].writes = FileWrites(wal: .init(syncs: 10 * index)) }
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

  private func disturbed(_ figures: [RunFigure]) -> Set<String> {
    Set(figures.filter(\.isDisturbed).map(\.name.metric))
  }

  @Test func `waits for a processor disturb the times that they changed, and no count`() {
    let all = figures(durations: 1_000, waits: true, disturbance: .waits)
    #expect(disturbed(all).isSuperset(of: ["p50", "p99", "p99.9", "begin"]))
    #expect(all.contains { $0.name.metric == "syncs" && $0.value == 10 && !$0.isDisturbed })
    // The waits are 0.5 ms in a second.
    #expect(!disturbed(all).contains("throughput"))
    #expect(disturbed(figures(durations: 1_000, waits: true)).isEmpty)
    #expect(disturbed(figures(durations: 1_000, disturbance: .waits)).isEmpty)
  }

  @Test func `a pause disturbs every time, and no count`() {
    let all = figures(durations: 1_000, disturbance: .stop)
    #expect(disturbed(all).isSuperset(of: ["throughput", "p50", "p99", "begin"]))
    #expect(all.filter { $0.role == .count }.allSatisfy { !$0.isDisturbed })
  }
}
