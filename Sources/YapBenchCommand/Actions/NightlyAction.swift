internal import BenchComparison
internal import BenchModel
internal import BenchReports
internal import Foundation
internal import NumericConversion

/// Makes a nightly run: the suite, the comparisons, the history, and the search for a commit or else a calibration,
/// within a budget.
///
/// Each step is a subcommand with its arguments, which `night.json` records. A killed night resumes at its unfinished
/// step.
struct NightlyAction {
  /// Folders of the suite, below `Scenarios`.
  private static let suiteFolders = ["concurrency", "policy", "trouble", "views", "wal", "write"]
  /// The time of a scenario outside of its phases: loading and checking rows, and writing the report.
  private static let overheadSeconds = 15.0

  var home = "Reports/nightly"
  /// The name of the night's folder; the day, if nil.
  var name: String?
  /// As scenarios write durations.
  var budget = "2h"
  /// The pinned build: an executable or a revision; the one that an earlier night has kept, if nil.
  var pinned: String?
  /// Whether this build becomes the pinned one.
  var repins = false
  /// Scenario files or folders.
  var suite: [String] = []
  /// Of the comparisons.
  var scenarios: [String] = []
  var countsInstructions = false
  var calibration: String?
  /// The file of acknowledgements.
  var acknowledgements = HistoryAction.defaultAcknowledgements

  func perform(in context: CommandContext) -> Int32 {
    do {
      guard pinned == nil || !repins else {
        throw ComparisonError(.usage, "--repin keeps this build as the pinned one; leave out --pinned")
      }
      let suite = ScenarioFiles(below: try suitePaths())
      let compared = ScenarioFiles(below: scenarios.isEmpty ? [try ProjectScenarios.folder("compare")] : scenarios)
      for files in [suite, compared] where files.status != .allHeld {
        files.report(to: context.errors)
        return files.status.rawValue
      }
      try suite.checkNames()
      return try perform(suite, compared, in: context)
    } catch {
      let failure = Failure(error)
      context.errors.error(failure.text)
      return failure.status.rawValue
    }
  }

  private func suitePaths() throws -> [String] {
    guard suite.isEmpty else { return suite }
    return try Self.suiteFolders.map(ProjectScenarios.folder)
  }

  private func perform(_ suite: ScenarioFiles, _ compared: ScenarioFiles, in context: CommandContext) throws -> Int32 {
    let process = StepProcess()
    // Before the first child process: its threads would take the signals.
    try process.endOnSignals(in: context)
    let program = try ThisProgram()
    let folder = NightFolder(home: home, name: name, day: String(Date().formatted(.iso8601).prefix(10)))
    let lock = try folder.lock()
    defer { withExtendedLifetime(lock) {} }
    let night = try RunningNight(begunOrNew(folder, program), folder, process, context)
    for entry in suite.entries { try makeSuiteStep(entry, night) }
    try compareWithPinned(night)
    try compareWithLast(night)
    try bisect(compared, night)
    try calibrate(compared, night)
    return try end(night, program, in: context)
  }

  /// Returns the summary of a night that was killed, or a new one.
  private func begunOrNew(_ folder: NightFolder, _ program: ThisProgram) throws -> NightSummary {
    let seconds: Double
    do { seconds = Double(try DurationScalar.parse(budget)) / 1e9 } catch {
      throw ComparisonError(.usage, "--budget: \(error)")
    }
    guard let begun = try folder.summary() else {
      return NightSummary(
        startedAt: Date().formatted(.iso8601),
        budgetSeconds: seconds,
        sha256: program.sha256,
        commit: program.commit
      )
    }
    guard !begun.isComplete else {
      throw ComparisonError(.output, "\(folder.path): this night is complete; use another --name")
    }
    guard begun.sha256 == program.sha256 else {
      throw ComparisonError(.output, "\(folder.path): this night was begun with another build; use another --name")
    }
    return begun
  }

  // MARK: Steps

  private func makeSuiteStep(_ entry: ScenarioFiles.Entry, _ night: RunningNight) throws {
    let runs = entry.loaded.variants.map { Double($0.scenario.plannedDurationNanoseconds) / 1e9 + Self.overheadSeconds }
    let planned = runs.reduce(0, +) * Double(entry.loaded.repetitions)
    let name = entry.loaded.scenario.name
    if !night.knows(.suite, name), planned > night.clock.secondsLeft(for: .suite) {
      return try night.skip(.suite, name, because: "no time was left for it")
    }
    try night.make(.suite, name) { ["run", "--out", "\(night.folder.path)/suite", entry.path] }
  }

  private func compareWithPinned(_ night: RunningNight) throws {
    let folder = night.folder
    guard let base = pinned ?? (folder.has(.pinned) && !repins ? folder.executable(of: .pinned) : nil) else {
      return try night.skip(.pinned, because: "this build becomes the pinned one")
    }
    try compare(base, .pinned, night)
    guard folder.outcome(of: .pinned) != nil else {
      return try night.skip(.history, because: "there is no result of the comparison with the pinned build")
    }
    try night.make(.history) { ["history", "add", "\(folder.path)/pinned", "--file", folder.history] }
    guard FileManager.default.fileExists(atPath: folder.history) else { return }
    try night.make(.trend) {
      ["history", "trend", "--file", folder.history, "--acknowledgements", acknowledgements]
    }
  }

  private func compareWithLast(_ night: RunningNight) throws {
    let folder = night.folder
    guard folder.has(.last) else { return try night.skip(.last, because: "this is the first night") }
    let isPinned = FileManager.default.contentsEqual(
      atPath: folder.executable(of: .pinned),
      andPath: folder.executable(of: .last)
    )
    if isPinned, pinned == nil, !repins {
      return try night.skip(.last, because: "the last night's build is the pinned one")
    }
    try compare(folder.executable(of: .last), .last, night)
  }

  private func compare(_ base: String, _ part: NightSummary.Part, _ night: RunningNight) throws {
    try night.make(part) {
      ["compare", base, ".", "--budget", Self.budget(night.clock.secondsLeft(for: part))]
        + (scenarios.isEmpty ? [] : ["--scenario"] + scenarios) + (countsInstructions ? ["--instructions"] : [])
        + ["--seed", Self.seed(), "--out", "\(night.folder.path)/\(part.rawValue)"] + calibrationArguments
    }
  }

  /// Searches for the commit of the worst regression.
  private func bisect(_ compared: ScenarioFiles, _ night: RunningNight) throws {
    guard let regression = NightRegression(of: night.folder, pinnedIsKept: pinned == nil) else { return }
    guard let commits = regression.commits else {
      return try night.skip(.bisection, because: "the commits of the two builds are not known, or are the same")
    }
    let figure = regression.figure
    guard let entry = compared.entries.first(where: { figure.workload.hasPrefix($0.loaded.scenario.name + "/") })
    else { return }
    try night.make(.bisection, entry.loaded.scenario.name) {
      ["bisect", commits.good, commits.bad, "--scenario", entry.path, "--metric", figure.metric]
        + ["--out", "\(night.folder.path)/bisect"]
    }
  }

  private func calibrate(_ compared: ScenarioFiles, _ night: RunningNight) throws {
    guard night.begun(.bisection)?.isSkipped ?? true else {
      return try night.skip(.calibration, because: "the search for the commit needs its time")
    }
    let entries = compared.entries.sorted { $0.loaded.scenario.name < $1.loaded.scenario.name }
    let count = try CalibrationFile(calibration).records().count
    let entry = entries[count % entries.count]
    // The calibration file chooses the scenario, and this step appends to that file.
    let name = night.begun(.calibration)?.scenario ?? entry.loaded.scenario.name
    try night.make(.calibration, name) {
      ["calibrate", "--scenario", entry.path, "--budget", Self.budget(night.clock.secondsLeft(for: .calibration))]
        + ["--seed", Self.seed(), "--out", "\(night.folder.path)/calibration"] + calibrationArguments
    }
  }

  private var calibrationArguments: [String] { calibration.map { ["--calibration", $0] } ?? [] }

  private static func budget(_ seconds: Double) -> String { "\(max(1, Int(saturating: seconds)))s" }

  private static func seed() -> String { String(UInt32.random(in: 1 ... .max)) }

  // MARK: The end

  private func end(_ night: RunningNight, _ program: ThisProgram, in context: CommandContext) throws -> Int32 {
    let folder = night.folder
    if night.wasInterrupted {
      context.errors.line("interrupted; the same command continues the night")
      return ExitStatus.interrupted.rawValue
    }
    let exitCode = ExitStatus.gravest(
      night.summary.steps.filter(\.part.decides).compactMap(\.exitCode)
    )
    let outcomes = [NightSummary.Part.pinned, .last].map { ($0, folder.outcome(of: $0)) }
    let report = NightReport(
      night.summary,
      outcomes: Dictionary(uniqueKeysWithValues: outcomes).compactMapValues { $0 },
      exitCode: exitCode
    )
    try NightReportFolder.write(report, in: folder.path)
    try folder.keep(program.path, commit: program.commit, as: .last)
    if pinned == nil, repins || !folder.has(.pinned) {
      try folder.keep(program.path, commit: program.commit, as: .pinned)
    }
    try night.complete()
    context.output.line(InertText.line("\(report.headline) (exit \(exitCode))"))
    context.errors.line(InertText.line("report: \(folder.path)/summary.html"))
    return exitCode
  }
}
