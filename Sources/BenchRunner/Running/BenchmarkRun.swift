internal import BenchDrivers
internal import BenchResults
internal import BenchScenario
internal import Foundation
internal import ThreadingPrimitives

/// One run of one variant of a scenario, on a database of its own: from its dataset to its verdict.
struct BenchmarkRun: Sendable {
  /// The longest wait for the last notification after the last phase.
  private static let longestNoticeNanoseconds: UInt64 = 5_000_000_000

  /// The variant, whose scenario must have a seed and, for a smoke run, be shortened already.
  let variant: ScenarioVariant
  /// The run's position among the scenario's runs; nil for a single one.
  var planned: PlannedRun?
  let options: RunOptions
  /// Raised to end the run early; the measurements until then are returned.
  var interruption = StopFlag()
  /// Receives the run's progress on a thread of its own, so that it does not delay the phases.
  var onProgress: @Sendable (RunProgress) -> Void = { _ in }

  var scenario: Scenario { variant.scenario }

  /// Runs the scenario, and blocks until it is over.
  /// - Returns: all measurements and the verdict, also after a failed expectation or a violated invariant.
  /// - Throws: `RunError`, `ThreadError`, or the engine's error in a `DatabaseFailure`, if the run has no result.
  func perform() throws -> RunResult {
    guard let seed = scenario.seed else {
      throw RunError(problem: "the scenario \"\(scenario.name)\" has no seed", remedy: "add one, or draw one")
    }
    if options.takesTurns, let obstacle = scenario.obstacleToTurns {
      throw RunError(problem: "the workers of \"\(scenario.name)\" cannot take turns: \(obstacle)")
    }
    let path = try databasePath()
    let startedAt = Date().formatted(.iso8601)
    var environment = options.measuresHarness ? .probe(dataFolder: options.dataFolder) : RunEnvironment()
    if measuresCosts { environment.costs = .measure(in: options.dataFolder) }
    let relay = try ProgressRelay(to: onProgress)
    defer { relay.finish() }
    if let planned { relay.report(.runBegan(planned)) }
    let latencyLog = try options.latencyLog.map { try LatencyLogRelay($0, latencyTag) }
    defer { latencyLog?.finish() }
    let hostBefore = HostFigures.now()
    let database: any DriverDatabase
    do { database = try open(path) } catch { throw DatabaseFailure(path: path, error: error) }
    var measured: MeasuredRun
    do { measured = try measure(database, at: path, seed: seed, relay: relay, latencyLog: latencyLog) } catch {
      try? database.close()  // its error is dropped: the first one says more
      throw error is RunError ? error : DatabaseFailure(path: path, error: error)
    }
    measured.machineCosts = environment.costs
    measured.roundTripNanoseconds = database.restarting?.roundTripNanoseconds()
    if !measured.hasGivenUp {
      do { try database.close() } catch { measured.failure = measured.failure ?? "closing \(path): \(error)" }
    }
    let hostAfter = HostFigures.now()
    measured.stealShare = hostAfter.stealShare(since: hostBefore)
    measured.clockStepNanoseconds = hostAfter.wallClockOffsetNanoseconds - hostBefore.wallClockOffsetNanoseconds
    relay.report(.finishing(what: "measuring the harness itself"))
    return try result(measured, seed: seed, startedAt: startedAt, environment)
  }

  /// Whether the run measures the costs of the machine and of the harness, which mean nothing if workers take turns.
  var measuresCosts: Bool { options.measuresHarness && !options.takesTurns }

  private var latencyTag: LatencyTag {
    LatencyTag(variant: variant.name, repetition: planned.flatMap { $0.isRepeated ? $0.repetition : nil })
  }

  private func open(_ path: String) throws -> any DriverDatabase {
    let (engine, dataset, views) = (scenario.engine, scenario.dataset, scenario.firstViews)
    let tests = options.engineTests
    let database: any DriverDatabase =
      scenario.hasEngineProcess
      ? try EngineProcess(engine, dataset: dataset, views: views, path: path, tests: tests)
      : try Drivers.open(engine, dataset: dataset, views: views, path: path, tests: tests)
    return options.decorate?(database, path) ?? database
  }

  /// Returns the path of the database's file, after creating its folder.
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
      throw RunError(problem: "\(path + suffix) exists already", remedy: "move it away, or name another data folder")
    }
    return path
  }

  /// Loads the dataset, runs the phases, and checks the data.
  private func measure(
    _ database: any DriverDatabase,
    at path: String,
    seed: UInt64,
    relay: ProgressRelay,
    latencyLog: LatencyLogRelay?
  ) throws -> MeasuredRun {
    // While the engine's own process is replaced, its traffic belongs to no process.
    let isMeasured = options.measuresHarness && !scenario.hasEngineProcess
    let disk = isMeasured ? DiskUse(folder: options.dataFolder) : nil
    let context = try RunContext(
      scenario,
      seed: seed,
      database: database,
      databasePath: database.keepsData ? path : nil,
      latencyLog: latencyLog,
      checking: options.invariants,
      keepsLedger: options.keepsLedger,
      takesTurns: options.takesTurns,
      onAcknowledgement: options.onAcknowledgement
    )
    let dataset = DatasetLoading(context: context, interruption: interruption, onProgress: relay.report)
    let loaded = try dataset.load()
    var conductor = PhaseConductor(context, disk: disk, interruption: interruption, onProgress: relay.report)
    conductor.judgesExpectations = !options.isSmoke
    if let patience = options.patienceNanoseconds { conductor.patience.untilGivenUp = patience }
    var measured = MeasuredRun(pageSizeBytes: database.pageSize, configuration: database.configuration)
    if let loaded {
      (measured.loadNanoseconds, measured.load, measured.backlogFramesAtStart) = loaded
      try runPhases(&conductor)
    }
    if !conductor.hasGivenUp, !context.mustStop {
      let check = FinalCheck(context: context, interruption: interruption, onProgress: relay.report)
      measured.areAllRowsChecked = checkEnd(check, samples: conductor.sampler.samples)
    }
    measured.take(conductor)
    measured.take(context)
    return measured
  }

  private func runPhases(_ conductor: inout PhaseConductor) throws {
    for (index, phase) in scenario.phases.enumerated() where !conductor.mustStop {
      do { try conductor.run(phase, number: index + 1, of: scenario.phases.count) } catch {
        // The error is recorded, so that the measurements of earlier phases are reported.
        guard !conductor.records.isEmpty else { throw error }
        conductor.context.failures.report("\(error)")
      }
    }
  }

  /// Checks the data after the last phase, and waits for missing notifications. An error of the engine is recorded, so
  /// that the measurements are still reported.
  /// - Returns: whether every collection was checked.
  private func checkEnd(_ check: FinalCheck, samples: [EngineSample]) -> Bool {
    if interruption.isRaised { return false }
    let context = check.context
    do {
      for connection in context.allConnections { try connection.endLongLivedRead() }
      var checks = CheckCounts()
      try WALBoundCheck(context)?.run(samples, &checks)
      let isWhole = try check.run(&checks)
      context.add(checks)
      if context.database.keepsData {
        context.notifications.expect(context.database.commit, within: Self.longestNoticeNanoseconds)
      }
      return isWhole
    } catch {
      context.report(error, in: "after the last phase")
      return false
    }
  }
}
