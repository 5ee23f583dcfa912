internal import ArgumentParser
internal import BenchDrivers
internal import BenchReports
internal import BenchResults
internal import BenchRunner
internal import BenchScenario
internal import ThreadingPrimitives

struct RunCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Runs scenarios one after the other and writes a report for each.",
    discussion: """
      All files are checked before the first scenario runs. Progress goes to \
      standard error, the verdict to standard output. Ctrl-C (SIGINT), SIGTERM \
      and SIGHUP end a run early and still write a report of what was measured. A \
      second signal ends the program immediately, as SIGQUIT (Ctrl-\\) does. Files \
      that killed runs have left in the folders used here are removed first. With \
      several scenarios, a table of all verdicts follows the last one, and the most \
      severe verdict sets the exit code.

      Examples:
        yapbench run Scenarios/wal/stalled-reader.yaml

        The suite, about five minutes:
        yapbench run

        All scenarios of one theme:
        yapbench run Scenarios/wal

        All scenarios with one of these tags:
        yapbench run --tag trouble --tag wal Scenarios

        A test of a few seconds that all scenarios work, without figures:
        yapbench run --smoke Scenarios/wal

        The same scenario with a longer phase and other keys:
        yapbench run --seed 7 --set phases.stall.for=2m FILE

        Two of the policies that a scenario's matrix compares, once each:
        yapbench run --only containment --only share --set repeat=1 FILE

        The same scenario on two engines, with the ratios to the first:
        yapbench run --driver yap,sqlite FILE

        On another disk, keeping the database:
        yapbench run --data-dir /mnt/ssd --keep-database FILE

        With progress for another program:
        yapbench run --json-progress FILE 2>progress.jsonl

        The second quarter of the runs, on one of four machines:
        yapbench run --shard 2/4 --seed 7 --out Reports/shard-2 FILE

        In a task of a Slurm array, or in a pod of an indexed Kubernetes job:
        yapbench run --shard auto/4 --seed 7 --out Reports/shard FILE

        With the differences to the figures of an earlier run:
        yapbench baseline save before Reports/RUN
        yapbench run --baseline before FILE

        Repeats a run:
        yapbench run Reports/RUN/scenario.yaml
      """
  )

  @Argument(
    help: ArgumentHelp(
      "Scenario files, or folders that are searched for them. Without any, the scenarios of the suite.",
      valueName: "file"
    ),
    completion: .scenarios
  )
  var files: [PathArgument] = []

  @Option(
    help: ArgumentHelp(
      "The suite: \(ScenarioSuite.allCases.map { "\($0.rawValue) (\($0.meaning))" }.joined(separator: ", or ")). "
        + "Files replace its scenarios, and --driver its engines. (default: \(ScenarioSuite.standard.rawValue))",
      valueName: "name"
    )
  )
  var suite: ScenarioSuite?

  @OptionGroup var options: RunOptionGroup

  @OptionGroup var choice: ScenarioChoice

  @OptionGroup var sharding: ShardOptions

  @OptionGroup var comparison: DriverOptions

  func perform(in context: CommandContext) throws -> Int32 {
    let suite = suite ?? .standard
    let drivers = comparison.drivers.isEmpty ? suite.drivers : comparison.drivers
    let paths = try self.files.isEmpty ? suite.paths() : self.files.texts
    let files = ScenarioFiles(below: paths, choice, overrides: options.seedOverride, drivers: drivers)
    if files.entries.isEmpty, files.status == .passed { throw Failure(choice.noneTagged, .usage) }
    var action = RunAction(options: options, variants: choice.variants)
    let unseeded = files.entries.first { $0.loaded.scenario.seed == nil }
    if let shard = try sharding.shard(unseeded: unseeded?.path, in: context) {
      action.selection = { entries in try record(shard, of: entries, drivers).own(entries) }
    }
    return try action.perform(files, in: context)
  }
}

extension RunCommand {
  /// Describes a shard of the runs of these scenarios, which have seeds.
  private func record(
    _ shard: Shard,
    of entries: [ScenarioFiles.Entry],
    _ drivers: [DriverKind]
  ) throws -> ShardRecord {
    let smoke = options.isSmoke ? ["--smoke"] : []
    var words = smoke
    if let seed = options.seed { words += ["--seed", String(seed)] }
    if !drivers.isEmpty { words += ["--driver", drivers.map(\.rawValue).joined(separator: ",")] }
    words += choice.repeated + options.repeated
    return try ShardRecord(
      shard,
      of: "run",
      unit: .run,
      determining: smoke,
      groups: entries.map(\.loaded).map {
        .init(name: $0.scenario.name, seed: $0.scenario.seed ?? 0, digest: $0.digest, cases: $0.runCount)
      },
      options: words + (options.dataFolder.map { ["--data-dir", $0.text.absolutePath] } ?? []),
      files: entries.map(\.path.absolutePath)
    )
  }
}

/// Runs scenarios one after the other and writes a report for each.
struct RunAction {
  let options: RunOptionGroup
  /// The names of the selected variants; empty for all.
  var variants: [String] = []
  /// Selects the scenarios to run, and the part of their runs.
  var selection: ([ScenarioFiles.Entry]) throws -> [ScenarioFiles.Entry] = { $0 }

  func perform(_ files: ScenarioFiles, in context: CommandContext) throws -> Int32 {
    files.report(to: context.errors)
    guard files.status == .passed else { return files.status.rawValue }
    try files.checkNames()
    // Before `RunDirectory.checkWritable`, which creates the report folder.
    if let refusal = context.build.refusal(isSmoke: options.isSmoke) { throw Failure(refusal, .usage) }
    var prepared = ScenarioFiles(entries: try selection(files.entries.map { try prepare($0) }))
    // Smoke runs may need less memory than the files state.
    prepared.checkMemory(context.availableMemory())
    prepared.report(to: context.errors)
    guard prepared.status == .passed else { return prepared.status.rawValue }
    let baseline = try options.baseline.map { try BaselineFolder.existing($0, in: options.reportFolder.text) }
    let scenarios = prepared.entries.map(\.loaded)
    let settings = scenarios.flatMap(\.variants).map(\.scenario)
    if let missing = settings.lazy.compactMap({ Drivers.missing($0.engine.driver) }).first {
      throw Failure(missing, .usage)
    }
    try context.reserveDescriptors(settings.map(DescriptorNeed.of).max() ?? DescriptorNeed.ofProgram)
    let reportFolder = options.reportFolder.text
    let dataFolder = options.dataFolder?.text
    let data = DataFolder(
      in: dataFolder ?? reportFolder,
      keptAs: options.keepsDatabase ? (dataFolder == nil ? ".data" : Program.name) : nil
    )
    let display = ProgressDisplay(output: context.errors, terminal: context.terminal, scenarios: scenarios)
    // Before the first file is created, so that a signal leaves none behind.
    try watchSignals(display, data: data, in: context)
    // The data folder is not created: a mistyped path could be on another disk than the one to measure.
    if let dataFolder { try RunDirectory.checkTakesFiles(dataFolder) }
    try RunDirectory.checkWritable(reportFolder)
    for line in UnfinishedOutput.removeLeft(in: [reportFolder, dataFolder ?? reportFolder]) {
      display.showMessage(line)
    }
    try data.create()
    defer { data.removeUnlessKept() }
    return run(scenarios, data: data, display, comparedWith: baseline, in: context)
  }

  /// Returns the scenario as it is run: with a seed, also in its text, and shortened for a smoke run.
  private func prepare(_ entry: ScenarioFiles.Entry) throws -> ScenarioFiles.Entry {
    var loaded = entry.loaded
    if loaded.scenario.seed == nil {
      // 32 bits, which are short enough to type.
      let seed = ScenarioOverride(path: "seed", value: String(UInt32.random(in: 1 ... .max)))
      // Loaded from the text, because the file may have changed by now.
      loaded = try ScenarioLoader.load(
        text: loaded.expandedYAML,
        file: entry.path,
        files: loaded.files,
        overrides: [seed],
        drivers: loaded.comparedDrivers
      )
      .choosing(variants)
      loaded.overrides = entry.loaded.overrides
    }
    return ScenarioFiles.Entry(path: entry.path, loaded: options.isSmoke ? loaded.smoke() : loaded)
  }

  private func run(
    _ scenarios: [LoadedScenario],
    data: DataFolder,
    _ display: ProgressDisplay,
    comparedWith baseline: BaselineFolder?,
    in context: CommandContext
  ) -> Int32 {
    var outcomes: [ScenarioOutcome] = []
    for (index, loaded) in scenarios.enumerated() {
      if context.interruption.isRaised {
        let names = scenarios[index...].map(\.scenario.name)
        display.showMessage("interrupted; not run: \(names.joined(separator: ", "))")
        outcomes += names.map { ScenarioOutcome(scenario: $0, failure: Failure("not run", .interrupted)) }
        break
      }
      if index > 0 { context.output.line("") }
      let run = ScenarioAction(
        options: options,
        loaded: loaded,
        number: index + 1,
        data: data,
        display: display,
        baseline: baseline
      )
      outcomes.append(run.perform(in: context))
    }
    if scenarios.count > 1 { printTable(of: outcomes, in: context) }
    return ExitStatus.mostSevere(outcomes.map(\.exitCode)).rawValue
  }

  private func printTable(of outcomes: [ScenarioOutcome], in context: CommandContext) {
    context.output.line("")
    for line in SuiteTable(outcomes: outcomes, terminal: context.outputTerminal).lines { context.output.line(line) }
    if outcomes.contains(where: { $0.report != nil }) {
      context.output.line(InertText.line("all runs: \(options.reportFolder.text)/\(ReportIndex.fileName)"))
    }
  }

  private static let interruptedRun =
    "interrupted: ending the run and writing its report; interrupt again to end immediately without a report"
  private static let interruptedReport =
    "the run has ended; writing its report; interrupt again to end immediately without a report"

  private func watchSignals(_ display: ProgressDisplay, data: DataFolder, in context: CommandContext) throws {
    try context.watchSignals {
      display.showMessage(display.isReporting ? Self.interruptedReport : Self.interruptedRun)
    } end: {
      display.clear()
      if data.isKept, DataFolder.isPopulated(data.path) {
        display.showMessage("ended immediately; the incomplete database is in \(data.path)")
      }
      data.removeUnlessKept()
      UnfinishedOutput.discardAll {
        context.events?.end(exit: ExitStatus.interrupted.rawValue)
        Program.end(ExitStatus.interrupted.rawValue)
      }
    }
  }
}
