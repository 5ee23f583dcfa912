internal import BenchModel
internal import BenchReports
internal import BenchRunner
internal import Glibc
internal import ThreadingPrimitives

/// One of the scenarios of a `run`: runs its variants, writes the report and says how it went.
struct ScenarioAction {
  let action: RunAction
  let loaded: LoadedScenario
  /// From 1.
  let number: Int
  let data: DataFolder
  let display: ProgressDisplay
  let stage: RunStage

  func perform(in context: CommandContext) -> Int32 {
    display.say(headline)
    do {
      let folder = try data.folder(forRun: number, of: loaded.scenario.name)
      defer { settle(folder, in: context) }
      let log = try LatencyLogFile(in: action.reportFolder)
      var options = RunOptions(
        dataFolder: folder,
        keepsDatabase: action.keepsDatabase,
        isSmoke: action.isSmoke
      )
      options.latencyLog = LatencyLog(base: MonotonicClock.now, write: log.write)
      let result = try context.runner(loaded, options, context.interruption) { [display] in display.show($0) }
      // The report may need the room.
      if !data.isKept { DataFolder.remove(folder) }
      return report(result, log, in: context)
    } catch {
      return fail(error, in: context)
    }
  }

  private var headline: String {
    let smoke = action.isSmoke ? ", smoke" : ""
    let seed = loaded.scenario.seed.map { ", seed \($0)" } ?? ""
    let memory = MemoryText.text(of: MemoryEstimate(loaded))
    return "\(loaded.scenario.name): \(PlannedRuns.text(of: loaded)), \(memory)\(seed)\(smoke)"
  }

  /// Tells the result even where its report cannot be written: it is all that is left of the run.
  private func report(_ result: ScenarioResult, _ log: LatencyLogFile, in context: CommandContext) -> Int32 {
    stage.isReporting = true
    defer { stage.isReporting = false }
    display.clear()
    var codes = [result.verdict.exitCode]
    let command = RepeatCommand(reportFolder: action.reportFolder, dataFolder: action.dataParent)
    // A log that the disk refused is told of, and the report is written without it.
    let failure = log.failure
    let latencies = failure == nil ? log : nil
    let write = { try RunDirectory.write(result, under: $0, repeatedBy: command, latencyLog: latencies) }
    let folder = Result { try write(action.reportFolder) }
    for line in ConsoleSummary.lines(result) { context.output.line(line) }
    switch folder {
    case .success(let folder):
      context.output.line(InertText.line("report: \(folder)/report.md"))
      do { try ReportIndex.rewrite(in: action.reportFolder) } catch { codes.append(fail(error, in: context)) }
      if codes != [ExitStatus.allHeld.rawValue] {
        context.output.line(InertText.line("repeat: \(command.text(for: result, in: folder))"))
      }
    case .failure(let error):
      codes.append(fail(error, in: context))
      keep(result, in: context, write)
    }
    if let failure { codes.append(fail(failure, in: context)) }
    return ExitStatus.gravest(codes)
  }

  /// Leaves a report that finds no place where it belongs in another one: what took an hour to measure must not be lost
  /// to a full disk. Where there is no room for all of it, the record has to do.
  private func keep(_ result: ScenarioResult, in context: CommandContext, _ write: (String) throws -> String) {
    if let kept = refuge(in: context, onFailure: { _ = fail($0, in: context) }, write) {
      context.output.line(InertText.line("report: \(kept)/report.md"))
      context.errors.line(InertText.line("kept for now in \(kept): move it to where it is to stay"))
    } else if let kept = refuge(in: context, { try RunDirectory.writeRecord(result, under: $0) }) {
      let remedy = "move it to where it is to stay, and draw the rest there: \(Program.name) report FOLDER"
      let parts = "run.json and scenario.yaml alone, without latency.hlog"
      context.errors.line(InertText.line("kept for now in \(kept): \(parts); \(remedy)"))
    } else {
      context.errors.error("\(loaded.scenario.name): what was measured is lost: nothing takes it, not even its record")
    }
  }

  /// - Returns: what `write` has made in the first refuge that takes it.
  private func refuge(
    in context: CommandContext,
    onFailure tell: (any Error) -> Void = { _ in },
    _ write: (String) throws -> String
  ) -> String? {
    for refuge in context.refuges {
      let folder = "\(refuge)/\(Program.name)-unsaved-" + String(UInt32.random(in: 0x1000_0000 ... .max), radix: 16)
      do {
        try RunDirectory.checkTakesFiles(refuge)
        return try write(folder)
      } catch {
        rmdir(folder)
        tell(error)
      }
    }
    return nil
  }

  private func fail(_ error: any Error, in context: CommandContext) -> Int32 {
    display.clear()
    let failure = Failure(error)
    context.errors.error("\(loaded.scenario.name): \(failure.text)")
    return failure.status.rawValue
  }

  private func settle(_ folder: String, in context: CommandContext) {
    if data.isKept, DataFolder.holdsAnything(folder) {
      context.output.line(InertText.line("database: \(folder)"))
    } else {
      DataFolder.remove(folder)
    }
  }
}
