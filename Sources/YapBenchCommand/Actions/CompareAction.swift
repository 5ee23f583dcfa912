internal import BenchComparison
internal import BenchModel
internal import BenchRegression
internal import BenchReports
internal import Foundation
internal import ThreadingPrimitives

/// Compares two sides by pairs of runs, and writes the report.
struct CompareAction {
  static let pairRange = ComparisonSchedule.fewestPairs...500
  private static let defaultPairs = 20
  private static let quickPairs = 10
  /// Twelve fresh pairs can confirm up to forty figures at once.
  private static let fewestConfirmingPairs = 12
  /// With a budget or a limit for the interval, which end the pairs earlier.
  private static let mostPairs = 200

  var base: String
  var head: String
  var scenarios: [String] = []
  var tags: [String] = []
  var baseSettings: [ScenarioOverride] = []
  var headSettings: [ScenarioOverride] = []
  var pairs: Int?
  var isQuick = false
  /// A duration and a share, as scenarios write them.
  var budget: String?
  var interval: String?
  var seed: UInt64 = 1
  var folder: String?
  var format = CompareFormat.text
  /// The path of the calibration file; nil for the user's own.
  var calibration: String?
  /// Whether the result is appended to the calibration file, because both sides are the same.
  var isCalibration = false
  var requiresWholeInterval = false
  var failsIfInconclusive = false
  var isAnyway = false
  var countsInstructions = false

  func perform(in context: CommandContext) -> Int32 {
    do {
      switch (try ArmSource(base), try ArmSource(head)) {
      case (.run(let base), .run(let head)):
        try refuseOptionsOfRuns()
        return StoredRunsAction(base: base, head: head, isAnyway: isAnyway).perform(in: context)
      case (.run(let path), _), (_, .run(let path)):
        throw ComparisonError(
          .usage,
          "\(path): a stored run can be compared with another stored run only; expected two runs, or two sides that run"
        )
      case (let base, let head): return try compare(base, head, in: context)
      }
    } catch {
      let failure = Failure(error)
      context.errors.error(failure.text)
      return failure.status.rawValue
    }
  }

  /// Stored runs are shown and not run, so the options of runs would have no effect.
  private func refuseOptionsOfRuns() throws {
    let given = [
      ("--scenario", !scenarios.isEmpty), ("--tag", !tags.isEmpty), ("--base-set", !baseSettings.isEmpty),
      ("--head-set", !headSettings.isEmpty), ("--pairs", pairs != nil), ("--quick", isQuick),
      ("--budget", budget != nil), ("--until-interval", interval != nil), ("--out", folder != nil),
      ("--format", format != .text), ("--calibration", calibration != nil), ("--strict", failsIfInconclusive),
      ("--whole-interval", requiresWholeInterval), ("--instructions", countsInstructions),
    ].filter(\.1).map(\.0)
    guard given.isEmpty else {
      throw ComparisonError(
        .usage,
        "\(given.joined(separator: ", ")): two stored runs are shown on standard output and not run; expected only "
          + "--anyway beside them"
      )
    }
  }

  private func compare(_ base: ArmSource, _ head: ArmSource, in context: CommandContext) throws -> Int32 {
    let files = try scenarioFiles()
    guard files.status == .allHeld else {
      files.report(to: context.errors)
      return files.status.rawValue
    }
    let design = try design(files)
    let folder = folder ?? Self.defaultFolder
    let display = ProgressDisplay(output: context.errors, terminal: context.terminal)
    defer { display.clear() }
    let preparation = ComparisonPreparation(
      folder: folder,
      scenarios: files.entries.map { entry in
        ComparisonPreparation.Scenario(
          name: entry.loaded.scenario.name,
          path: entry.path,
          isRepeated: entry.loaded.repetitions > 1,
          counted: countsInstructions ? CountedScenario(entry.loaded) : nil
        )
      }
    ) { display.say($0) }
    let lock = try preparation.lock()
    defer { withExtendedLifetime(lock) {} }
    try context.interruptRunsOnSignals(display)
    do { return try compare(base, head, preparation, design, display, in: context) } catch {
      // A program that the interruption has ended did not fail.
      guard context.interruption.isRaised else { throw error }
      return interrupted(preparation, display)
    }
  }

  private func compare(
    _ base: ArmSource,
    _ head: ArmSource,
    _ preparation: ComparisonPreparation,
    _ design: ComparisonDesign,
    _ display: ProgressDisplay,
    in context: CommandContext
  ) throws -> Int32 {
    let arms = try preparation.arms(base, baseSettings.map(\.text), head, headSettings.map(\.text))
    var setting = try preparation.setting(arms, design: design, isAnyway: isAnyway)
    let file = CalibrationFile(calibration)
    // The noise is measured without the margins that it will give.
    if !isCalibration { setting.apply(Calibration(try file.records(), machine: setting.machine)) }
    let folder = preparation.folder
    let run = ComparisonRun(
      try preparation.journal(setting),
      isInterrupted: { context.interruption.isRaised },
      runSlice: preparation.slices(arms).run
    )
    display.say("runs are kept in \(folder); to continue if it is killed: \(command(folder))")
    guard let result = try run.perform(onProgress: { show($0, on: display) }) else {
      return interrupted(preparation, display)
    }
    display.clear()
    let report = ComparisonReport(result, command: command(folder))
    try ComparisonFolder.write(report, result, in: folder)
    preparation.removeWork()
    // A false alarm is a result of a calibration, and no failure of it.
    let isFalseAlarm = isCalibration && result.exitCode == ExitStatus.regressed.rawValue
    let exitCode = isFalseAlarm ? ExitStatus.allHeld.rawValue : result.exitCode
    switch format {
    case .text: for line in report.lines(exitCode: exitCode) { context.output.line(line) }
    case .md: context.output.write(report.comment)
    case .json: context.output.write(try ComparisonDocument.text(of: result))
    }
    if isCalibration { try note(result, setting.machine, in: file, context) }
    context.errors.line(InertText.line("report: \(folder)/compare.html"))
    return exitCode
  }

  private func interrupted(_ preparation: ComparisonPreparation, _ display: ProgressDisplay) -> Int32 {
    display.say("interrupted; to continue: \(command(preparation.folder))")
    return ExitStatus.interrupted.rawValue
  }

  /// Appends a calibration to its file, and prints the noise of the machine.
  private func note(
    _ result: ComparisonOutcome,
    _ machine: ComparedMachine,
    in file: CalibrationFile,
    _ context: CommandContext
  ) throws {
    try file.append(CalibrationRecord(result))
    let calibration = Calibration(try file.records(), machine: machine)
    for line in CalibrationText(calibration: calibration, figures: result.figures).lines { context.output.line(line) }
    context.errors.line(InertText.line("calibration: \(file.path)"))
  }

  private func scenarioFiles() throws -> ScenarioFiles {
    let wanted = scenarios.isEmpty ? [try ProjectScenarios.folder("compare")] : scenarios
    var files = ScenarioFiles(below: wanted)
    if !tags.isEmpty { files.keep { entry in tags.contains { entry.loaded.scenario.tags.contains($0) } } }
    guard !files.entries.isEmpty || files.status != .allHeld else {
      throw ComparisonError(.usage, "no scenario has the tag \(tags.joined(separator: " or "))")
    }
    try files.checkNames()
    return files
  }

  private func design(_ files: ScenarioFiles) throws -> ComparisonDesign {
    let pairs = self.pairs ?? (isQuick ? Self.quickPairs : mayEndEarly ? Self.mostPairs : Self.defaultPairs)
    guard Self.pairRange.contains(pairs) else {
      throw ComparisonError(
        .usage,
        "--pairs is \(pairs); expected \(Self.pairRange.lowerBound) to \(Self.pairRange.upperBound): fewer than "
          + "\(Self.pairRange.lowerBound) allow no verdict"
      )
    }
    return ComparisonDesign(
      pairs: pairs,
      confirmingPairs: mayEndEarly ? Self.fewestConfirmingPairs : max(Self.fewestConfirmingPairs, pairs),
      seed: seed,
      scenarios: files.entries.map(\.loaded.scenario.name),
      countedScenarios: try countedScenarios(files),
      intervalPercent: try interval.map { text in
        try Self.parsed("--until-interval", text) { 100 * (try ShareScalar.parse($0)) }
      },
      budgetSeconds: try budget.map { text in
        try Self.parsed("--budget", text) { Double(try DurationScalar.parse($0)) / 1e9 }
      },
      requiresWholeInterval: requiresWholeInterval,
      failsIfInconclusive: failsIfInconclusive
    )
  }

  private func countedScenarios(_ files: ScenarioFiles) throws -> [String] {
    guard countsInstructions else { return [] }
    let counted = files.entries.filter { CountedScenario($0.loaded) != nil }
    guard !counted.isEmpty else {
      throw ComparisonError(
        .usage,
        "--instructions: none of the scenarios can be counted; it needs one recorded phase that ends after a number of "
          + "operations, with one actor of one thread and a closed load"
      )
    }
    return counted.map(\.loaded.scenario.name)
  }

  /// Whether the number of pairs depends on the runs.
  private var mayEndEarly: Bool { budget != nil || interval != nil }

  private static func parsed(_ option: String, _ text: String, _ parse: (String) throws -> Double) throws -> Double {
    do { return try parse(text) } catch { throw ComparisonError(.usage, "\(option): \(error)") }
  }

  private static var defaultFolder: String {
    let time = Date().formatted(.iso8601.dateSeparator(.omitted).timeSeparator(.omitted)).filter {
      $0.isNumber || $0 == "T"
    }
    return "Reports/\(time.replacing("T", with: "-"))-compare"
  }

  // MARK: Output

  /// The command line that repeats the comparison, or continues it if its folder has the journal.
  private func command(_ folder: String) -> String {
    var words = ["yapbench"] + (isCalibration ? ["calibrate"] : ["compare", base, head])
    for setting in baseSettings { words += ["--base-set", setting.text] }
    for setting in headSettings { words += ["--head-set", setting.text] }
    for tag in tags { words += ["--tag", tag] }
    if !scenarios.isEmpty { words += ["--scenario"] + scenarios }
    if let pairs { words += ["--pairs", String(pairs)] }
    if isQuick { words.append("--quick") }
    if let budget { words += ["--budget", budget] }
    if let interval { words += ["--until-interval", interval] }
    if requiresWholeInterval { words.append("--whole-interval") }
    if failsIfInconclusive { words.append("--strict") }
    if countsInstructions { words.append("--instructions") }
    if isAnyway { words.append("--anyway") }
    if let calibration { words += ["--calibration", calibration] }
    words += ["--seed", String(seed), "--out", folder]
    return words.map(ShellWord.quoted).joined(separator: " ")
  }

  private func show(_ progress: ComparisonRun.Progress, on display: ProgressDisplay) {
    let run = progress.run
    let limit = (mayEndEarly ? "at most " : "") + String(progress.mostPairs)
    // Which scenarios need fresh pairs is not known before the other pairs.
    let end = [" for the counts", " before any fresh pairs", ""][run.stage]
    let left = progress.secondsLeft.map { ", about \(PlannedTime.text(seconds: $0)) left\(end)" } ?? ""
    let stage = ["instructions, pair", "pair", "fresh pair"][run.stage]
    display.pass("\(stage) \(run.pair) of \(limit): \(run.scenario), \(run.arm.rawValue)\(left)")
  }
}
