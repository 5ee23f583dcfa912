internal import BenchDrivers
internal import BenchReports
internal import BenchResults
internal import BenchRunner
internal import EngineStress
internal import Foundation

/// Runs a stress campaign, shows its progress, and writes its report.
struct StressAction {
  let options: StressOptions
  /// The number of cases; nil for all, or until `--for` has passed.
  var cases: Int?
  /// The option that states the number of cases, with its value; nil for `--cases`.
  var caseLimit: [String]?
  /// The seed without `--seed`; nil for a random one.
  var defaultSeed: UInt64?
  /// Makes the campaign, once its seed is known. Only this closure may start threads or child processes.
  let campaign: (UInt64) throws -> any StressCampaign

  func perform(in context: CommandContext) throws -> Int32 {
    let display = ProgressDisplay(output: context.errors, terminal: context.terminal)
    // Before the campaign starts a thread, which would not block the signals, or leaves a database behind.
    try context.watchSignals {
      display.showMessage("interrupted: ending the current cases; interrupt again to end immediately")
    } end: {
      UnfinishedOutput.discardAll { Program.end(ExitStatus.interrupted.rawValue) }
    }
    let program = try ThisProgram()
    let resumed = try options.resume.map(CampaignHeader.read(fromFolder:))
    let seed = options.seed ?? resumed?.seed ?? defaultSeed ?? UInt64(UInt32.random(in: 1 ... .max))
    let campaign = try campaign(seed)
    if let dataFolder = options.dataFolder { try RunDirectory.checkTakesFiles(dataFolder) }
    let time = Date.now.formatted(.iso8601)
    let folder =
      try options.resume
      ?? StressFolder.create(in: options.reportFolder, kind: campaign.kind, commit: program.commit, at: time)
    let parent = options.dataFolder ?? folder
    for line in Leftovers.remove(in: [parent]) { display.showMessage(line) }
    let data = DataFolder(in: parent, prefix: options.dataFolder == nil ? ".data" : Program.name, isKept: false)
    try data.create()
    defer { data.removeUnlessKept() }
    let run = StressCommandLine(campaign: campaign, seed: seed, dataFolder: options.dataFolder)
    let command = options.onlyCase.map(run.text(ofCase:)) ?? run.text(limits)
    let environment = StressEnvironment(of: campaign, program, dataFolder: data.path)
    var headlines = [Self.headline(of: run, environment), "repeat: \(command)"]
    let resumeCommand = options.onlyCase == nil ? run.text(limits + ["--resume", folder]) : nil
    if let resumeCommand { headlines.append("resume: \(resumeCommand)") }
    for line in headlines { context.output.line(InertText.line(line)) }
    var settings = CampaignSettings(folder: folder, dataFolder: data.path, seed: seed)
    settings.cases = cases
    settings.onlyCase = options.onlyCase
    settings.seconds = options.time.map { Double($0.nanoseconds) / 1e9 }
    settings.jobs = options.jobs ?? ProcessInfo.processInfo.activeProcessorCount
    let campaignRun = CampaignRun(
      campaign,
      settings: settings,
      interruption: context.interruption,
      caseCommand: run.text(ofCase:),
      onProgress: { display.showStatus(Self.status($0)) }
    )
    let result = try campaignRun.perform(environment: environment, command: command, resumeCommand: resumeCommand)
    display.clear()
    try StressFolder.write(result, in: folder)
    context.events?.add(report: folder + "/report.md")
    show(result, folder: folder, in: context)
    if let time = options.time, campaignRun.earlierSeconds >= Double(time.nanoseconds) / 1e9 {
      let earlier = Quantity.duration(nanoseconds: campaignRun.earlierSeconds * 1e9)
      context.output.line("no case was begun: the campaign had run for \(earlier) before, and --for is \(time.text)")
    }
    return result.status.rawValue
  }

  /// The options that limit the campaign.
  private var limits: [String] {
    (caseLimit ?? cases.map { ["--cases", String($0)] } ?? []) + (options.time.map { ["--for", $0.text] } ?? [])
  }

  private static func status(_ progress: CampaignProgress) -> String {
    let planned = progress.plannedCases.map { " of \($0)" } ?? ""
    let failures = progress.failures > 0 ? ", \(progress.failures) failures" : ""
    let counts = progress.counts.filter { $0.value > 0 }.prefix(4).map { "\($0.value) \($0.name)" }
    return "\(progress.cases)\(planned) cases\(failures): \(counts.joined(separator: ", "))"
  }

  private static func headline(of run: StressCommandLine, _ environment: StressEnvironment) -> String {
    let defect = environment.sqliteHasWALResetDefect ? "with" : "without"
    return "stress \(run.campaign.kind.rawValue): seed \(run.seed), SQLite \(environment.sqliteVersion) \(defect) the "
      + "WAL-reset defect, synchronous \(environment.synchronous), \(environment.fileSystem)"
  }

  private func show(_ result: StressResult, folder: String, in context: CommandContext) {
    let report = StressReport(result)
    context.output.line(InertText.line(report.headline))
    if let interruption = report.interruption { context.output.line(interruption) }
    for line in AlignedColumns.lines(result.counts.map { ["  " + $0.name, String($0.value)] }) {
      context.output.line(line)
    }
    if let bugs = result.plantedBugs { show(bugs, in: context) }
    for failures in result.failedCases {
      for failure in failures { context.output.line(InertText.line("case \(failure.number): \(failure.text)")) }
      context.output.line(InertText.line("  repeat: \(failures[0].command)"))
    }
    for line in result.shortcomings { context.output.line(InertText.line("not enough was tested: \(line)")) }
    context.output.line(InertText.line("report: \(folder)/report.html"))
  }

  private func show(_ bugs: [PlantedBugResult], in context: CommandContext) {
    context.output.line("planted bugs caught: \(bugs.count(where: \.isCaught)) / \(bugs.count)")
    for bug in bugs {
      let lines = [
        "  \(bug.isCaught ? "caught" : "NOT CAUGHT"): \(bug.name), by \(bug.campaign), "
          + "\(Quantity.count(bug.cases, of: "case")), \(Quantity.duration(nanoseconds: bug.seconds * 1e9))",
        "    \(bug.effect)", "    \(bug.finding ?? "no failure shows it")",
      ]
      for line in lines { context.output.line(InertText.line(line)) }
    }
  }
}

/// The command line that repeats a campaign.
private struct StressCommandLine: Sendable {
  let campaign: any StressCampaign
  let seed: UInt64
  /// The folder of `--data-dir`; nil without the option.
  let dataFolder: String?

  func text(_ more: [String]) -> String {
    let words = [CommandLine.arguments[0], "stress", campaign.kind.rawValue, "--seed", String(seed)]
    let folder = dataFolder.map { ["--data-dir", $0] } ?? []
    return (words + campaign.arguments + folder + more).map(ShellWord.quoted).joined(separator: " ")
  }

  func text(ofCase number: Int) -> String { text(["--case", String(number)]) }
}

extension StressEnvironment {
  /// - Parameter dataFolder: The folder of the databases.
  fileprivate init(of campaign: any StressCampaign, _ program: ThisProgram, dataFolder: String) {
    self.init(
      commit: program.commit,
      program: program.sha256,
      hasTestPoints: DriverBuild.hasTestPoints,
      sqliteVersion: DriverBuild.sqliteVersion,
      sqliteSourceID: DriverBuild.sqliteSourceID,
      sqliteHasWALResetDefect: DriverBuild.sqliteHasWALResetDefect,
      synchronous: campaign.synchronous,
      fileSystem: MountTable.fileSystem(of: dataFolder)
    )
  }
}
