internal import BenchComparison
internal import BenchRegression
internal import BenchReports
internal import BenchResults
internal import BenchRunner
internal import BenchScenario
internal import Foundation
internal import HarnessPrimitives
internal import ThreadingPrimitives

/// Compares two sides by pairs of runs and writes the report, or shows two stored runs. Also used by `calibrate`.
struct CompareAction {
  let options: CompareOptions
  /// Whether the result is appended to the calibration file, because both sides are the same.
  var isCalibration = false
  /// The part of a calibration's scenarios; nil for all.
  var shard: Shard?

  func perform(in context: CommandContext) throws -> Int32 {
    switch (try ArmSource(options.base.text), try ArmSource(options.head.text)) {
    case (.run(let base), .run(let head)): return try showRuns(base, head, in: context)
    case (.run(let path), _), (_, .run(let path)):
      throw Failure(
        "\(path): a stored run can be compared with another stored run only; expected two stored runs, or two "
          + "executables or revisions",
        .usage
      )
    case (let base, let head): return try compare(base, head, in: context)
    }
  }

  private func compare(_ base: ArmSource, _ head: ArmSource, in context: CommandContext) throws -> Int32 {
    var files = try scenarioFiles()
    files.report(to: context.errors)
    guard files.status == .passed else { return files.status.rawValue }
    let record = try shard.map { try self.record($0, of: files) }
    if let record { files = ScenarioFiles(entries: record.own(files.entries)) }
    let counting = isCalibration ? (isOn: false, message: nil) : try options.counting(of: files)
    let design = try options.design(files, countsInstructions: counting.isOn)
    let file = CalibrationFile(options.comparison.calibration?.text)
    // Before the builds and the runs, which take minutes.
    if isCalibration { try file.checkAppendable() } else { _ = try file.records() }
    for source in [base, head] { try ComparisonPreparation.check(source) }
    let folder =
      options.comparison.folder?.text ?? "Reports/\(RunDirectory.time(of: Date().formatted(.iso8601)))-compare"
    let display = ProgressDisplay(output: context.errors, terminal: context.terminal)
    let data = try options.comparison.dataFolder.map { try DataFolder.create(in: $0.text, display) }
    defer { data?.removeUnlessKept() }
    let preparation = ComparisonPreparation(
      folder: folder,
      dataFolder: data?.path,
      scenarios: files.entries.map { $0.compared(countsInstructions: counting.isOn) }
    ) { display.showMessage($0) }
    let lock = try preparation.lock()
    defer { withExtendedLifetime(lock) {} }
    let plan = Plan(
      base: .init(base, settings: options.baseSettings.map(\.text)),
      head: .init(head, settings: options.headSettings.map(\.text)),
      preparation: preparation,
      design: design,
      shard: record,
      command: command(folder, countsInstructions: counting.isOn)
    )
    let runs = PairedRuns(context: context, display: display, resumption: "to continue: \(plan.command)")
    return try runs.perform {
      if let message = counting.message { display.showMessage(message) }
      return try compare(plan, display, in: context)
    }
  }

  /// A comparison before its first run.
  private struct Plan {
    let base: ComparisonPreparation.Side
    let head: ComparisonPreparation.Side
    let preparation: ComparisonPreparation
    let design: ComparisonDesign
    let shard: ShardRecord?
    /// The command line that repeats the comparison, or continues it if the folder contains its journal.
    let command: String
  }

  /// - Returns: The exit code; nil if it was interrupted.
  private func compare(_ plan: Plan, _ display: ProgressDisplay, in context: CommandContext) throws -> Int32? {
    let preparation = plan.preparation
    // Also after an interruption or a failure: a comparison that continues copies the executables again.
    defer { preparation.removeWork() }
    let arms = try preparation.arms(base: plan.base, head: plan.head)
    var (setting, seconds) = try preparation.setting(arms, design: plan.design, isAnyway: options.anyway)
    let file = CalibrationFile(options.comparison.calibration?.text)
    // A calibration must not depend on the margins of earlier calibrations.
    if !isCalibration { setting.apply(Calibration(try file.records(), machine: setting.machine)) }
    let folder = preparation.folder
    let run = ComparisonRun(
      try preparation.journal(setting),
      isInterrupted: { context.interruption.isRaised },
      runSlice: preparation.slices(arms).run
    )
    if setting.comparesEqualSides, !isCalibration { display.showMessage(ComparisonReport.equalSides) }
    if let seconds { display.showMessage(estimate(plan.design, seconds: seconds)) }
    display.showMessage("runs are stored in \(folder); to continue after a kill: \(plan.command)")
    guard var result = try run.perform(onProgress: { show($0, on: display) }) else { return nil }
    result.shard = plan.shard
    display.clear()
    let report = ComparisonReport(result, command: plan.command)
    try report.write(in: folder)
    // A false alarm is a result of the calibration and not a failure.
    let exitCode = isCalibration && result.exitCode == .regressed ? .passed : result.exitCode
    switch options.format {
    case .text: for line in report.lines(exitCode: exitCode) { context.output.line(line) }
    case .md: context.output.write(report.comment)
    case .json: context.output.write(String(decoding: try report.document(), as: UTF8.self))
    }
    if isCalibration { try append(result, of: setting.machine, to: file, in: context) }
    context.errors.line(InertText.line("report: \(folder)/compare.html"))
    return exitCode.rawValue
  }

  /// Appends a calibration with a result to its file, and prints the noise of the machine.
  private func append(
    _ result: ComparisonOutcome,
    of machine: ComparedMachine,
    to file: CalibrationFile,
    in context: CommandContext
  ) throws {
    let record = CalibrationRecord(result)
    guard record.isUsable else {
      context.errors.line("calibration: not recorded, because no time counts in \(EffectEstimate.fewestPairs) pairs")
      return
    }
    try file.append(record)
    let calibration = Calibration(try file.records(), machine: machine)
    for line in CalibrationText(calibration: calibration, figures: result.figures).lines { context.output.line(line) }
    context.errors.line(InertText.line("calibration: \(file.path)"))
  }

  /// Describes a shard of a calibration of these scenarios. The pairs of a scenario are never divided.
  private func record(_ shard: Shard, of files: ScenarioFiles) throws -> ShardRecord {
    try ShardRecord(
      shard,
      of: "calibrate",
      unit: .scenario,
      determining: limits,
      groups: files.entries.map {
        .init(name: $0.loaded.scenario.name, seed: options.seed, digest: $0.loaded.digest, cases: 1)
      },
      options: commonOptions + ["--seed", String(options.seed)]
    )
  }

  private func scenarioFiles() throws -> ScenarioFiles {
    let tags = options.tags
    var files = ScenarioFiles(below: try ProjectScenarios.compared(options.comparison.scenarios.texts))
    files.keep { $0.loaded.scenario.hasTag(of: tags) }
    guard !files.entries.isEmpty || files.status != .passed else {
      throw Failure("no scenario has the tag \(tags.joined(separator: " or "))", .usage)
    }
    try files.checkNames()
    return files
  }

  // MARK: Output

  /// Returns the estimated time of a comparison, in words.
  private func estimate(_ design: ComparisonDesign, seconds: Double) -> String {
    let time = PlannedTime.text(seconds: min(seconds, design.budgetSeconds ?? .infinity))
    return (options.mayEndEarly ? "at most " : "about ") + time
      + (design.budgetSeconds == nil ? ", and more for fresh pairs of scenarios that look changed" : "")
  }

  private func command(_ folder: String, countsInstructions: Bool) -> String {
    var words = [Program.name] + (isCalibration ? ["calibrate"] : ["compare", options.base.text, options.head.text])
    for setting in options.baseSettings { words += ["--base-set", setting.text] }
    for setting in options.headSettings { words += ["--head-set", setting.text] }
    for tag in options.tags { words += ["--tag", tag] }
    words += commonOptions
    if options.quick { words.append("--quick") }
    if let interval = options.interval { words += ["--until-interval", interval] }
    if options.wholeInterval { words.append("--whole-interval") }
    if options.strict { words.append("--strict") }
    if !isCalibration { words.append(countsInstructions ? "--instructions" : "--no-instructions") }
    if options.anyway { words.append("--anyway") }
    if let shard { words += ["--shard", shard.argument] }
    words += ["--seed", String(options.seed), "--out", folder]
    return words.map(ShellWord.quoted).joined(separator: " ")
  }

  /// The options that comparisons and calibrations have in common, beside the folder and the seed.
  private var commonOptions: [String] {
    let comparison = options.comparison
    return (comparison.scenarios.isEmpty ? [] : ["--scenario"] + comparison.scenarios.texts)
      + limits + (comparison.calibration.map { ["--calibration", $0.text] } ?? [])
      + (comparison.dataFolder.map { ["--data-dir", $0.text.absolutePath] } ?? [])
  }

  private var limits: [String] {
    (options.comparison.pairs.map { ["--pairs", String($0)] } ?? [])
      + (options.comparison.budget.map { ["--budget", $0] } ?? [])
  }

  private func show(_ progress: ComparisonRun.Progress, on display: ProgressDisplay) {
    let run = progress.run
    let limit = (options.mayEndEarly ? "at most " : "") + String(progress.mostPairs)
    // The time of the fresh pairs is left out, because their number is not known before the other pairs have run.
    let end = [" for the counts", " before any fresh pairs", ""][run.stage]
    let left = progress.secondsLeft.map { ", about \(PlannedTime.text(seconds: $0)) left\(end)" } ?? ""
    let stage = ["instructions, pair", "pair", "fresh pair"][run.stage]
    let usable = progress.usablePairs.map { ", \($0) usable" } ?? ""
    display.showStatus("\(stage) \(run.pair) of \(limit)\(usable): \(run.scenario), \(run.arm.rawValue)\(left)")
  }
}
