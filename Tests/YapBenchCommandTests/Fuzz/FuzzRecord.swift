import BenchReports
import Foundation
import LatencyMetrics

@testable import BenchResults
@testable import BenchScenario
@testable import YapBenchCommand

/// Records with a few of each kind of result: of a single run, and of two variants that ran twice.
enum FuzzRecord {
  static func bases() throws -> [JSONText] {
    try [Project.stalledReader, Project.policies].map { path in
      var result = ScenarioResult.madeUp(of: try ScenarioLoader.load(path: path), verdict: .expectationFailed)
      for index in result.runs.indices { fill(&result.runs[index]) }
      return try JSONDecoder().decode(JSONText.self, from: RunDocument.encode(result))
    }
  }

  private static let second: UInt64 = 1_000_000_000

  private static var histogram: LatencyHistogram {
    var histogram = LatencyHistogram(digits: 2)
    for value: UInt64 in [900, 2_000, 2_000, 70_000, 5_000_000] { histogram.record(value) }
    return histogram
  }

  private static func fill(_ run: inout RunResult) {
    run.notes = ["a note"]
    run.environment.loadAverage = 0.31
    run.environment.commit = "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d"
    run.phases = [("warm", false, 0, 1), ("stall", true, 1, 3)].map { name, isRecorded, start, end in
      PhaseResult(
        name: name,
        isRecorded: isRecorded,
        startNanoseconds: start * second,
        endNanoseconds: end * second,
        end: .reached,
        condition: isRecorded ? "wal.backlogFrames == 0" : nil
      )
    }
    run.samples = (0...3).map { sample(UInt64($0)) }
    run.checkpoints = [checkpoint]
    run.rowsAtEnd = ["messages": 49_713]
    run.expectations = [
      .init(
        source: "stall/import response.p99 < 50ms",
        phase: "stall",
        actor: "import",
        comparison: .less,
        measured: MeasuredValue(5_120_000, text: "5.12 ms"),
        limit: MeasuredValue(50_000_000, text: "50ms")
      ),
      .init(
        source: "stall wal.bytes.max < 1MiB",
        phase: "stall",
        actor: nil,
        comparison: .less,
        measured: MeasuredValue(219_152_384, text: "209 MiB"),
        limit: MeasuredValue(1_048_576, text: "1MiB")
      ),
    ]
    run.invariants = [.init(name: "knownAnswers", checks: 78_412, violations: ["a row"])]
    run.harness.stealShare = 0.0031
    run.harness.nullOperationNanoseconds = 41.7
    run.harness.clockNanoseconds = 22.4
    run.blame = blame
    addTimes(to: &run)
  }

  private static func addTimes(to run: inout RunResult) {
    let seconds = IntervalSeries((1...2).map { interval(UInt64($0)) })
    let times = TimeKind.allCases.map { ($0, histogram) }
    var actor = ActorResult(name: "import", load: .open)
    actor.dueArrivals = 57
    actor.begunArrivals = 55
    actor.lateness = histogram
    actor.operations = ["transaction", "set"].map {
      OperationResult(name: $0, times: Dictionary(uniqueKeysWithValues: times), deadlocks: 3)
    }
    actor.intervals = [.response: seconds]
    actor.laneWait = WaitResult(histogram: histogram, intervals: seconds)
    var commitTimes = CommitTimesSum()
    commitTimes.add(
      CommitTimes(
        writeLaneWait: 300_000,
        checkpointWait: 120_000,
        begin: 10_000,
        block: 200_000,
        statements: 150_000,
        commit: 400_000,
        rest: 50_000
      ),
      service: 1_000_000,
      count: 10
    )
    actor.commitTimes = commitTimes
    actor.allocations = 5
    actor.digests = [WorkerDigest(thread: 0, marks: [.init(transactions: 8, digest: .max)])]
    run.phases[1].actors = [actor]
    run.phases[1].events = [
      EventResult(
        word: "kill",
        arguments: "",
        dueNanoseconds: second,
        begunNanoseconds: second + 2,
        endedNanoseconds: second + 3,
        outcome: .done,
        recovery: .init(durationNanoseconds: 4, frames: 5)
      )
    ]
    run.phases[1].eventTimes = [OperationResult(name: "kill", times: Dictionary(uniqueKeysWithValues: times))]
    run.phases[1].notificationLag = WaitResult(histogram: histogram, intervals: seconds)
  }

  private static func interval(_ start: UInt64) -> IntervalResult {
    IntervalResult(
      startNanoseconds: start * second,
      endNanoseconds: (start + 1) * second,
      count: 10,
      p50Nanoseconds: 5_000,
      p99Nanoseconds: 9_000,
      maximumNanoseconds: 10_000
    )
  }

  private static func sample(_ at: UInt64) -> EngineSample {
    let number = Int(at)
    let wal = EngineSample.WAL(
      bytes: 32 + number * 41_200,
      frames: number * 10,
      backlogFrames: number * 5,
      heldFrames: number,
      pinnedBy: number > 1 ? "ui" : nil
    )
    let connection = EngineSample.Connection(
      name: "ui",
      ageCommits: number,
      ageNanoseconds: at * second,
      pinnedNanoseconds: at * second,
      framesHeldAlone: number,
      pendingCommits: number,
      pendingBytes: number * 2_400
    )
    return EngineSample(
      elapsedNanoseconds: at * second,
      phase: at < 1 ? "warm" : "stall",
      commit: number * 10,
      wal: wal,
      connections: [connection],
      finishedTransactions: ["import": number * 10],
      logicalBytes: ["import": number * 12_130],
      writes: FileWrites(
        wal: .init(bytes: number * 41_200, syncs: number, syncNanoseconds: number * 9),
        database: .init(bytes: number * 4_096, syncs: number, syncNanoseconds: number * 1_000_000)
      ),
      residentBytes: 61_000_000,
      allocatedBytes: 34_000_000,
      userCPUNanoseconds: at * 31_000_000,
      systemCPUNanoseconds: at * 9_000_000
    )
  }

  private static let checkpoint = CheckpointResult(
    number: 1,
    phase: "stall",
    elapsedNanoseconds: 2 * second,
    mode: "passive",
    cause: "backlog",
    waitNanoseconds: 2_000,
    durationNanoseconds: 90_000,
    framesInWAL: 20,
    framesCopied: 10,
    framesLeft: 10,
    bytesCopied: 40_960,
    outcome: .partialPinned,
    pinnedBy: "ui"
  )

  private static let blame: BlameResult = {
    var blame = BlameResult()
    blame.connections = [
      .init(
        name: "ui",
        aloneByteSeconds: 41_200.5,
        aloneMaximumBytes: 12_360,
        longestPinNanoseconds: second,
        maximumAgeCommits: 30
      )
    ]
    blame.togetherByteSeconds = 12.5
    blame.notCopiedByteSeconds = 61_800.25
    blame.freeByteSeconds = 41_200.125
    blame.walByteSeconds = 123_600.75
    return blame
  }()
}
