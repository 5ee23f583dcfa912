import HarnessPrimitives
import LatencyMetrics
import ThreadingPrimitives

@testable import BenchResults
@testable import BenchRunner
@testable import BenchScenario

/// Parts of runs that tests are made of; each test names only what it is about.
enum Fixture {
  static func actor(
    _ name: String = "actor",
    threads: Int = 1,
    doing operations: [OperationWeight] = [OperationWeight(.get, weight: 1)],
    perTransaction: ClosedRange<Int> = 1...1,
    snapshot: SnapshotMode = .latest,
    keys: KeyDistribution = .uniform,
    load: LoadModel = .closed(thinkNanoseconds: 0)
  ) -> ActorSettings {
    ActorSettings(
      name: name,
      connections: ["connection"],
      threads: threads,
      operations: operations,
      transactionKind: operations.contains { $0.kind.verb.isWrite } ? .readWrite : .read,
      operationsPerTransaction: perTransaction,
      snapshot: snapshot,
      collection: "rows",
      keys: keys,
      load: load
    )
  }

  /// Returns an object of collection number 0.
  static func value(ofRow row: Int, commit: UInt64 = 1) -> [UInt8] {
    var stream = RandomStream(seed: commit, "value")
    return Payload.make(Payload.Label(commit: commit, row: row, collection: 0, part: .object), size: 64, &stream)
  }

  static let open = LoadModel.open(rate: .constant(perSecond: 100), arrival: .constant)

  static func histogram(_ values: UInt64...) -> LatencyHistogram { histogram(values) }

  static func histogram(_ values: [UInt64]) -> LatencyHistogram {
    var histogram = LatencyHistogram(digits: 3)
    for value in values { histogram.record(value) }
    return histogram
  }

  /// - Parameter wal: bytes, frames, frames of the backlog, and those of them that are held.
  static func sample(
    seconds: Double = 0,
    wal: (bytes: Int, frames: Int, backlog: Int, held: Int)? = nil,
    pinnedBy: String? = nil,
    _ connections: [EngineSample.Connection] = [],
    residentBytes: Int = 0,
    allocatedBytes: Int? = nil
  ) -> EngineSample {
    EngineSample(
      elapsedNanoseconds: UInt64(seconds * 1e9),
      phase: "phase",
      commit: 0,
      wal: wal.map { wal in
        EngineSample.WAL(
          bytes: wal.bytes,
          frames: wal.frames,
          backlogFrames: wal.backlog,
          heldFrames: wal.held,
          pinnedBy: pinnedBy
        )
      },
      connections: connections,
      finishedTransactions: [:],
      residentBytes: residentBytes,
      allocatedBytes: allocatedBytes,
      userCPUNanoseconds: 0,
      systemCPUNanoseconds: 0
    )
  }

  static func connection(
    _ name: String,
    age: Int = 0,
    ageNanoseconds: UInt64 = 0,
    pinnedNanoseconds: UInt64? = nil,
    alone: Int = 0,
    pendingCommits: Int = 0,
    pendingBytes: Int = 0
  ) -> EngineSample.Connection {
    EngineSample.Connection(
      name: name,
      ageCommits: age,
      ageNanoseconds: ageNanoseconds,
      pinnedNanoseconds: pinnedNanoseconds,
      framesHeldAlone: alone,
      pendingCommits: pendingCommits,
      pendingBytes: pendingBytes
    )
  }

  static func phaseResult(
    _ name: String = "phase",
    isRecorded: Bool = true,
    from start: UInt64 = 0,
    to end: UInt64,
    _ reason: PhaseResult.End = .reached,
    condition: String? = nil
  ) -> PhaseResult {
    PhaseResult(
      name: name,
      isRecorded: isRecorded,
      startNanoseconds: start,
      endNanoseconds: end,
      end: reason,
      condition: condition
    )
  }

  static func record(
    _ result: PhaseResult,
    _ actors: [PhaseRecord.Actor] = [],
    samples: [EngineSample] = [],
    isOver: Bool = true,
    frameBytes: Int = 100
  ) -> PhaseRecord {
    PhaseRecord(
      result: result,
      actors: actors,
      samples: samples,
      isOver: isOver,
      frameBytes: frameBytes,
      digits: 3
    )
  }

  /// An actor's record whose histograms are empty, but for those that are given by slot.
  static func measured(
    _ settings: ActorSettings,
    _ histograms: [Int: LatencyHistogram] = [:],
    intervals: [IntervalResult] = [],
    due: Int? = nil,
    begun: Int = 0
  ) -> PhaseRecord.Actor {
    let slots = TimingSlots(settings)
    var tally = WorkerTally()
    tally.begunTransactions = begun
    return PhaseRecord.Actor(
      settings: settings,
      slots: slots,
      histograms: (0..<slots.count).map { histograms[$0] ?? LatencyHistogram(digits: 3) },
      intervals: [.service: IntervalSeries(intervals)],
      dueArrivals: due,
      tally: tally
    )
  }

  static func interval(
    _ second: UInt64,
    count: Int,
    phaseStart: UInt64 = 0,
    nanoseconds: UInt64 = 1_000_000_000
  ) -> IntervalResult {
    IntervalResult(
      startNanoseconds: phaseStart + second * 1_000_000_000,
      endNanoseconds: phaseStart + second * 1_000_000_000 + nanoseconds,
      count: count,
      p50Nanoseconds: 1,
      p99Nanoseconds: 1,
      maximumNanoseconds: 1
    )
  }
}

extension PhaseRecord.Actor {
  /// Arrivals that were due and did not begin.
  var unbegunArrivals: Int { histograms[slots.unbegun].count }
}
