internal import BenchModel
internal import BenchReports
internal import BenchRunner
internal import Glibc
internal import ThreadingPrimitives

/// Runs the variants of one of the scenarios of `run`, writes the report and prints the verdict.
struct ScenarioAction {
  let options: RunOptionGroup
  let loaded: LoadedScenario
  /// Counted from 1.
  let number: Int
  let data: DataFolder
  let display: ProgressDisplay
  let stage: RunStage

  func perform(in context: CommandContext) -> Int32 {
    display.showMessage(headline)
    do {
      let folder = try data.folder(forRun: number, of: loaded.scenario.name)
      defer { keepOrRemove(folder, in: context) }
      let log = try LatencyLogFile(in: options.reportFolder)
      var runOptions = RunOptions(
        dataFolder: folder,
        keepsDatabase: options.keepsDatabase,
        isSmoke: options.isSmoke
      )
      runOptions.latencyLog = LatencyLog(base: MonotonicClock.now, write: log.write)
      let result = try context.runner(loaded, runOptions, context.interruption) { [display] in display.show($0) }
      // Before the report is written, which may need the space on the disk.
      if !data.isKept { DataFolder.remove(folder) }
      return report(result, log, in: context)
    } catch {
      return report(error, in: context)
    }
  }

  private var headline: String {
    let smoke = options.isSmoke ? ", smoke" : ""
    let seed = loaded.scenario.seed.map { ", seed \($0)" } ?? ""
    let memory = MemoryText.text(of: MemoryEstimate(loaded))
    return "\(loaded.scenario.name): \(PlannedRuns.text(of: loaded)), \(memory)\(seed)\(smoke)"
  }

  /// Writes the report. The verdict is printed even if that fails, because nothing else remains of the run.
  private func report(_ result: ScenarioResult, _ log: LatencyLogFile, in context: CommandContext) -> Int32 {
    stage.isReporting = true
    defer { stage.isReporting = false }
    display.clear()
    var codes = [result.verdict.exitCode.rawValue]
    let command = RepeatCommand(reportFolder: options.reportFolder, dataFolder: options.dataFolder)
    // A log that could not be written is reported as an error, and the report is written without it.
    let failure = log.failure
    let latencies = failure == nil ? log : nil
    let write = { try RunDirectory.write(result, under: $0, repeatedBy: command, latencyLog: latencies) }
    let folder = Result { try write(options.reportFolder) }
    for line in ConsoleSummary.lines(result) { context.output.line(line) }
    switch folder {
    case .success(let folder):
      context.output.line(InertText.line("report: \(folder)/report.md"))
      do { try ReportIndex.rewrite(in: options.reportFolder) } catch { codes.append(report(error, in: context)) }
      if codes != [ExitStatus.passed.rawValue] {
        context.output.line(InertText.line("repeat: \(command.text(for: result, in: folder))"))
      }
    case .failure(let error):
      codes.append(report(error, in: context))
      save(result, in: context, write)
    }
    if let failure { codes.append(report(failure, in: context)) }
    return ExitStatus.mostSevere(codes)
  }

  /// Saves a report that could not be written to its own folder in another one, so that a full disk does not lose the
  /// results of a long run. If there is no space for the complete report, only the record is saved.
  private func save(_ result: ScenarioResult, in context: CommandContext, _ write: (String) throws -> String) {
    if let saved = saveInRefuge(in: context, onFailure: { _ = report($0, in: context) }, write) {
      context.output.line(InertText.line("report: \(saved)/report.md"))
      context.errors.line(InertText.line("saved temporarily in \(saved): move it to a permanent folder"))
    } else if let saved = saveInRefuge(in: context, { try RunDirectory.writeRecord(result, under: $0) }) {
      let remedy = "move it to a permanent folder, and write the rest there with: \(Program.name) report FOLDER"
      let parts = "only run.json and scenario.yaml, without latency.hlog"
      context.errors.line(InertText.line("saved temporarily in \(saved): \(parts); \(remedy)"))
    } else {
      context.errors.error(
        "\(loaded.scenario.name): the results are lost: no folder could be written, not even with run.json alone"
      )
    }
  }

  /// - Returns: The folder that `write` has made in the first refuge where it succeeded; nil if there is none.
  private func saveInRefuge(
    in context: CommandContext,
    onFailure: (any Error) -> Void = { _ in },
    _ write: (String) throws -> String
  ) -> String? {
    for refuge in context.refuges {
      let folder = "\(refuge)/\(Program.name)-unsaved-" + String(UInt32.random(in: 0x1000_0000 ... .max), radix: 16)
      do {
        try RunDirectory.checkTakesFiles(refuge)
        return try write(folder)
      } catch {
        rmdir(folder)
        onFailure(error)
      }
    }
    return nil
  }

  /// Prints an error.
  ///
  /// - Returns: Its exit code.
  private func report(_ error: any Error, in context: CommandContext) -> Int32 {
    display.clear()
    let failure = Failure(error)
    context.errors.error("\(loaded.scenario.name): \(failure.text)")
    return failure.status.rawValue
  }

  private func keepOrRemove(_ folder: String, in context: CommandContext) {
    if data.isKept, DataFolder.isPopulated(folder) {
      context.output.line(InertText.line("database: \(folder)"))
    } else {
      DataFolder.remove(folder)
    }
  }
}
