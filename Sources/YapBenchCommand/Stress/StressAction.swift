internal import BenchComparison
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

  /// - Parameter campaign: Makes the campaign, once its seed is known. Only this closure may start threads or child
  ///   processes.
  func perform(
    in context: CommandContext,
    _ campaign: (UInt64) throws -> any StressCampaign
  ) throws -> Int32 {
    let display = ProgressDisplay(output: context.errors, terminal: context.terminal)
    // Before the campaign starts a thread, which would not block the signals, or leaves a database behind.
    try context.watchSignals {
      display.showMessage("interrupted: ending the current cases; interrupt again to end immediately")
    }
    let program = try ComparisonPreparation.thisProgram()
    let resumed = try options.resume.map { try CampaignHeader.read(fromFolder: $0.text) }
    let dataFolder = options.dataFolder?.text
    let known = options.seed ?? resumed?.seed
    let shard =
      try options.sharding.shard(unseeded: known == nil ? "the campaign" : nil, in: context)
      ?? resumed?.shard?.shard
    let seed = known ?? UInt64(UInt32.random(in: 1 ... .max))
    let campaign = try campaign(seed)
    var settings = CampaignSettings(folder: "", dataFolder: "", seed: seed)
    (settings.cases, settings.onlyCase) = (cases, options.onlyCase)
    let run = StressCommandLine(
      kind: campaign.kind,
      seed: seed,
      arguments: campaign.arguments,
      dataFolder: dataFolder?.absolutePath
    )
    settings.shard = try shard.map { try record($0, of: campaign, run, cases: settings.plannedCases(of: campaign)) }
    if let dataFolder { try RunDirectory.checkTakesFiles(dataFolder) }
    let time = Date.now.formatted(.iso8601)
    let folder =
      try options.resume?.text
      ?? StressFolder.create(in: options.reportFolder.text, kind: campaign.kind, commit: program.commit, at: time)
    let data = try DataFolder.create(in: dataFolder ?? folder, display)
    defer { data.removeUnlessKept() }
    let limits = limits + (shard.map { ["--shard", $0.argument] } ?? [])
    let command = options.onlyCase.map(run.text(ofCase:)) ?? run.text(limits)
    let environment = StressEnvironment(of: campaign, program, dataFolder: data.path)
    var headlines = [Self.headline(of: run, environment, shard), "repeat: \(command)"]
    let resumeCommand = options.onlyCase == nil ? run.text(limits + ["--resume", folder]) : nil
    if let resumeCommand { headlines.append("resume: \(resumeCommand)") }
    for line in headlines { context.output.line(InertText.line(line)) }
    (settings.folder, settings.dataFolder) = (folder, data.path)
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
    for line in StressText.lines(of: result, folder: folder) { context.output.line(line) }
    if let time = options.time, campaignRun.earlierSeconds >= Double(time.nanoseconds) / 1e9 {
      let earlier = Quantity.duration(nanoseconds: campaignRun.earlierSeconds * 1e9)
      context.output.line("no case was begun: the campaign had run for \(earlier) before, and --for is \(time.text)")
    }
    return result.status.rawValue
  }

  private func record(
    _ shard: Shard,
    of campaign: any StressCampaign,
    _ run: StressCommandLine,
    cases: Int?
  ) throws -> ShardRecord {
    let name = "stress \(run.kind.rawValue)"
    return try ShardRecord(
      shard,
      of: name,
      unit: .case,
      determining: run.arguments + limits,
      groups: [.init(name: name, seed: run.seed, digest: campaign.inputDigest, cases: cases)],
      options: run.options + limits
    )
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

  private static func headline(
    of run: StressCommandLine,
    _ environment: StressEnvironment,
    _ shard: Shard?
  ) -> String {
    let defect = environment.sqliteHasWALResetDefect ? "with" : "without"
    let part = shard.map { ", \($0.text)" } ?? ""
    return "stress \(run.kind.rawValue)\(part): seed \(run.seed), SQLite \(environment.sqliteVersion) \(defect) the "
      + "WAL-reset defect, synchronous \(environment.synchronous), \(environment.fileSystem)"
  }
}

extension StressEnvironment {
  /// - Parameter dataFolder: The folder of the databases.
  fileprivate init(of campaign: any StressCampaign, _ program: ComparedArm, dataFolder: String) {
    self.init(program: program.sha256)
    commit = program.commit
    hasTestPoints = DriverBuild.hasTestPoints
    sqliteVersion = DriverBuild.sqliteVersion
    sqliteSourceID = DriverBuild.sqliteSourceID
    sqliteHasWALResetDefect = DriverBuild.sqliteHasWALResetDefect
    synchronous = campaign.synchronous
    fileSystem = MountTable.fileSystem(of: dataFolder)
  }
}
