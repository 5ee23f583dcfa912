internal import BenchDrivers
public import BenchModel
internal import Foundation
public import ThreadingPrimitives

/// One run of one scenario: from its dataset to its verdict.
public struct BenchmarkRun: Sendable {
  private let scenario: Scenario
  private let scenarioYAML: String
  private let options: RunOptions
  private let interruption: StopFlag
  private let onProgress: @Sendable (RunProgress) -> Void

  /// - Parameters:
  ///   - loaded: the scenario, with a seed; for a smoke run, cut short already.
  ///   - interruption: raised to end the run early; what was measured until then is returned.
  ///   - onProgress: is told how the run goes, on the thread that runs it.
  public init(
    _ loaded: LoadedScenario,
    options: RunOptions,
    interruption: StopFlag = StopFlag(),
    onProgress: @escaping @Sendable (RunProgress) -> Void = { _ in }
  ) {
    scenario = loaded.scenario
    scenarioYAML = loaded.expandedYAML
    self.options = options
    self.interruption = interruption
    self.onProgress = onProgress
  }

  /// Runs the scenario, and blocks until it is over.
  /// - Returns: everything that was measured, the verdict included: a broken expectation or invariant is no error.
  /// - Throws: `RunError`, or the engine's own error, where no run came about.
  public func perform() throws -> RunResult {
    guard let seed = scenario.seed else {
      throw RunError(problem: "the scenario \"\(scenario.name)\" has no seed", remedy: "write one into it, or draw one")
    }
    let path = try databasePath()
    let startedAt = Date().formatted(.iso8601)
    let environment = RunEnvironment.probe(dataFolder: options.dataFolder)
    let hostBefore = HostFigures.now()
    let database = try Drivers.open(scenario.engine, path: path, plantedBugs: options.plantedBugs)
    var measured: Measured
    do { measured = try measure(database, seed: seed) } catch {
      try? database.close()  // the first error tells more than that of closing after it
      throw error
    }
    do { try database.close() } catch { measured.failure = measured.failure ?? "closing: \(error)" }
    let hostAfter = HostFigures.now()
    measured.stealShare = hostAfter.stealShare(since: hostBefore)
    measured.clockStepNanoseconds = hostAfter.wallClockOffsetNanoseconds - hostBefore.wallClockOffsetNanoseconds
    return try result(measured, seed: seed, startedAt: startedAt, environment)
  }

  /// The database's file, in a folder that is there afterwards.
  private func databasePath() throws -> String {
    do {
      try FileManager.default.createDirectory(atPath: options.dataFolder, withIntermediateDirectories: true)
    } catch {
      throw RunError(
        problem: "the data folder \(options.dataFolder) cannot be created: \(error.localizedDescription)",
        remedy: "name another folder"
      )
    }
    let path = "\(options.dataFolder)/\(scenario.name).sqlite"
    for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: path + suffix) {
      throw RunError(problem: "\(path + suffix) is there already", remedy: "move it away, or name another data folder")
    }
    return path
  }

  /// Loads the dataset, runs the phases, and checks every row.
  private func measure(_ database: any DriverDatabase, seed: UInt64) throws -> Measured {
    let context = try RunContext(scenario, seed: seed, database: database)
    let dataset = DatasetLoading(context: context, interruption: interruption, onProgress: onProgress)
    let isLoaded = try dataset.load()
    var conductor = PhaseConductor(
      context,
      interruption: interruption,
      runStart: MonotonicClock.now,
      onProgress: onProgress
    )
    if isLoaded {
      for (index, phase) in scenario.phases.enumerated() where !conductor.mustStop {
        try conductor.run(phase, number: index + 1, of: scenario.phases.count)
      }
    }
    let wasInterrupted = interruption.isRaised
    var checks = context.checks
    if !context.mustStop, !wasInterrupted {
      // What was measured, and found to be wrong, is told even if the engine fails now.
      do {
        for connection in context.connections.values { try connection.endLongLivedRead() }
        try dataset.checkAll(&checks)
      } catch {
        context.failures.report("after the last phase: \(error)")
      }
    }
    return Measured(
      phases: conductor.records,
      samples: conductor.sampler.samples,
      checkpoints: conductor.sampler.checkpoints,
      invariants: scenario.invariants.map { invariant in
        InvariantResult(
          name: invariant.rawValue,
          checks: context.invariants.contains(invariant) ? checks[invariant] : 0,
          violations: context.violations.violations(of: invariant)
        )
      },
      rowsAtEnd: context.collections.compactMapValues { $0.oracle?.presentRows },
      pageSizeBytes: database.pageSize,
      wasInterrupted: wasInterrupted,
      failure: context.failures.failure,
      abortedBy: conductor.abortedBy?.source
    )
  }

  private func result(
    _ measured: Measured,
    seed: UInt64,
    startedAt: String,
    _ environment: RunEnvironment
  ) throws -> RunResult {
    onProgress(.finishing(what: "measuring the harness itself"))
    let harness = HarnessResult(
      nullOperationNanoseconds: try HarnessCost.nullOperationNanoseconds(),
      clockNanoseconds: HarnessCost.clockNanoseconds(),
      generators: measured.phases.flatMap(\.generators),
      stealShare: measured.stealShare,
      distrust: Distrust.reasons(
        measured.phases,
        stealShare: measured.stealShare,
        clockStepNanoseconds: measured.clockStepNanoseconds
      )
    )
    let expectations = scenario.expectations.map { expectation in measured.judge(expectation) }
    let verdict = Verdict(
      isSmoke: options.isSmoke,
      wasInterrupted: measured.wasInterrupted,
      failure: measured.failure,
      abortedBy: measured.abortedBy,
      phases: measured.phases.map(\.result),
      expectations: expectations,
      invariants: measured.invariants,
      repetition: "--seed \(seed)",
      distrust: harness.distrust
    )
    return RunResult(
      runID: "\(scenario.name)-\(startedAt)-\(seed)",
      scenario: scenario.name,
      summary: scenario.summary,
      tags: scenario.tags,
      seed: seed,
      driver: scenario.engine.driver.rawValue,
      startedAt: startedAt,
      isSmoke: options.isSmoke,
      isPartial: measured.phases.count < scenario.phases.count || measured.isCutShort,
      environment: environment,
      notes: notes(environment),
      scenarioYAML: scenarioYAML,
      pageSizeBytes: measured.pageSizeBytes,
      samplingNanoseconds: scenario.measure.everyNanoseconds,
      phases: measured.phases.map(\.result),
      latencies: measured.phases.flatMap(\.latencies),
      intervals: measured.phases.flatMap(\.intervals),
      samples: measured.samples,
      checkpoints: measured.checkpoints,
      blame: Blame.result(measured.phases),
      expectations: expectations,
      invariants: measured.invariants,
      harness: harness,
      rowsAtEnd: measured.rowsAtEnd,
      verdict: verdict.result
    )
  }

  private func notes(_ environment: RunEnvironment) -> [String] {
    var notes = Drivers.notes(scenario)
    if MountTable.memoryFileSystems.contains(environment.fileSystem) {
      notes.append(
        "The database lay in memory (\(environment.fileSystem)): its syncs were free, so no figure says what a disk "
          + "would cost. Name a folder on a disk with --data-dir."
      )
    }
    if scenario.phases.contains(where: { $0.actors.contains { $0.settings.load.isClosed } }) {
      notes.append("Response times of closed loads are not corrected for coordinated omission.")
    }
    return notes
  }
}

/// What a run has measured, before it is judged.
private struct Measured {
  var phases: [PhaseRecord]
  var samples: [EngineSample]
  var checkpoints: [CheckpointResult]
  var invariants: [InvariantResult]
  var rowsAtEnd: [String: Int]
  var pageSizeBytes: Int
  var wasInterrupted: Bool
  var failure: String?
  var abortedBy: String?
  var stealShare = 0.0
  var clockStepNanoseconds: Int64 = 0

  var isCutShort: Bool { phases.contains { $0.result.end == .cutShort } }

  func judge(_ expectation: Expectation) -> ExpectationResult {
    let phase = phases.first { $0.name == expectation.scope.phase }
    let value = phase.flatMap { $0.value(of: expectation) }
    return ExpectationResult(
      source: expectation.source,
      measured: MeasuredText.make(value, expectation.unit),
      measuredValue: value,
      holds: value.map { expectation.comparison.holds($0, expectation.value) } ?? false
    )
  }
}
