import BenchResults
import LatencyMetrics
import Testing

@testable import BenchRunner

@Suite("Distrust of a process that a CPU quota stopped") struct ThrottlingDistrustTests {
  private let limits = ProcessorLimits(
    quota: ProcessorLimits.Quota(quotaNanoseconds: 15_000_000, periodNanoseconds: 100_000_000),
    affinity: nil
  )

  /// - Parameter milliseconds: the process's time, the time for which it was stopped, the time of all processors, and
  ///   the waits of its threads.
  private func record(
    own: UInt64 = 100,
    stopped: UInt64?,
    busy: UInt64 = 0,
    delay: UInt64 = 0,
    isRecorded: Bool = true
  ) -> PhaseRecord {
    let settings = Fixture.actor("import", load: Fixture.open)
    let result = Fixture.phaseResult("stall", isRecorded: isRecorded, to: 1_000_000_000)
    var record = Fixture.record(result, [Fixture.measured(settings, due: 1_000, begun: 1_000)])
    record.samples = [1, 2].map { (factor: UInt64) in
      let millisecond = factor * 1_000_000
      var sample = EngineSample(phase: "stall")
      sample.elapsedNanoseconds = 1_000 * millisecond
      sample.userCPUNanoseconds = own * millisecond
      sample.busyNanoseconds = busy * millisecond
      sample.runDelayNanoseconds = delay * millisecond
      sample.throttledNanoseconds = stopped.map { $0 * millisecond }
      sample.throttledPeriods = stopped.map { _ in Int(factor) * 3 }
      return sample
    }
    return record
  }

  private func reasons(_ record: PhaseRecord) -> [String] {
    Distrust.reasons([record], limits: limits, stealShare: 0, clockStepNanoseconds: 0).map(\.text)
  }

  private let reason =
    "phase \"stall\": the CPU quota of 0.15 cores (15 ms in each 100 ms) stopped the process in 3 periods, for 500 ms, "
    + "83.3 % of what the phase needed, expected at most 10.0 %: raise the quota, or lower the load"

  @Test func `names the quota above a tenth of the needed time`() {
    #expect(reasons(record(stopped: 500)) == [reason])
    #expect(reasons(record(own: 900, stopped: 100)) == [])
    #expect(reasons(record(own: 890, stopped: 110)).count == 1)
    #expect(reasons(record(stopped: 0)) == [] && reasons(record(stopped: nil)) == [])
    // A time of less than 50 ms is a note.
    #expect(reasons(record(own: 100, stopped: 49)) == [] && reasons(record(own: 100, stopped: 50)).count == 1)
    #expect(reasons(record(stopped: 500, isRecorded: false)) == [])
  }

  @Test func `is the only reason, because everything else may follow from it`() {
    var record = record(stopped: 500, busy: 2_000, delay: 900)
    record.longestStandstillNanoseconds = 900_000_000
    record.actors[0].dueArrivals = 5_000
    #expect(reasons(record) == [reason])
  }

  @Test func `blames no other process for a stop, and still blames one for what it took`() {
    // One worker, the conductor and the thread of progress: each waits for the whole stop.
    #expect(reasons(record(own: 1_000, stopped: 90, busy: 2_000, delay: 3 * 90 + 49)) == [])
    let other = reasons(record(own: 1_000, stopped: 90, busy: 2_000, delay: 3 * 90 + 250))
    #expect(other.count == 1 && other[0].contains("other processes took 250 ms"))
  }

  @Test func `names the quota as the cause of lateness and of standstills that it can explain`() {
    var late = record(own: 3_000, stopped: 270)
    late.longestStandstillNanoseconds = 260_000_000
    let slot = late.actors[0].slots.lateness
    late.actors[0].histograms[slot] = Fixture.histogram(Array(repeating: 20_000_000, count: 100))
    let found = reasons(late)
    #expect(found.count == 2 && found.allSatisfy { $0.contains("its CPU quota stopped") })
    late.longestStandstillNanoseconds = 280_000_000
    #expect(reasons(late).contains { $0.hasSuffix("did not run for 280 ms: the process or the machine was paused") })
    late.samples = []
    #expect(!reasons(late).contains { $0.contains("quota") })
  }

  @Test func `of little time is a note`() {
    let note =
      "In phase \"stall\" the CPU quota of 0.15 cores (15 ms in each 100 ms) stopped the process in 3 periods, for "
      + "90.0 ms, 8.3 % of what the phase needed. The longest times contain these stops."
    #expect(Distrust.shortThrottling([record(own: 1_000, stopped: 90)], limits) == [note])
    #expect(
      Distrust.shortThrottling([record(own: 1_000, stopped: 90)], nil)[0].contains("a CPU quota of its control group")
    )
    #expect(Distrust.shortThrottling([record(stopped: 500)], limits) == [])
    #expect(Distrust.shortThrottling([record(stopped: 0)], limits) == [])
  }
}
