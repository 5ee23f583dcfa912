internal import BenchDrivers
internal import BenchResults
internal import BenchScenario
internal import ThreadingPrimitives

/// The result of the run.
extension BenchmarkRun {
  func result(
    _ measurements: MeasuredRun,
    seed: UInt64,
    startedAt: String,
    _ environment: RunEnvironment
  ) throws -> RunResult {
    var measured = measurements
    let distrust =
      Distrust.reasons(
        measured.phases,
        limits: environment.processorLimits,
        stealShare: measured.stealShare,
        clockStepNanoseconds: measured.clockStepNanoseconds
      ) + unmeasuredCosts(environment)
    let harness = try harnessCost(measured, distrust: distrust)
    let overhead = harness.nullOperationNanoseconds
    measured.markDisturbances(distrust)
    let expectations = scenario.expectations.map { measured.judge($0, overhead: overhead) }
    let isPartial = measured.phases.count < scenario.phases.count || measured.isCutShort
    let repetition = planned?.repetition ?? 1
    var result = RunResult()
    result.runID =
      "\(scenario.name)-\(startedAt)-\(seed)" + (variant.name.map { "-\($0)" } ?? "")
      + (repetition > 1 ? "-\(repetition)" : "")
    result.variant = variant.name
    result.repetition = repetition
    result.scenario = scenario.name
    result.summary = scenario.summary
    result.tags = scenario.tags
    result.seed = seed
    result.driver = scenario.engine.driver.rawValue
    result.engine = measured.configuration
    result.startedAt = startedAt
    result.isSmoke = options.isSmoke
    result.isPartial = isPartial
    result.environment = environment
    result.loadNanoseconds = measured.loadNanoseconds
    result.load = measured.load
    result.pageSizeBytes = measured.pageSizeBytes
    result.samplingNanoseconds = measured.samplingNanoseconds ?? scenario.measure.everyNanoseconds
    result.phases = measured.phases.map(\.tree)
    result.samples = measured.samples
    result.checkpoints = measured.checkpoints
    result.blame = Blame.result(measured.phases)
    result.walExcess = WALExcess.result(
      measured.samples,
      frameBytes: measured.phases.first?.frameBytes ?? 0,
      limitBytes: Drivers.walLimitBytes(scenario.engine)
    )
    result.notes = notes(measured, environment) + (result.walExcess.map { [$0.note] } ?? [])
    result.expectations = expectations
    let compared = scenario.variantExpectations.flatMap(\.figures)
    for figure in compared { result.comparedFigures["\(figure)"] = measured.value(of: figure, overhead: overhead) }
    result.invariants = measured.invariants
    result.harness = harness
    result.rowsAtEnd = measured.rowsAtEnd
    result.verdict = verdict(on: measured, distrust: distrust, result: result)
    return result
  }

  /// Returns a reason for each cost of the machine that is a limit and was not measured.
  private func unmeasuredCosts(_ environment: RunEnvironment) -> [Distrust.Reason] {
    guard measuresCosts, !options.isSmoke else { return [] }
    let limits = scenario.expectations.compactMap { expectation in
      if case .machine(let cost, _) = expectation.bound { cost } else { nil }
    }
    return MachineCosts.Kind.allCases.filter { limits.contains($0) && environment.costs?[$0] == nil }.map { cost in
      let text = "machine.\(cost.rawValue) could not be measured in \(options.dataFolder) (\(environment.fileSystem))"
      return Distrust.Reason(text: "\(text): use another --data-dir, or other limits", headline: text)
    }
  }

  /// - Parameter result: Complete but for the verdict.
  private func verdict(on measured: MeasuredRun, distrust: [Distrust.Reason], result: RunResult) -> VerdictResult {
    let compared = scenario.variantExpectations.flatMap(\.figures)
    // Those that are not judged by an expectation of the run.
    let asked = scenario.expectations.isEmpty && compared.isEmpty ? scenario.shownFigures : compared.map(\.id)
    let variant = variant.name.map { ["--only '\($0)'"] } ?? []
    return Verdict(
      isSmoke: options.isSmoke,
      // An interruption after the last check does not make the run partial.
      wasInterrupted: interruption.isRaised && (result.isPartial || !measured.areAllRowsChecked),
      failure: measured.failure,
      abortedBy: measured.abortedBy,
      phases: measured.phases.map(\.result),
      plannedPhases: scenario.phases.count,
      expectations: result.expectations,
      invariants: result.invariants,
      repetition: (["--seed \(result.seed)"] + variant).joined(separator: " "),
      distrust: distrust,
      expectedPhases: Set((scenario.expectations.flatMap(\.figures) + compared).map(\.scope.phase)),
      disturbedFigures: measured.disturbed(scenario.expectations.isEmpty && asked.isEmpty ? nil : asked)
    ).result
  }

  /// The harness's own costs and faults.
  private func harnessCost(_ measured: MeasuredRun, distrust: [Distrust.Reason]) throws -> HarnessResult {
    var harness = HarnessResult()
    harness.distrust = distrust.map(\.text)
    harness.loadFault = distrust.first { $0.effect == .load }?.headline
    harness.disturbance = distrust.first { $0.effect != .load }?.headline
    guard measuresCosts else { return harness }
    harness.nullOperationNanoseconds = try HarnessCost.nullOperationNanoseconds()
    harness.overheads = try HarnessCost.overheads(of: scenario)
    harness.clockNanoseconds = measured.machineCosts?.clockNanoseconds ?? 0
    harness.recordingNanoseconds = HarnessCost.recordingNanoseconds(digits: scenario.measure.histogramDigits)
    harness.lookingShare = measured.samplerCPUShare
    harness.stealShare = measured.stealShare
    return harness
  }

  private func notes(_ measured: MeasuredRun, _ environment: RunEnvironment) -> [String] {
    var notes: [String] = []
    if options.takesTurns {
      notes.append(
        "The workers took turns, by a time that no clock measures, so that instructions can be counted: all times and "
          + "rates of this run mean nothing."
      )
    }
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
    if !measured.areAllRowsChecked, scenario.engine.driver.keepsData {
      notes.append("The check at the end of the run did not cover every row.")
    }
    if let roundTrip = measured.roundTripNanoseconds {
      let text = Quantity.duration(nanoseconds: roundTrip)
      notes.append(
        "The engine ran in a process of its own, because an event ends it. Every call of a transaction was a message "
          + "to that process and back, which takes about \(text) and is included in the figures; memory and "
          + "processor time are those of the harness alone."
      )
    }
    if let interval = measured.samplingNanoseconds, interval > scenario.measure.everyNanoseconds {
      notes.append(
        "More samples were taken than a run keeps, so only 1 in \(interval / scenario.measure.everyNanoseconds) was "
          + "kept. Choose a longer \"measure.every\"."
      )
    }
    notes += Distrust.shortThrottling(measured.phases, environment.processorLimits)
    notes += Distrust.overloads(measured.phases)
    if scenario.phases.contains(where: { $0.actors.contains { $0.settings.load.isClosed } }) {
      notes.append("Response times of closed loads are not corrected for coordinated omission.")
    }
    return notes
  }
}
