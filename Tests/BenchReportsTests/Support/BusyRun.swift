import Foundation
import HarnessPrimitives
import LatencyMetrics

@testable import BenchResults

/// A long run of a busy engine with 16 actors of three operations each and 20 connections, sampled ten times a second.
/// Its figures vary like measured ones.
struct BusyRun {
  private static let second: UInt64 = 1_000_000_000
  private static let operations = ["get", "set", "multiGet"]

  private let seconds: Int
  private let actors = (1...16).map { "actor-\($0)" }
  private let connections = (1...20).map { "connection-\($0)" }
  private var random = RandomStream(seed: 19)
  private var caches: [EngineSample.Caches]
  private var finished: [String: Int] = [:]

  private init(seconds: Int) {
    self.seconds = seconds
    caches = connections.map { _ in .init(object: .init(), metadata: .init()) }
  }

  /// - Parameter digits: The digits of its durations; more digits take longer without optimisation.
  static func result(seconds: Int, digits: Int = 3) -> ScenarioResult {
    var run = BusyRun(seconds: seconds)
    var result = StalledReaderRun.result
    result.phases = [result.phases[1]]
    result.phases[0].startNanoseconds = 0
    result.phases[0].endNanoseconds = UInt64(seconds) * second
    result.samples = (0..<seconds * 10).map { run.sample($0) }
    let model = result.phases[0].actors[0]
    result.phases[0].actors = run.actors.map { run.actor($0, like: model, digits) }
    result.checkpoints = (0..<seconds).map { run.checkpoint($0, like: result.checkpoints[0]) }
    result.blame.connections = run.connections.map {
      .init(
        name: $0,
        aloneByteSeconds: 1e6 * run.random.unit(),
        aloneMaximumBytes: run.random.below(1 << 24),
        longestPinNanoseconds: second,
        maximumAgeCommits: run.random.below(99)
      )
    }
    return ScenarioResult(result)
  }

  private mutating func sample(_ tenth: Int) -> EngineSample {
    let backlog = 2_000 + random.below(9_000)
    for actor in actors { finished[actor, default: 0] += 5 + random.below(60) }
    return EngineSample(
      elapsedNanoseconds: UInt64(tenth) * Self.second / 10 + UInt64(random.below(900_000)),
      phase: "stall",
      commit: tenth * 10 + random.below(10),
      wal: .init(
        bytes: 60_000_000 + random.below(9_000) * 4_120,
        frames: 12_000 + random.below(900),
        backlogFrames: backlog,
        heldFrames: backlog / 2,
        pinnedBy: connections[random.below(20)]
      ),
      connections: connections.indices.map { connection($0) },
      finishedTransactions: finished,
      residentBytes: 90_000_000 + random.below(400) * 4_096,
      allocatedBytes: 50_000_000 + random.below(9_000_000),
      userCPUNanoseconds: UInt64(tenth) * 120_000_000 + UInt64(random.below(9_000_000)),
      systemCPUNanoseconds: UInt64(tenth) * 30_000_000 + UInt64(random.below(9_000_000)),
      contextSwitches: tenth * 900 + random.below(90),
      stolenNanoseconds: UInt64(tenth / 40) * 10_000_000,
      ioPressureNanoseconds: UInt64(tenth) * 3_000 + UInt64(random.below(3_000))
    )
  }

  private mutating func connection(_ index: Int) -> EngineSample.Connection {
    caches[index].object.hits += random.below(200)
    caches[index].object.misses += random.below(40)
    caches[index].object.updatedByPolicy += random.below(9)
    caches[index].object.decoded += random.below(40)
    caches[index].metadata.hits += random.below(90)
    let age = random.below(9)
    return EngineSample.Connection(
      name: connections[index],
      ageCommits: age,
      ageNanoseconds: age == 0 ? 0 : UInt64(random.below(90_000_000)),
      pinnedNanoseconds: random.below(3) == 0 ? nil : UInt64(random.below(500_000_000)),
      framesHeldAlone: random.below(4) == 0 ? random.below(600) : 0,
      pendingCommits: age,
      pendingBytes: age * 2_400,
      caches: caches[index]
    )
  }

  private mutating func actor(_ name: String, like model: ActorResult, _ digits: Int) -> ActorResult {
    var actor = model
    actor.name = name
    actor.operations = ([OperationResult.transaction] + Self.operations).map { operation in
      let kinds = operation == OperationResult.transaction ? TimeKind.allCases : [.service]
      let times = kinds.map { ($0, histogram(digits)) }
      return OperationResult(name: operation, times: Dictionary(uniqueKeysWithValues: times))
    }
    actor.intervals = Dictionary(uniqueKeysWithValues: TimeKind.allCases.map { ($0, intervals()) })
    actor.laneWait = WaitResult(histogram: histogram(digits), intervals: intervals())
    actor.writeLaneWait = WaitResult(histogram: histogram(digits), intervals: intervals())
    return actor
  }

  private mutating func intervals() -> IntervalSeries {
    IntervalSeries((0..<seconds).map { interval($0) })
  }

  private mutating func interval(_ second: Int) -> IntervalResult {
    let p50 = UInt64(10_000 + random.below(40_000))
    return IntervalResult(
      startNanoseconds: UInt64(second) * Self.second,
      endNanoseconds: UInt64(second + 1) * Self.second,
      count: 300 + random.below(60),
      p50Nanoseconds: p50,
      p99Nanoseconds: p50 * 9 + UInt64(random.below(9_999)),
      maximumNanoseconds: p50 * UInt64(20 + random.below(99))
    )
  }

  /// Mostly microseconds, and a tail of hundreds of milliseconds, so that most buckets of four decades are used.
  private mutating func histogram(_ digits: Int) -> LatencyHistogram {
    var histogram = LatencyHistogram(digits: digits)
    for _ in 0..<20_000 { histogram.record(UInt64(exp(9 + 2.2 * (random.unit() + random.unit() + random.unit())))) }
    return histogram
  }

  private mutating func checkpoint(_ second: Int, like model: CheckpointResult) -> CheckpointResult {
    var checkpoint = model
    checkpoint.number = second + 1
    checkpoint.phase = "stall"
    checkpoint.elapsedNanoseconds = UInt64(second) * Self.second + UInt64(random.below(900_000_000))
    checkpoint.framesCopied = random.below(9_000)
    checkpoint.durationNanoseconds = UInt64(1_000_000 + random.below(40_000_000))
    return checkpoint
  }
}
