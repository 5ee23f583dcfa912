internal import BenchModel
internal import BenchReports
internal import BenchRunner
internal import ThreadingPrimitives

/// Runs scenarios one after the other and writes a report of each.
struct RunAction {
  /// Or folders of them.
  var files: [String]
  var reportFolder = "Reports"
  var seed: UInt64?
  var overrides: [ScenarioOverride] = []
  /// Variants to be run; all where empty.
  var choices: [String] = []
  var isSmoke = false
  /// Where the databases live, a folder that is there; in the report folder where nil.
  var dataParent: String?
  var keepsDatabase = false
  var tellsJSON = false
  private let stage = RunStage()

  func perform(in context: CommandContext) -> Int32 {
    perform(ScenarioFiles(below: files, overrides: allOverrides, choices: choices), in: context)
  }

  /// Runs what is loaded already.
  func perform(_ files: ScenarioFiles, in context: CommandContext) -> Int32 {
    guard files.status == .allHeld else {
      files.report(to: context.errors)
      return files.status.rawValue
    }
    // Before the folder is looked at, because looking creates it.
    if let refusal = context.build.refusal(isSmoke: isSmoke) {
      context.errors.error(refusal)
      return ExitStatus.usage.rawValue
    }
    do {
      let scenarios = try files.entries.map { try prepared($0) }
      if let status = refusal(scenarios, files, in: context) { return status.rawValue }
      let variants = scenarios.flatMap(\.variants).map(\.scenario)
      try context.reserveDescriptors(variants.map(DescriptorNeed.of).max() ?? DescriptorNeed.ofProgram)
      let data = DataFolder(
        in: dataParent ?? reportFolder,
        prefix: dataParent == nil ? ".data" : Program.name,
        isKept: keepsDatabase
      )
      let display = ProgressDisplay(output: context.errors, terminal: context.terminal, isJSON: tellsJSON)
      // Before the first file is made, so that none is left.
      if context.watchesSignals { try watchSignals(display, data: data, in: context) }
      // A folder that was mistyped must not come into being on another disk than the one that is to be measured.
      if let dataParent { try RunDirectory.checkTakesFiles(dataParent) }
      try RunDirectory.checkWritable(reportFolder)
      for line in Leftovers.remove(in: [reportFolder, dataParent ?? reportFolder]) { display.say(line) }
      try data.create()
      defer { data.removeUnlessKept() }
      return run(scenarios, data: data, display, in: context)
    } catch {
      let failure = Failure(error)
      context.errors.error(failure.text)
      return failure.status.rawValue
    }
  }

  var allOverrides: [ScenarioOverride] {
    overrides + (seed.map { [ScenarioOverride(path: "seed", value: String($0))] } ?? [])
  }

  /// The scenario as it will run: with a seed, which its own text carries as well.
  private func prepared(_ entry: ScenarioFiles.Entry) throws -> LoadedScenario {
    var loaded = entry.loaded
    if loaded.scenario.seed == nil {
      // Short enough to be typed again.
      let drawn = ScenarioOverride(path: "seed", value: String(UInt32.random(in: 1 ... .max)))
      // From the text and not the file, which may have changed by now.
      loaded = try ScenarioLoader.load(
        text: loaded.expandedYAML,
        file: entry.path,
        files: loaded.files,
        overrides: [drawn]
      )
      .choosing(choices)
    }
    return isSmoke ? loaded.smoke() : loaded
  }

  /// Reports the scenarios that need more memory than there is; cut short, they may need less than as they are written.
  private func refusal(_ scenarios: [LoadedScenario], _ files: ScenarioFiles, in context: CommandContext) -> ExitStatus?
  {
    let entries = zip(files.entries, scenarios).map { ScenarioFiles.Entry(path: $0.path, loaded: $1) }
    var files = ScenarioFiles(entries: entries)
    files.checkMemory(context.availableMemory())
    files.report(to: context.errors)
    return files.status == .allHeld ? nil : files.status
  }

  private func run(
    _ scenarios: [LoadedScenario],
    data: DataFolder,
    _ display: ProgressDisplay,
    in context: CommandContext
  ) -> Int32 {
    var codes: [Int32] = []
    for (index, loaded) in scenarios.enumerated() {
      if context.interruption.isRaised {
        let names = scenarios[index...].map(\.scenario.name).joined(separator: ", ")
        display.say("interrupted before it ran: \(names)")
        codes.append(ExitStatus.interrupted.rawValue)
        break
      }
      if index > 0 { context.output.line("") }
      let run = ScenarioAction(
        action: self,
        loaded: loaded,
        number: index + 1,
        data: data,
        display: display,
        stage: stage
      )
      codes.append(run.perform(in: context))
    }
    return ExitStatus.gravest(codes)
  }

  private static let interruptedRun =
    "interrupted: ending the run and writing its report; once more ends at once and writes none"
  private static let interruptedReport =
    "interrupted: the run is over and its report is being written; once more ends at once and writes none"

  private func watchSignals(_ display: ProgressDisplay, data: DataFolder, in context: CommandContext) throws {
    try SignalWatch(
      onFirst: { [stage] in
        context.interruption.raise()
        display.say(stage.isReporting ? Self.interruptedReport : Self.interruptedRun)
      },
      onSecond: {
        display.clear()
        if data.isKept, DataFolder.holdsAnything(data.path) {
          display.say("ended at once; what there is of the database is in \(data.path)")
        }
        data.removeUnlessKept()
        UnfinishedOutput.discardAll { Program.end(ExitStatus.interrupted.rawValue) }
      }
    ).start()
  }
}
