internal import BenchResults
internal import BenchScenario

extension RunMoment {
  /// - Parameters:
  ///   - before: The phase's previous sample; nil for the first.
  ///   - phase: The phase that runs.
  init(_ sample: EngineSample, since before: EngineSample?, in phase: ConductedPhase, frameBytes: Int) {
    let seconds = Double(sample.elapsedNanoseconds - (before?.elapsedNanoseconds ?? sample.elapsedNanoseconds)) / 1e9
    let pinning = sample.wal?.pinnedBy.flatMap { name in sample.connections.first { $0.name == name } }
    let actors = phase.measurements.map { $0.moment(sample, since: before, seconds: seconds) }
    self.init(
      phase: sample.phase,
      elapsedNanoseconds: sample.elapsedNanoseconds - min(phase.result.startNanoseconds, sample.elapsedNanoseconds),
      plannedNanoseconds: phase.running.settings.end.plannedNanoseconds,
      transactionsPerSecond: actors.reduce(0) { $0 + $1.transactionsPerSecond },
      actors: actors,
      brokenExpectations: phase.judgement.broken.map(\.source),
      walBytes: sample.wal?.bytes,
      walBacklogBytes: sample.wal.map { $0.backlogFrames * frameBytes },
      pinnedBy: sample.wal?.pinnedBy,
      pinnedNanoseconds: pinning?.pinnedNanoseconds,
      pinnedBytes: pinning.map { $0.framesHeldAlone * frameBytes }
    )
  }
}
