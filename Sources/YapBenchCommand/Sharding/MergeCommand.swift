internal import ArgumentParser
internal import BenchReports
internal import BenchResults

struct MergeCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Joins the reports of all shards of a run, a stress campaign or a calibration.",
    discussion: """
      DIR is the folder of a shard's report, or a folder that is searched for them. \
      The report has the runs of all shards, in the order of a run without shards. \
      Figures of different machines are not pooled: each machine has its own tables.

      Of a stress campaign, the counts of all shards are added, its requirements are \
      judged, and the cases of each machine are listed. Of a calibration, the noise \
      of each machine is printed, and nothing is written.

      Missing, failed and repeated shards are named, each missing or failed one with \
      the command that repeats it, or continues a campaign. Shards with another text \
      of the scenario, another seed, other options or another build are left out. \
      The exit code is then 3, or that of a more severe verdict, and the report has \
      the runs or cases that there are. Nothing is overwritten.

      Examples:
        yapbench merge Reports/JOB
        yapbench merge Reports/shard-1 Reports/shard-2 --out Reports/merged
      """
  )

  @Argument(
    help: ArgumentHelp("Folders of shards' reports, or folders that contain them.", valueName: "dir"),
    completion: .directory
  )
  var folders: [PathArgument]

  @Option(name: .customLong("out"), help: ArgumentHelp("The parent folder of the new report.", valueName: "dir"))
  var reportFolder = PathArgument("Reports")

  func perform(in context: CommandContext) throws -> Int32 {
    let (folders, reportFolder) = (folders.texts, reportFolder.text)
    let reports = try ShardReports(below: folders)
    for problem in reports.unreadable { context.errors.error(problem.text) }
    let code = try merge(reports, MergePlace(folders: folders, reportFolder: reportFolder), in: context)
    return ExitStatus.mostSevere([code] + reports.unreadable.map(\.status.rawValue))
  }

  private func merge(_ reports: ShardReports, _ place: MergePlace, in context: CommandContext) throws -> Int32 {
    let kinds = [
      ("of runs", reports.runs.map(\.path)), ("of a campaign", reports.campaigns.map(\.path)),
      ("of a calibration", reports.calibrations.map(\.path)),
    ].compactMap { kind, paths in paths.first.map { "\($0) \(kind)" } }
    guard kinds.count == 1 else {
      let names = place.folders.joined(separator: ", ")
      guard kinds.isEmpty else {
        throw Failure("\(names): shards of one command are expected, found \(kinds.joined(separator: ", "))", .usage)
      }
      throw Failure(
        "\(names): there is no report of a shard; expected folders that yapbench run, stress or calibrate has written "
          + "with --shard",
        .missingInput
      )
    }
    if !reports.calibrations.isEmpty {
      return CalibrationMergeAction(records: reports.calibrations, place: place).perform(in: context)
    }
    try context.endOnSignals()
    try RunDirectory.checkWritable(place.reportFolder)
    if !reports.campaigns.isEmpty { return try StressMergeAction(reports: reports, place: place).perform(in: context) }
    return try RunMergeAction(records: reports.runs, place: place).perform(in: context)
  }
}
