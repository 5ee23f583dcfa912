internal import BenchDrivers
internal import BenchResults
internal import BenchScenario

/// Samples the engine, the process and the actors, and collects the checkpoints.
struct Sampler {
  let database: any DriverDatabase
  /// The start of the run's first phase, in nanoseconds of the monotonic clock.
  var runStart: UInt64 = 0
  /// At most `mostSamples`, so that a saved result can be read again.
  private(set) var samples: [EngineSample] = []
  /// The time between two samples. It doubles each time there are `mostSamples`.
  private(set) var intervalNanoseconds: UInt64
  private let mostSamples: Int
  private(set) var checkpoints: [CheckpointResult] = []
  private var lastCheckpoint: Int
  private let processorWaits: ProcessDelay
  private var engineProcess = EngineProcessFigures()
  private let throttling = ThrottlingProbe()
  private let disk: DiskUse?

  /// - Parameters:
  ///   - disk: The use of the database's disk; nil if it is not measured.
  ///   - processorWaits: The waits of this process's threads, which each sample refreshes.
  init(
    _ database: any DriverDatabase,
    every interval: UInt64,
    disk: DiskUse? = nil,
    processorWaits: ProcessDelay = ProcessDelay(),
    mostSamples: Int = EngineSample.mostInRun
  ) {
    self.database = database
    self.disk = disk
    self.processorWaits = processorWaits
    self.mostSamples = mostSamples
    intervalNanoseconds = interval
    // Checkpoints of the dataset's load do not belong to the run.
    lastCheckpoint = database.checkpoints(after: 0).last?.number ?? 0
  }

  var frameBytes: Int { database.frameBytes }
  /// Whether the engine runs in a process of its own.
  var hasEngineProcess: Bool { database.restarting != nil }

  mutating func sample(phase: String, _ actors: [RunningActor], at now: UInt64) -> EngineSample {
    collectCheckpoints(phase: phase)
    var sample = database.observe() ?? EngineSample(commit: Int(database.commit))
    (sample.phase, sample.elapsedNanoseconds) = (phase, now - runStart)
    for actor in actors {
      let name = actor.settings.name
      sample.finishedTransactions[name] = actor.finishedTransactions
      if let schedule = actor.runningSchedule {
        sample.dueArrivals[name] = schedule.dueArrivals(at: now - min(actor.phase.startedAt, now))
        sample.droppedArrivals[name] = actor.droppedArrivals
      }
      if actor.settings.nests { sample.deadlocks[name] = actor.deadlocks }
      sample.logicalBytes[name] = actor.logicalBytes
    }
    let process = ProcessFigures.now()
    (sample.residentBytes, sample.allocatedBytes) = (process.residentBytes, process.allocatedBytes)
    sample.userCPUNanoseconds = process.userCPUNanoseconds
    sample.systemCPUNanoseconds = process.systemCPUNanoseconds
    sample.contextSwitches = process.contextSwitches
    let host = HostFigures.now()
    (sample.stolenNanoseconds, sample.busyNanoseconds) = (host.stolenNanoseconds, host.busyNanoseconds)
    processorWaits.refresh()
    sample.runDelayNanoseconds = processorWaits.nanoseconds
    if let engine = database.restarting {
      engineProcess.update(engine.processIdentifier)
      sample.engineCPUNanoseconds = engineProcess.cpuNanoseconds
      sample.runDelayNanoseconds? += engineProcess.runDelayNanoseconds
    }
    let throttled = throttling.current()
    (sample.throttledPeriods, sample.throttledNanoseconds) = (throttled?.periods, throttled?.nanoseconds)
    sample.ioPressureNanoseconds = PressureFigures.ioNanoseconds()
    let traffic = disk?.traffic()
    (sample.foreignDiskBytes, sample.diskSyncs) = (traffic?.bytes, traffic?.syncs)
    if samples.count >= mostSamples { thinOut() }
    samples.append(sample)
    return sample
  }

  /// Drops every second sample, and doubles the interval. The first and the last sample of each phase are kept.
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
    for var checkpoint in database.checkpoints(after: lastCheckpoint) {
      lastCheckpoint = checkpoint.number
      (checkpoint.number, checkpoint.phase) = (checkpoints.count + 1, phase)
      checkpoint.elapsedNanoseconds -= min(checkpoint.elapsedNanoseconds, runStart)
      checkpoints.append(checkpoint)
    }
  }
}
