internal import BenchReports
internal import BenchResults
internal import BenchRunner
internal import BenchScenario
internal import ThreadingPrimitives

/// Runs all variants and repetitions of one scenario, writes the report and prints the verdict.
struct ScenarioAction {
  let options: RunOptionGroup
  let loaded: LoadedScenario
  /// The scenario's number in the command, counted from 1.
  let number: Int
  let data: DataFolder
  let display: ProgressDisplay
  /// The baseline with which the report compares; nil for none.
  var baseline: BaselineFolder?

  func perform(in context: CommandContext) -> ScenarioOutcome {
    display.beginScenario(
      loaded,
      number: number,
      runs: loaded.shard?.cases.count ?? loaded.runCount,
      headline: headline
    )
    let outcome = outcome(in: context)
    display.endScenario()
    context.events?.scenarioEnded(outcome)
    return outcome
  }

  private func outcome(in context: CommandContext) -> ScenarioOutcome {
    do {
      let folder = try data.folder(forRun: number, of: loaded.scenario.name)
      defer { keepOrRemove(folder, in: context) }
      let log = try LatencyLogFile(in: options.reportFolder.text)
      defer { log.discard() }
      var runOptions = RunOptions(dataFolder: folder, keepsDatabase: options.keepsDatabase, isSmoke: options.isSmoke)
      runOptions.retriesOfInvalid = options.isSmoke ? 0 : options.retries
      runOptions.quietWaitNanoseconds = options.quietWait.nanoseconds
      runOptions.isStrict = options.isStrict
      runOptions.takesTurns = options.takesTurns
      runOptions.latencyLog = LatencyLog(base: MonotonicClock.now, write: log.write)
      let result = try context.runner(loaded, runOptions, context.interruption) { [display] in display.show($0) }
      // Before the report is written, which may need the space on the disk.
      if !data.isKept { DataFolder.remove(folder) }
      return report(result, log, in: context)
    } catch {
      return ScenarioOutcome(scenario: loaded.scenario.name, failure: show(error, in: context))
    }
  }

  private var headline: String {
    let smoke = options.isSmoke ? ", smoke" : ""
    let seed = loaded.scenario.seed.map { ", seed \($0)" } ?? ""
    let memory = MemoryText.text(of: MemoryEstimate(loaded))
    let part = loaded.shard.map { ", \($0.shard.text): \(Quantity.count($0.cases.count, of: "run"))" } ?? ""
    return "\(loaded.scenario.name): \(PlannedRuns.text(of: loaded)), \(memory)\(seed)\(part)\(smoke)"
  }

  /// Writes the report and prints the verdict. If writing fails, only the printed verdict remains of the run.
  private func report(_ result: ScenarioResult, _ log: LatencyLogFile, in context: CommandContext) -> ScenarioOutcome {
    display.isReporting = true
    defer { display.isReporting = false }
    display.clear()
    var outcome = ScenarioOutcome(scenario: loaded.scenario.name, result: result)
    let command = RepeatCommand(
      reportFolder: options.reportFolder.text,
      dataFolder: options.dataFolder?.text,
      options: options.repeated
    )
    // A log that could not be written is reported as an error, and the report is written without it.
    let failure = log.failure
    let latencies = failure == nil ? log : nil
    let folder = Result {
      try RunDirectory.write(
        result,
        under: options.reportFolder.text,
        repeatedBy: command,
        latencyLog: latencies,
        baseline: baseline
      )
    }
    context.showSummary(of: result)
    switch folder {
    case .success(let folder):
      outcome.report = "\(folder)/report.md"
      context.output.line(InertText.line("report: \(folder)/report.md"))
      do { try ReportIndex.rewrite(in: options.reportFolder.text) } catch { outcome.add(show(error, in: context)) }
      if outcome.exitCode != .passed {
        context.output.line(InertText.line("repeat: \(command.text(for: result, in: folder))"))
      }
    case .failure(let error):
      outcome.add(show(error, in: context))
      context.errors.error("\(loaded.scenario.name): the results are lost; run the scenario again")
    }
    if let failure { outcome.add(show(failure, in: context)) }
    return outcome
  }

  private func show(_ error: any Error, in context: CommandContext) -> Failure {
    display.clear()
    let failure = Failure(error)
    context.errors.error("\(loaded.scenario.name): \(failure.text)")
    return failure
  }

  private func keepOrRemove(_ folder: String, in context: CommandContext) {
    if data.isKept, DataFolder.isPopulated(folder) {
      context.output.line(InertText.line("database: \(folder)"))
    } else {
      DataFolder.remove(folder)
    }
  }
}
