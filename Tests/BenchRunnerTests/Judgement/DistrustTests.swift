import BenchResults
import LatencyMetrics
import Testing

@testable import BenchRunner

@Suite("Distrust of a measurement") struct DistrustTests {
  private func reasons(
    due: Int? = nil,
    begun: Int = 0,
    late: LatencyHistogram? = nil,
    isRecorded: Bool = true,
    standstill: UInt64 = 0,
    steal: Double = 0,
    step: Int64 = 0
  ) -> [String] {
    var record = record(due: due, begun: begun, late: late, isRecorded: isRecorded)
    record.longestStandstillNanoseconds = standstill
    return Distrust.reasons([record], stealShare: steal, clockStepNanoseconds: step).map(\.text)
  }

  /// A second of one worker that was behind its schedule for the last 100 ms.
  /// - Parameter busy: milliseconds of these in which the engine served.
  private func record(
    due: Int? = nil,
    begun: Int = 0,
    late: LatencyHistogram? = nil,
    busy: Int = 0,
    isRecorded: Bool = true
  ) -> PhaseRecord {
    let settings = Fixture.actor("import", load: Fixture.open)
    let slots = TimingSlots(settings)
    var actor = Fixture.measured(settings, [slots.lateness: late].compactMapValues(\.self), due: due, begun: begun)
    actor.tally.lagAtEnd = Lag(nanoseconds: 100_000_000, engineNanoseconds: UInt64(busy) * 1_000_000)
    return Fixture.record(Fixture.phaseResult("stall", isRecorded: isRecorded, to: 1_000_000_000), [actor])
  }

  private func lateness(_ count: Int, _ late: Int, nanoseconds: UInt64) -> LatencyHistogram {
    Fixture.histogram(Array(repeating: 1_000, count: count - late) + Array(repeating: nanoseconds, count: late))
  }

  @Test func `a quiet run is trusted`() {
    #expect(reasons(due: 100, begun: 100, late: lateness(1_000, 0, nanoseconds: 0)).isEmpty)
  }

  @Test func `what was dropped because of the engine is served, and because of the harness is distrusted`() {
    func reasons(byHarness: Int) -> [String] {
      var record = record(due: 1_000, begun: 500)
      record.actors[0].droppedArrivals = 500
      record.actors[0].tally.arrivalsDroppedByHarness = byHarness
      return Distrust.reasons([record], stealShare: 0, clockStepNanoseconds: 0).map(\.text)
    }
    #expect(reasons(byHarness: 50).isEmpty)
    #expect(
      reasons(byHarness: 51) == [
        "phase \"stall\", actor \"import\": the generator was saturated: 51 of 1000 arrivals were dropped because it "
          + "missed their deadline; lower the rate, or give the actor more threads"
      ]
    )
  }

  @Test func `processor time that others took is distrusted from 50 ms on, or a tenth if waits are unknown`() {
    /// - Parameter milliseconds: the process's time, the time of all processors, and the waits of its threads.
    func reasons(own: UInt64, busy: UInt64, delay: UInt64?, hasEngineProcess: Bool = false) -> [String] {
      var record = record()
      record.hasEngineProcess = hasEngineProcess
      var samples = [EngineSample(phase: "stall"), EngineSample(phase: "stall")]
      for index in samples.indices {
        let factor = UInt64(index + 1) * 1_000_000
        (samples[index].userCPUNanoseconds, samples[index].busyNanoseconds) = (own * factor, busy * factor)
        samples[index].runDelayNanoseconds = delay.map { $0 * factor }
        samples[index].elapsedNanoseconds = 2_000 * factor
      }
      record.samples = samples
      return Distrust.reasons([record], stealShare: 0, clockStepNanoseconds: 0).map(\.text)
    }
    #expect(
      reasons(own: 1_000, busy: 2_000, delay: 250) == [
        "phase \"stall\": other processes took 250 ms of processor time, 20.0 % of what the phase needed: end them, or "
          + "use a less busy machine"
      ]
    )
    #expect(reasons(own: 1_000, busy: 2_000, delay: 111).count == 1)
    #expect(reasons(own: 1_000, busy: 2_000, delay: 111, hasEngineProcess: true).isEmpty)
    // The threads waited for each other, or the others used a processor that no thread wanted.
    #expect(reasons(own: 1_000, busy: 1_000, delay: 5_000).isEmpty)
    #expect(reasons(own: 1_000, busy: 2_000, delay: 0).isEmpty)
    #expect(reasons(own: 1_000, busy: 2_000, delay: nil).isEmpty)
    // A phase of some milliseconds.
    #expect(!reasons(own: 100, busy: 2_000, delay: 50).isEmpty)
    #expect(reasons(own: 100, busy: 2_000, delay: 49).isEmpty)
    // The others used less than a quarter of one processor, which the kernel counts inaccurately.
    #expect(!reasons(own: 1_000, busy: 1_500, delay: 250).isEmpty)
    #expect(reasons(own: 1_000, busy: 1_499, delay: 250).isEmpty)
    // The samples contain the engine's process, too.
    #expect(reasons(own: 1_000, busy: 2_000, delay: 250, hasEngineProcess: true).count == 1)
  }

  /// Samples at every 100 ms, of a process that uses one processor.
  /// - Parameter busy: Whether others use a processor before a sample.
  private func samples(_ count: Int, whereOthersRun busy: (Int) -> Bool) -> [EngineSample] {
    var sample = EngineSample(phase: "stall")
    sample.runDelayNanoseconds = 0
    return [sample]
      + (1...count).map { number in
        sample.elapsedNanoseconds += 100_000_000
        sample.userCPUNanoseconds += 100_000_000
        sample.busyNanoseconds += busy(number) ? 200_000_000 : 100_000_000
        sample.runDelayNanoseconds? += 20_000_000
        return sample
      }
  }

  @Test func `a burst of other processes in a long phase is seen, with the waits of its second`() throws {
    var record = record()
    record.samples = samples(605) { (301...310).contains($0) }
    #expect(record.samples.windows.count == 60)
    #expect(try #require(record.lostProcessorTime).nanoseconds == 200_000_000)
    let text = Distrust.reasons([record], stealShare: 0, clockStepNanoseconds: 0).map(\.text)
    #expect(text.count == 1 && text[0].contains("took 200 ms of processor time, 0.3 %"))
    let second: UInt64 = 1_000_000_000
    let shared = (0..<60).filter { record.samples.areShared(from: $0 * second, to: ($0 + 1) * second) }
    #expect(shared == [30])
    // The workers waited for at most the time in which others ran.
    record.disturbance = .waits
    record.actors[0].tally.waits.forProcessors = 60 * second
    #expect(record.tree.actors[0].waitedNanoseconds == second)
  }

  @Test func `a part of a second is judged with the time before it, and one without samples counts as shared`() {
    let second: UInt64 = 1_000_000_000
    let samples = samples(22) { $0 > 17 }
    #expect(samples.areShared(from: 2 * second, to: 2 * second + second / 5))
    #expect(samples.areShared(from: 3 * second, to: 4 * second))
    #expect(!samples.areShared(from: 0, to: second))
    #expect([EngineSample]().areShared(from: 0, to: second) && [samples[0]].areShared(from: 0, to: second))
    #expect(samples.prefix(5).map(\.self).windows.count == 1 && [EngineSample]().windows.isEmpty)
    var stopped = self.samples(20) { _ in false }
    for index in stopped.indices { stopped[index].throttledNanoseconds = index > 12 ? 1_000_000 : 0 }
    #expect(!stopped.areShared(from: 0, to: second) && stopped.areShared(from: second, to: 2 * second))
  }

  @Test func `other processes that use the disk are distrusted above a mebibyte or 10 syncs in a second`() {
    /// - Parameters:
    ///   - bytes: The bytes of the disk in two seconds that the run did not cause; nil if they are not known.
    ///   - own: The run's syncs.
    func reasons(
      bytes: Int?,
      syncs: Int?,
      own: Int? = 0,
      nanoseconds: UInt64 = 2_000_000_000,
      hasEngineProcess: Bool = false
    ) -> [Distrust.Reason] {
      var record = record()
      record.hasEngineProcess = hasEngineProcess
      record.samples = [EngineSample(phase: "stall"), EngineSample(phase: "stall")]
      record.samples[1].elapsedNanoseconds = nanoseconds
      for (index, factor) in [(0, 0), (1, 1)] {
        record.samples[index].foreignDiskBytes = bytes.map { factor * $0 - 7 }
        record.samples[index].diskSyncs = syncs.map { factor * $0 + 7 }
        record.samples[index].writes = own.map { _ in .zero }
        record.samples[index].writes?.wal.syncs = factor * (own ?? 0)
      }
      return Distrust.reasons([record], stealShare: 0, clockStepNanoseconds: 0)
    }
    #expect(reasons(bytes: 2 << 20, syncs: 20).isEmpty)
    let busy = reasons(bytes: 60 << 20, syncs: 3)
    #expect(
      busy.map(\.text) == [
        "phase \"stall\": other processes used the database's disk with 30.0 MiB/s and 2 syncs/s, expected at most "
          + "1.00 MiB/s and 10 syncs/s: end them, or use another disk with --data-dir"
      ]
    )
    #expect(
      busy.map(\.headline) == ["machine busy: other processes used the disk with 30.0 MiB/s and 2 syncs/s in stall"]
    )
    #expect(busy.map(\.effect) == [.diskWaits] && reasons(bytes: 0, syncs: 21).map(\.effect) == [.diskWaits])
    #expect(reasons(bytes: 0, syncs: 21, hasEngineProcess: true).map(\.effect) == [.times])
    // The journal of the run's own syncs.
    #expect(reasons(bytes: (2 << 20) + 100 * 16_384, syncs: 220, own: 100).isEmpty)
    #expect(!reasons(bytes: (2 << 20) + 100 * 16_384, syncs: 221, own: 100).isEmpty)
    #expect(!reasons(bytes: (2 << 20) + 100 * 16_384 + 2, syncs: 220, own: 100).isEmpty)
    // Some blocks of a daemon in a short phase.
    #expect(reasons(bytes: 1 << 20, syncs: 10, nanoseconds: 100_000_000).isEmpty)
    #expect(reasons(bytes: nil, syncs: nil).isEmpty && reasons(bytes: 60 << 20, syncs: 90, own: nil).isEmpty)
  }

  @Test func `waits of a worker that are not known disturb times by an unknown part`() {
    var record = record()
    record.samples = [EngineSample(phase: "stall"), EngineSample(phase: "stall")]
    (record.samples[0].runDelayNanoseconds, record.samples[1].runDelayNanoseconds) = (0, 500_000_000)
    (record.samples[1].userCPUNanoseconds, record.samples[1].busyNanoseconds) = (1_000_000_000, 2_000_000_000)
    record.samples[1].elapsedNanoseconds = 2_000_000_000
    func effects() -> [Distrust.Effect] {
      Distrust.reasons([record], stealShare: 0, clockStepNanoseconds: 0).map(\.effect)
    }
    #expect(effects() == [.waits])
    record.actors[0].tally.missesWaits = true
    #expect(effects() == [.times])
    (record.actors[0].tally.missesWaits, record.hasEngineProcess) = (false, true)
    #expect(effects() == [.times])
  }

  @Test func `of the arrivals that were due 95 per cent must have begun`() {
    #expect(reasons(due: 1_000, begun: 950).isEmpty)
    let saturated = reasons(due: 1_000, begun: 949)
    #expect(
      saturated == [
        "phase \"stall\", actor \"import\": the generator was saturated: it started 949 of 1000 arrivals, and only "
          + "0.0 % of its lag at the end was time in the engine; lower the rate, or give the actor more threads"
      ]
    )
    #expect(reasons(due: 0, begun: 0).isEmpty)
    #expect(reasons(due: nil, begun: 0).isEmpty)
  }

  @Test func `an engine that does not keep up is told, and not taken for a fault of the measurement`() {
    let busy = record(due: 1_000, begun: 800, busy: 80)
    #expect(Distrust.reasons([busy], stealShare: 0, clockStepNanoseconds: 0).isEmpty)
    #expect(
      Distrust.overloads([busy]) == [
        "In phase \"stall\" the engine did not keep up with actor \"import\": 800 of 1000 arrivals started. The "
          + "others count in wait and response with the time until they were dropped or the phase ended."
      ]
    )
    let idle = record(due: 1_000, begun: 800, busy: 79)
    #expect(Distrust.reasons([idle], stealShare: 0, clockStepNanoseconds: 0).count == 1)
    #expect(Distrust.overloads([idle]).isEmpty)
    #expect(Distrust.overloads([record(due: 1_000, begun: 950, busy: 99)]).isEmpty)
  }

  @Test func `a harness that stood still is distrusted`() {
    #expect(reasons(standstill: 250_000_000).isEmpty)
    #expect(reasons(standstill: 251_000_000).count == 1)
    #expect(reasons(isRecorded: false, standstill: 251_000_000).isEmpty)
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
    #expect(
      reasons(due: 100, begun: 1, late: late, standstill: 1_000_000_000, steal: 0.5, step: 1_000_000_000).count == 5
    )
  }
}
