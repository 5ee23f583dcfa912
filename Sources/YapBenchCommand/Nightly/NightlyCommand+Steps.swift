internal import BenchComparison
internal import BenchRegression
internal import BenchReports
internal import BenchResults
internal import BenchScenario
internal import Foundation
internal import HarnessPrimitives

/// Runs a night within its budget: the suite, the comparisons, the history, and either the search for a commit or a
/// calibration.
///
/// Each step is a subcommand with its arguments, which `night.json` records. A killed night resumes at its unfinished
/// step.
extension NightlyCommand {
  /// Folders of the suite, below `Scenarios`.
  private static let suiteFolders = ["concurrency", "policy", "trouble", "views", "wal", "write"]
  /// The assumed time that a run takes outside of its phases, to load and check rows and to write the report.
  private static let overheadSeconds = 15.0
  /// The assumed time that a run of a comparison takes outside of its phases.
  private static let startSeconds = 1.0

  func perform(in context: CommandContext) throws -> Int32 {
    guard keep > 0 else { throw Failure("--keep is \(keep); expected 1 or more", .usage) }
    guard pinned == nil || !repin else {
      throw Failure("--repin keeps this build as the pinned one; remove --pinned", .usage)
    }
    if let name, PathParts(name).name != name || ["", ".", ".."].contains(name) {
      throw Failure("--name \"\(name)\": expected the name of a folder, such as 2026-01-31", .usage)
    }
    let suite = ScenarioFiles(below: try suitePaths())
    let compared = ScenarioFiles(below: try ProjectScenarios.compared(scenarios.texts))
    for files in [suite, compared] {
      files.report(to: context.errors)
      guard files.status == .passed else { return files.status.rawValue }
    }
    try suite.checkNames()
    try checkBudget(suite, compared)
    return try perform(suite, compared, in: context)
  }

  /// Checks that the budget suffices for a verdict on times in the comparison with the pinned build.
  private func checkBudget(_ suite: ScenarioFiles, _ compared: ScenarioFiles) throws {
    let ofSuite = suite.entries.reduce(0) { $0 + Self.plannedSeconds($1) }
    let runs = compared.entries.map { entry in
      entry.loaded.variants.reduce(0) { $0 + max(Self.leastSeconds($1.scenario), 1) + Self.startSeconds }
    }
    let counts = try instructions ?? (Callgrind.missingProgram() == nil)
    let needed = ComparisonSchedule.leastBudgetSeconds(ofRuns: runs, countsInstructions: counts)
    let least = NightClock.leastBudgetSeconds(pinned: needed, suite: ofSuite)
    guard try budgetSeconds() >= least else {
      let minutes = Int(saturating: (least / 60).rounded(.up))
      throw Failure(
        "--budget is \(budget); expected \(minutes)m or more, because the comparison of "
          + "\(Quantity.count(runs.count, of: "scenario")) with the pinned build needs "
          + "\(PlannedTime.text(seconds: needed)) for the fewest pairs; compare fewer scenarios with --scenario, or "
          + "give more time",
        .usage
      )
    }
  }

  /// The least time of the phases. It is not known of phases that a count or a condition may end.
  private static func leastSeconds(_ scenario: Scenario) -> Double {
    scenario.phases.reduce(0) { sum, phase in
      phase.hasSeveralEnds ? sum : sum + Double(phase.end.nanoseconds ?? 0) / 1e9
    }
  }

  private func budgetSeconds() throws -> Double {
    do { return Double(try Scalars.durationOrZero.parse(budget)) / 1e9 } catch {
      throw Failure("--budget: \(error)", .usage)
    }
  }

  /// The assumed time of all runs of a scenario of the suite.
  private static func plannedSeconds(_ entry: ScenarioFiles.Entry) -> Double {
    let runs = entry.loaded.variants.map { Double($0.scenario.plannedDurationNanoseconds) / 1e9 + overheadSeconds }
    return runs.reduce(0, +) * Double(entry.loaded.repetitions)
  }

  private func suitePaths() throws -> [String] {
    guard suite.isEmpty else { return suite.texts }
    return try Self.suiteFolders.map(ProjectScenarios.folder)
  }

  private func perform(_ suite: ScenarioFiles, _ compared: ScenarioFiles, in context: CommandContext) throws -> Int32 {
    let process = StepProcess()
    try process.endOnSignals(in: context)
    let program = try ComparisonPreparation.thisProgram()
    let home = self.folder.text
    let folder =
      name.map { NightFolder(home: home, name: $0) }
      ?? NightFolder(home: home, at: Date(), sha256: program.sha256)
    // Before the suite, which takes the first part of the budget.
    try CalibrationFile(calibration?.text).checkAppendable()
    let acknowledged = try AcknowledgementFile(at: acknowledgements.text).acknowledgements()
    if let pinned { try ComparisonPreparation.check(ArmSource(pinned.text)) }
    let lock = try folder.lock()
    defer { withExtendedLifetime(lock) {} }
    let night = try RunningNight(summary(of: folder, program), folder: folder, process: process, context: context)
    try folder.writeIndex(acknowledgements: acknowledged)
    for entry in try rotated(suite.entries, night) { try runSuiteStep(entry, night) }
    try compareWithPinned(night)
    try compareWithLast(night)
    try bisect(compared, night)
    try calibrate(compared, night)
    return try finish(night, program, in: context)
  }

  /// Returns the summary of the night that is resumed, or a new one.
  private func summary(of folder: NightFolder, _ program: ComparedArm) throws -> NightSummary {
    guard let begun = try folder.summary() else {
      return NightSummary(
        startedAt: Date().formatted(.iso8601),
        budgetSeconds: try budgetSeconds(),
        sha256: program.sha256,
        commit: program.commit
      )
    }
    guard !begun.isComplete else {
      throw Failure("\(folder.path): this night is complete; use another --name", .cannotCreateOutput)
    }
    guard begun.sha256 == program.sha256 else {
      throw Failure("\(folder.path): another build started this night; use another --name", .cannotCreateOutput)
    }
    return begun
  }

  // MARK: Steps

  /// Returns the scenarios of the suite, those that have not run for the longest time first, so that all run within few
  /// nights if one night has no time for all.
  private func rotated(_ entries: [ScenarioFiles.Entry], _ night: RunningNight) throws -> [ScenarioFiles.Entry] {
    let lastRuns = try night.folder.lastRuns(before: night.summary.startedAt)
    let order = entries.enumerated().sorted {
      (lastRuns[$0.element.loaded.scenario.name] ?? "", $0.offset)
        < (lastRuns[$1.element.loaded.scenario.name] ?? "", $1.offset)
    }
    return order.map(\.element)
  }

  private func runSuiteStep(_ entry: ScenarioFiles.Entry, _ night: RunningNight) throws {
    let planned = Self.plannedSeconds(entry)
    let name = entry.loaded.scenario.name
    if night.step(.suite, name) == nil, planned > night.clock.secondsLeft(for: .suite) {
      let fitting = planned / NightClock.endShare(of: .suite)
      let isTooLong = fitting > night.clock.budgetSeconds
      return try night.skip(
        .suite,
        name,
        reason: isTooLong
          ? "longer than the suite's share of the budget, needs --budget \(Int(saturating: fitting / 60) + 1)m"
          : "not enough time was left"
      )
    }
    try night.run(.suite, name) { ["run", "--out", night.folder.suite, entry.path] }
  }

  private func compareWithPinned(_ night: RunningNight) throws {
    let folder = night.folder
    guard
      let base = pinned?.text ?? (folder.has(.pinned) && !repin ? folder.executable(of: .pinned) : nil)
    else { return try night.skip(.pinned, reason: "this build becomes the pinned one") }
    try compare(with: base, .pinned, night)
    guard folder.outcome(of: .pinned) != nil else {
      return try night.skip(.history, reason: "there is no result of the comparison with the pinned build")
    }
    try night.run(.history) { ["history", "add", "\(folder.path)/pinned", "--file", folder.history] }
    guard night.step(.history)?.exitCode == .passed else { return }
    try night.run(.trend) {
      ["history", "trend", "--file", folder.history, "--acknowledgements", acknowledgements.text]
    }
  }

  private func compareWithLast(_ night: RunningNight) throws {
    let folder = night.folder
    guard folder.has(.last) else { return try night.skip(.last, reason: "this is the first night") }
    let isPinned = FileManager.default.contentsEqual(
      atPath: folder.executable(of: .pinned),
      andPath: folder.executable(of: .last)
    )
    if isPinned, pinned == nil, !repin {
      return try night.skip(.last, reason: "the previous night's build is the pinned one")
    }
    try compare(with: folder.executable(of: .last), .last, night)
  }

  private func compare(with base: String, _ part: NightSummary.Part, _ night: RunningNight) throws {
    try night.run(part) {
      ["compare", base, ".", "--budget", Self.budget(night.clock.secondsLeft(for: part))]
        + (scenarios.isEmpty ? [] : ["--scenario"] + scenarios.texts)
        + (instructions.map { [$0 ? "--instructions" : "--no-instructions"] } ?? [])
        + ["--seed", Self.seed(), "--out", "\(night.folder.path)/\(part.rawValue)"] + calibrationArguments
    }
  }

  /// Searches for the commit of the worst regression.
  private func bisect(_ compared: ScenarioFiles, _ night: RunningNight) throws {
    guard let regression = NightRegression(of: night.folder, pinnedIsKept: pinned == nil) else { return }
    guard let commits = regression.commits else {
      return try night.skip(.bisection, reason: "the commits are the same or not known, or changes are uncommitted")
    }
    let figure = regression.figure
    guard let entry = compared.entries.first(where: { figure.workload.hasPrefix($0.loaded.scenario.name + "/") })
    else { return }
    try night.run(.bisection, entry.loaded.scenario.name) {
      ["bisect", commits.good, commits.bad, "--scenario", entry.path, "--metric", figure.metric]
        + ["--out", "\(night.folder.path)/bisect"]
    }
  }

  private func calibrate(_ compared: ScenarioFiles, _ night: RunningNight) throws {
    guard night.step(.bisection)?.isSkipped ?? true else {
      return try night.skip(.calibration, reason: "the search for the commit needs the time")
    }
    let entries = compared.entries.sorted { $0.loaded.scenario.name < $1.loaded.scenario.name }
    let count = try CalibrationFile(calibration?.text).records().count
    let entry = entries[count % entries.count]
    // The number of calibrations selects the scenario. A resumed step may have added one, so it keeps its scenario.
    let name = night.step(.calibration)?.scenario ?? entry.loaded.scenario.name
    try night.run(.calibration, name) {
      ["calibrate", "--scenario", entry.path, "--budget", Self.budget(night.clock.secondsLeft(for: .calibration))]
        + ["--seed", Self.seed(), "--out", "\(night.folder.path)/calibration"] + calibrationArguments
    }
  }

  private var calibrationArguments: [String] { calibration.map { ["--calibration", $0.text] } ?? [] }

  private static func budget(_ seconds: Double) -> String { "\(max(1, Int(saturating: seconds)))s" }

  private static func seed() -> String { String(UInt32.random(in: 1 ... .max)) }

  // MARK: The end

  private func finish(_ night: RunningNight, _ program: ComparedArm, in context: CommandContext) throws -> Int32 {
    let folder = night.folder
    if night.wasInterrupted {
      context.errors.line("interrupted; run the same command again to continue the night")
      return ExitStatus.interrupted.rawValue
    }
    let path = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    try folder.keep(path, commit: program.commit, as: .last)
    if pinned == nil, repin || !folder.has(.pinned) {
      try folder.keep(path, commit: program.commit, as: .pinned)
    }
    let report = try night.complete()
    context.output.line(InertText.line("\(report.headline) (exit \(report.exitCode.rawValue))"))
    context.errors.line(InertText.line("report: \(folder.path)/summary.html"))
    // The verdict stands, whatever happens to earlier nights.
    do { try tidy(folder, in: context) } catch {
      let failure = Failure(error)
      context.errors.line(InertText.line("error: \(failure.text)"))
      return ExitStatus.mostSevere([report.exitCode, failure.status]).rawValue
    }
    return report.exitCode.rawValue
  }

  /// Removes old nights, and writes the page of all nights.
  private func tidy(_ folder: NightFolder, in context: CommandContext) throws {
    let removed = try folder.prune(keep: keep)
    if !removed.isEmpty {
      context.errors.line(InertText.line("removed the nights \(removed.joined(separator: ", ")), see --keep"))
    }
    try folder.writeIndex(acknowledgements: try AcknowledgementFile(at: acknowledgements.text).acknowledgements())
    context.errors.line(InertText.line("all nights: \(folder.home)/index.html"))
  }
}
