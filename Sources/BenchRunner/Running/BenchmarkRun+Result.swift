internal import BenchDrivers
internal import BenchModel
internal import ThreadingPrimitives

/// The result of the run.
extension BenchmarkRun {
  func result(
    _ measured: MeasuredRun,
    seed: UInt64,
    startedAt: String,
    _ environment: RunEnvironment
  ) throws -> RunResult {
    let harness = try harness(measured)
    let expectations = scenario.expectations.map { expectation in
      measured.judge(expectation, overhead: harness.nullOperationNanoseconds)
    }
    let verdict = Verdict(
      isSmoke: options.isSmoke,
      wasInterrupted: interruption.isRaised,
      failure: measured.failure,
      abortedBy: measured.abortedBy,
      phases: measured.phases.map(\.result),
      plannedPhases: scenario.phases.count,
      expectations: expectations,
      invariants: measured.invariants,
      repetition: (["--seed \(seed)"] + (variant.name.map { ["--only '\($0)'"] } ?? [])).joined(separator: " "),
      distrust: harness.distrust
    )
    let repetition = planned?.repetition ?? 1
    let walExcess = WALExcess.result(
      measured.samples,
      frameBytes: measured.phases.first?.frameBytes ?? 0,
      limitBytes: Drivers.walLimitBytes(scenario.engine)
    )
    var result = RunResult(
      runID: "\(scenario.name)-\(startedAt)-\(seed)" + (variant.name.map { "-\($0)" } ?? "")
        + (repetition > 1 ? "-\(repetition)" : ""),
      variant: variant.name,
      repetition: repetition,
      scenario: scenario.name,
      summary: scenario.summary,
      tags: scenario.tags,
      seed: seed,
      driver: scenario.engine.driver.rawValue,
      startedAt: startedAt,
      isSmoke: options.isSmoke,
      isPartial: measured.phases.count < scenario.phases.count || measured.isCutShort,
      environment: environment,
      notes: notes(measured, environment) + (walExcess.map { [$0.note] } ?? []),
      pageSizeBytes: measured.pageSizeBytes,
      samplingNanoseconds: measured.samplingNanoseconds ?? scenario.measure.everyNanoseconds,
      phases: measured.phases.map(\.result),
      latencies: measured.phases.flatMap(\.latencies),
      deadlocks: measured.phases.flatMap(\.deadlocks),
      allocations: measured.phases.flatMap(\.allocations),
      commitTimes: measured.phases.flatMap(\.commitTimes),
      waits: measured.phases.flatMap(\.waits),
      waitIntervals: measured.phases.flatMap(\.waitIntervals),
      intervals: measured.phases.flatMap(\.intervals),
      samples: measured.samples,
      checkpoints: measured.checkpoints,
      events: measured.phases.flatMap(\.events),
      blame: Blame.result(measured.phases),
      expectations: expectations,
      invariants: measured.invariants,
      harness: harness,
      rowsAtEnd: measured.rowsAtEnd,
      digests: measured.phases.flatMap(\.digests),
      verdict: verdict.result
    )
    result.walExcess = walExcess
    return result
  }

  /// The harness's figures about itself.
  private func harness(_ measured: MeasuredRun) throws -> HarnessResult {
    HarnessResult(
      nullOperationNanoseconds: try HarnessCost.nullOperationNanoseconds(),
      clockNanoseconds: HarnessCost.clockNanoseconds(),
      lookingShare: measured.lookingShare,
      recordingNanoseconds: HarnessCost.recordingNanoseconds(digits: scenario.measure.histogramDigits),
      generators: measured.phases.flatMap(\.generators),
      stealShare: measured.stealShare,
      distrust: Distrust.reasons(
        measured.phases,
        stealShare: measured.stealShare,
        clockStepNanoseconds: measured.clockStepNanoseconds
      )
    )
  }

  private func notes(_ measured: MeasuredRun, _ environment: RunEnvironment) -> [String] {
    var notes: [String] = []
    if MountTable.memoryFileSystems.contains(environment.fileSystem) {
      notes.append(
        "The database was in memory (\(environment.fileSystem)): its syncs cost nothing, so the figures exclude the "
          + "cost of a disk. Choose a folder on a disk with --data-dir."
      )
    }
    if measured.backlogFramesAtStart > 0 {
      notes.append(
        "The first phase began with \(measured.backlogFramesAtStart) frames of the dataset's load in the WAL: the "
          + "engine did not copy them into the database in time."
      )
    }
    if !measured.areAllRowsChecked, scenario.engine.driver != .null {
      notes.append("The check at the end of the run did not reach every row.")
    }
    if let roundTrip = measured.roundTripNanoseconds {
      let text = MeasuredText.make(Double(roundTrip), .nanoseconds)
      notes.append(
        "The engine ran in a process of its own, because an event ends it. Every call of a transaction was a message "
          + "to that process and back, which takes at least \(text) and is included in the figures; memory and "
          + "processor time are those of the harness alone."
      )
    }
    if let interval = measured.samplingNanoseconds, interval > scenario.measure.everyNanoseconds {
      notes.append(
        "More samples were taken than a run keeps, so only 1 in \(interval / scenario.measure.everyNanoseconds) was "
          + "kept. Choose a longer \"measure.every\"."
      )
    }
    notes += Distrust.overloads(measured.phases)
    if scenario.phases.contains(where: { $0.actors.contains { $0.settings.load.isClosed } }) {
      notes.append("Response times of closed loads are not corrected for coordinated omission.")
    }
    return notes
  }
}
