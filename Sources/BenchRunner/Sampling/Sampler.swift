internal import BenchDrivers
internal import BenchModel

/// Samples the engine, the process and the actors, and collects the checkpoints.
struct Sampler {
  let database: any DriverDatabase
  /// The start of the run's first phase, in nanoseconds of the monotonic clock.
  var runStart: UInt64 = 0
  /// At most `mostSamples`, so that a saved result can be read again.
  private(set) var samples: [EngineSample] = []
  /// The time between two samples. It doubles each time there are too many.
  private(set) var intervalNanoseconds: UInt64
  private let mostSamples: Int
  private(set) var checkpoints: [CheckpointResult] = []
  private var lastCheckpoint: Int

  init(_ database: any DriverDatabase, every interval: UInt64, mostSamples: Int = PackedSamples.mostSamples) {
    self.database = database
    self.mostSamples = mostSamples
    intervalNanoseconds = interval
    // Checkpoints of the dataset's load do not belong to the run.
    lastCheckpoint = database.checkpoints(after: 0).last?.number ?? 0
  }

  var frameBytes: Int { database.frameBytes }

  mutating func sample(phase: String, _ actors: [RunningActor], at now: UInt64) -> EngineSample {
    collectCheckpoints(phase: phase)
    let observation = database.observe()
    let process = ProcessFigures.now()
    let sample = EngineSample(
      elapsedNanoseconds: now - runStart,
      phase: phase,
      commit: Int(observation?.commit ?? database.commit),
      wal: observation.map(Self.wal),
      connections: observation?.connections.map(Self.connection) ?? [],
      finishedTransactions: Dictionary(
        uniqueKeysWithValues: actors.map { ($0.settings.name, $0.finishedTransactions) }
      ),
      deadlocks: actors.contains { $0.settings.nests }
        ? Dictionary(
          uniqueKeysWithValues: actors.filter(\.settings.nests).map { ($0.settings.name, $0.deadlocks) }
        ) : nil,
      logicalBytes: Dictionary(uniqueKeysWithValues: actors.map { ($0.settings.name, $0.logicalBytes) }),
      writes: observation?.writes,
      residentBytes: process.residentBytes,
      allocatedBytes: process.allocatedBytes,
      userCPUNanoseconds: process.userCPUNanoseconds,
      systemCPUNanoseconds: process.systemCPUNanoseconds,
      contextSwitches: process.contextSwitches,
      stolenNanoseconds: HostFigures.now().stolenNanoseconds,
      ioPressureNanoseconds: PressureFigures.ioNanoseconds()
    )
    if samples.count >= mostSamples { thinOut() }
    samples.append(sample)
    return sample
  }

  /// Drops every second sample, except the first and the last of a phase, from which its figures are calculated.
  private mutating func thinOut() {
    let last = samples.count - 1
    samples = samples.indices.compactMap { index in
      let sample = samples[index]
      let isAtAnEnd =
        index == 0 || index == last || samples[index - 1].phase != sample.phase
        || samples[index + 1].phase != sample.phase
      return index.isMultiple(of: 2) || isAtAnEnd ? sample : nil
    }
    intervalNanoseconds *= 2
  }

  mutating func collectCheckpoints(phase: String) {
    for checkpoint in database.checkpoints(after: lastCheckpoint) {
      lastCheckpoint = checkpoint.number
      checkpoints.append(
        CheckpointResult(
          number: checkpoint.number,
          phase: phase,
          elapsedNanoseconds: checkpoint.startedAt - min(checkpoint.startedAt, runStart),
          mode: checkpoint.mode,
          cause: checkpoint.cause,
          waitNanoseconds: checkpoint.waitNanoseconds,
          durationNanoseconds: checkpoint.durationNanoseconds,
          framesInWAL: checkpoint.framesInWAL,
          framesCopied: checkpoint.framesCopied,
          framesLeft: checkpoint.framesLeft,
          bytesCopied: checkpoint.bytesWritten ?? checkpoint.framesCopied * database.pageSize,
          syncs: checkpoint.syncs,
          outcome: checkpoint.outcome,
          pinnedBy: checkpoint.pinnedBy,
          laneNanoseconds: checkpoint.laneNanoseconds,
          overlappingCommits: checkpoint.overlappingCommits,
          stalledWriters: checkpoint.stalledWriters
        )
      )
    }
  }

  private static func wal(_ observation: DriverObservation) -> EngineSample.WAL {
    EngineSample.WAL(
      bytes: observation.walBytes,
      frames: observation.walFrames,
      backlogFrames: observation.walBacklogFrames,
      heldFrames: observation.walHeldFrames,
      pinnedBy: observation.walPinnedBy
    )
  }

  private static func connection(_ connection: DriverObservation.Connection) -> EngineSample.Connection {
    EngineSample.Connection(
      name: connection.name,
      ageCommits: Int(connection.ageCommits),
      ageNanoseconds: connection.ageNanoseconds,
      pinnedNanoseconds: connection.pinnedNanoseconds,
      framesHeldAlone: connection.framesHeldAlone,
      pendingCommits: Int(connection.pendingCommits),
      pendingBytes: connection.pendingBytes,
      caches: connection.caches.map { caches in
        EngineSample.Caches(object: counts(caches.objects), metadata: counts(caches.metadata))
      }
    )
  }

  private static func counts(_ counts: DriverObservation.Caches.Values) -> EngineSample.CacheCounts {
    EngineSample.CacheCounts(
      hits: counts.hits,
      misses: counts.misses,
      updatedByPolicy: counts.updatedByPolicy,
      dropped: counts.dropped,
      readAgain: counts.readAgain,
      decoded: counts.decoded,
      copied: counts.copied
    )
  }
}
