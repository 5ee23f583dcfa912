import BenchModel
import LatencyMetrics
import Testing

@testable import BenchRunner

@Suite("Distrust of a measurement") struct DistrustTests {
  private func reasons(
    due: Int? = nil,
    begun: Int = 0,
    late: LatencyHistogram? = nil,
    isRecorded: Bool = true,
    steal: Double = 0,
    step: Int64 = 0
  ) -> [String] {
    let settings = Fixture.actor("import", load: Fixture.open)
    let lateness = late.map { [TimingSlots(settings).lateness: $0] } ?? [:]
    let actor = Fixture.measured(settings, lateness, due: due, begun: begun)
    let record = Fixture.record(Fixture.phaseResult("stall", isRecorded: isRecorded, to: 1), [actor])
    return Distrust.reasons([record], stealShare: steal, clockStepNanoseconds: step)
  }

  private func lateness(_ count: Int, _ late: Int, nanoseconds: UInt64) -> LatencyHistogram {
    Fixture.histogram(Array(repeating: 1_000, count: count - late) + Array(repeating: nanoseconds, count: late))
  }

  @Test func `a quiet run is trusted`() {
    #expect(reasons(due: 100, begun: 100, late: lateness(1_000, 0, nanoseconds: 0)).isEmpty)
  }

  @Test func `of the arrivals that were due 95 per cent must have begun`() {
    #expect(reasons(due: 1_000, begun: 950).isEmpty)
    let saturated = reasons(due: 1_000, begun: 949)
    #expect(
      saturated == [
        "phase \"stall\", actor \"import\": the generator was saturated, it began 949 of 1000 arrivals (94.9 %): "
          + "lower the rate, or give the actor more threads"
      ]
    )
    #expect(reasons(due: 0, begun: 0).isEmpty)
    #expect(reasons(due: nil, begun: 0).isEmpty)
  }

  @Test func `one late arrival in a hundred is too many when it is late by more than 10 ms`() {
    #expect(reasons(late: lateness(1_000, 11, nanoseconds: 9_980_000)).isEmpty)
    #expect(reasons(late: lateness(1_000, 11, nanoseconds: 10_020_000)).count == 1)
    #expect(reasons(late: lateness(1_000, 10, nanoseconds: 1_000_000_000)).isEmpty)
  }

  @Test func `of fewer than a hundred arrivals lateness says nothing`() {
    #expect(reasons(late: lateness(99, 99, nanoseconds: 1_000_000_000)).isEmpty)
    #expect(reasons(late: lateness(100, 100, nanoseconds: 1_000_000_000)).count == 1)
  }

  @Test func `the host may take a tenth of the time`() {
    #expect(reasons(steal: 0.10).isEmpty)
    #expect(reasons(steal: 0.1001).count == 1)
  }

  @Test func `the wall clock may step by 100 ms, in either direction`() {
    #expect(reasons(step: 100_000_000).isEmpty)
    #expect(reasons(step: -100_000_000).isEmpty)
    #expect(reasons(step: 100_000_001).count == 1)
    #expect(reasons(step: -100_000_001).count == 1)
    #expect(reasons(step: .min).count == 1)
  }

  @Test func `a warm-up is not distrusted, the machine is`() {
    let late = lateness(1_000, 1_000, nanoseconds: 1_000_000_000)
    #expect(reasons(due: 100, begun: 1, late: late, isRecorded: false).isEmpty)
    #expect(reasons(isRecorded: false, steal: 0.5).count == 1)
  }

  @Test func `every reason is told`() {
    let late = lateness(1_000, 1_000, nanoseconds: 1_000_000_000)
    #expect(reasons(due: 100, begun: 1, late: late, steal: 0.5, step: 1_000_000_000).count == 4)
  }
}
