import HarnessPrimitives
import LatencyMetrics

@testable import BenchResults

/// A run of 10 minutes with 16 actors, each on a connection of its own, sampled ten times a second.
enum LongRun {
  private static let actors = (1...16).map { "actor-\($0)" }
  private static let second: UInt64 = 1_000_000_000

  static let result: RunResult = {
    var random = RandomStream(seed: 11)
    var result = StalledReaderRun.result
    result.phases = [result.phases[1]]
    result.phases[0].startNanoseconds = 0
    result.phases[0].endNanoseconds = 600 * second
    result.samples = (0..<6_000).map { sample($0, &random) }
    var histogram = LatencyHistogram()
    for _ in 0..<20_000 { histogram.record(UInt64(10_000 + random.below(5_000_000))) }
    let model = result.phases[0].actors[0]
    result.phases[0].actors = actors.map { name in
      var actor = model
      (actor.name, actor.connection) = (name, name)
      let times = [TimeKind.service: histogram, .response: histogram]
      actor.operations = [OperationResult(name: OperationResult.transaction, times: times)]
      actor.intervals = [.response: IntervalSeries((0..<600).map { interval($0, &random) })]
      return actor
    }
    result.blame.connections = actors.map {
      .init(
        name: $0,
        aloneByteSeconds: 1_000,
        aloneMaximumBytes: 10,
        longestPinNanoseconds: second,
        maximumAgeCommits: 3
      )
    }
    let checkpoint = result.checkpoints[0]
    result.checkpoints = (0..<5_000).map { number in
      var checkpoint = checkpoint
      (checkpoint.number, checkpoint.elapsedNanoseconds) = (number, UInt64(number) * 120_000_000)
      return checkpoint
    }
    return result
  }()

  private static func sample(_ tenth: Int, _ random: inout RandomStream) -> EngineSample {
    let backlog = 2_000 + random.below(9_000)
    return EngineSample(
      elapsedNanoseconds: UInt64(tenth) * second / 10,
      phase: "stall",
      commit: tenth * 10,
      wal: .init(
        bytes: 60_000_000 + random.below(9_000_000),
        frames: 12_000,
        backlogFrames: backlog,
        heldFrames: backlog / 2,
        pinnedBy: actors[random.below(16)]
      ),
      connections: actors.map {
        .init(
          name: $0,
          ageCommits: random.below(9),
          ageNanoseconds: 5,
          pinnedNanoseconds: 5,
          framesHeldAlone: random.below(60),
          pendingCommits: 0,
          pendingBytes: 0,
          caches: .init(object: .init(hits: tenth * 90, misses: tenth * 10, decoded: tenth * 9), metadata: .init())
        )
      },
      finishedTransactions: [:],
      residentBytes: 1,
      allocatedBytes: nil,
      userCPUNanoseconds: 0,
      systemCPUNanoseconds: 0
    )
  }

  private static func interval(_ second: Int, _ random: inout RandomStream) -> IntervalResult {
    let p50 = UInt64(10_000 + random.below(40_000))
    return IntervalResult(
      startNanoseconds: UInt64(second) * Self.second,
      endNanoseconds: UInt64(second + 1) * Self.second,
      count: 100,
      p50Nanoseconds: p50,
      p99Nanoseconds: p50 * 9,
      maximumNanoseconds: p50 * UInt64(20 + random.below(99))
    )
  }
}
