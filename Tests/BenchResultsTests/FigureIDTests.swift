import LatencyMetrics
import Testing

@testable import BenchResults

@Suite("A figure of a run") struct FigureIDTests {
  private static func run(end: UInt64, sizes: [(nanoseconds: UInt64, bytes: Int)]) -> RunResult {
    var phase = PhaseResult(name: "run", isRecorded: true)
    phase.endNanoseconds = end
    var times = LatencyHistogram(digits: 3)
    for duration in 1...100 { times.record(UInt64(duration)) }
    var actor = ActorResult(name: "read", load: .closed)
    actor.operations = [
      OperationResult(name: OperationResult.transaction, times: [.service: times]),
      OperationResult(name: "get", times: [.service: times]),
    ]
    actor.operations[1].outcomes = [.hit: times]
    phase.actors = [actor]
    var run = RunResult()
    run.phases = [phase]
    run.samples = sizes.map { nanoseconds, bytes in
      var sample = EngineSample(phase: "run")
      sample.elapsedNanoseconds = nanoseconds
      sample.wal = EngineSample.WAL(bytes: bytes)
      return sample
    }
    return run
  }

  private func value(_ metric: Metric, _ aggregate: Aggregate?, actor: String? = nil, in run: RunResult) -> Double? {
    run.figures(in: "run")?.value(of: FigureID(metric, aggregate, of: FigureScope("run", actor: actor)))
  }

  @Test func `has a name in the words of an expectation`() {
    let scope = FigureScope("run", actor: "show", operation: "get", outcome: .reread)
    #expect("\(FigureID(.service, .p999, of: scope))" == "run/show.get.reread service.p99_9")
    #expect("\(FigureID(.walByteSeconds, of: FigureScope("run")))" == "run wal.byteSeconds")
    #expect(FigureID(.service, .p999, of: scope).title == "service p99.9")
    #expect(FigureID(.walBytes, .max, of: scope).title == "WAL peak")
    #expect(FigureID(.throughput, .mean, of: scope).better == .higher)
  }

  @Test func `has the samples of its phase until the first one at or after the phase's end`() {
    let sizes: [(UInt64, Int)] = [(0, 1), (500, 2), (1_010, 3), (1_500, 9)]
    #expect(value(.walBytes, .max, in: Self.run(end: 1_000, sizes: sizes)) == 3)
    #expect(value(.walBytes, .max, in: Self.run(end: 500, sizes: sizes)) == 2)
    // The last sample was taken before the workers reported that they have ended.
    #expect(value(.walBytes, .max, in: Self.run(end: 2_000, sizes: sizes)) == 9)
  }

  @Test func `of an actor or an operation that the phase does not have is missing`() {
    let run = Self.run(end: 1_000_000_000, sizes: [])
    #expect(value(.throughput, .mean, actor: "read", in: run) == 100)
    #expect(value(.throughput, .mean, in: run) == 100)
    #expect(value(.throughput, .mean, actor: "nobody", in: run) == nil)
    #expect(value(.service, .max, actor: "nobody", in: run) == nil)
    func rate(_ operation: String, _ outcome: CacheOutcome? = nil) -> Double? {
      let scope = FigureScope("run", actor: "read", operation: operation, outcome: outcome)
      return run.figures(in: "run")?.value(of: FigureID(.throughput, .mean, of: scope))
    }
    #expect(rate("get") == 100 && rate("get", .hit) == 100)
    #expect(rate("set") == nil && rate("get", .reread) == nil)
    #expect(run.figures(in: "other") == nil)
  }

  @Test func `has the aggregate of a percentile`() {
    for percentile in Percentile.all { #expect(percentile.aggregate?.percentile == percentile) }
    #expect(Percentile(percent: 42).aggregate == nil)
  }
}
