internal import ArgumentParser
internal import BenchReports
internal import BenchResults
internal import BenchRunner
internal import Foundation

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
    let found = try FoundShards(below: folders.texts)
    for problem in found.unreadable { context.errors.error(problem.text) }
    let status = try merge(found, MergePlace(folders: folders.texts, reportFolder: reportFolder.text), in: context)
    return ExitStatus.mostSevere([status] + found.unreadable.map(\.status)).rawValue
  }

  private func merge(_ found: FoundShards, _ place: MergePlace, in context: CommandContext) throws -> ExitStatus {
    let names = folders.texts.joined(separator: ", ")
    let kinds = [
      found.runs.first.map { "\($0.path) of runs" }, found.campaigns.first.map { "\($0.path) of a campaign" },
      found.calibrations.first.map { "\($0.path) of a calibration" },
    ].compactMap { $0 }
    guard kinds.count <= 1 else {
      throw Failure("\(names): shards of one command are expected, found \(kinds.joined(separator: ", "))", .usage)
    }
    if let set = ShardSet(found.calibrations) { return place.merge(set, in: context) }
    try context.endOnSignals()
    if kinds.count == 1 { try RunDirectory.checkWritable(place.reportFolder) }
    if let set = ShardSet(found.campaigns) { return try place.merge(set, killed: found.killed, in: context) }
    if let set = ShardSet(found.runs, problem: RunMerge.problem) { return try place.merge(set, in: context) }
    throw Failure(
      "\(names): there is no report of a shard; expected folders that yapbench run, stress or calibrate has written "
        + "with --shard",
      .missingInput
    )
  }
}

/// The folders of a merge.
struct MergePlace {
  /// The folders that were searched for shards.
  let folders: [String]
  /// The parent folder of the merged report.
  let reportFolder: String

  /// Returns the command that makes a shard again, or continues it.
  /// - Parameter begun: The folder of the unfinished shard; nil to make it beside the folders of other shards.
  func command<Result>(of number: Int, in set: ShardSet<Result>, continuing begun: String? = nil) -> String {
    let files = set.record.files.enumerated().map { group, file in
      set.reports.first { $0.record.group == group }.map { Self.absolute("\($0.path)/scenario.yaml") } ?? file
    }
    let folder = begun.map { ["--resume", Self.absolute($0)] } ?? ["--out", shardFolder(number)]
    return RepeatCommand.line(set.record.command(of: number, folder: folder, files: files))
  }

  private func shardFolder(_ number: Int) -> String {
    let first = folders[0]
    let isReport = FoundShards.units.keys.contains { FileManager.default.fileExists(atPath: "\(first)/\($0)") }
    return Self.absolute("\(folders.count > 1 || isReport ? "\(first)/.." : first)/shard-\(number)")
  }

  static func absolute(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }
}

extension MergeResult {
  /// The lines that merges of all kinds print: the number of shards, and the reasons why the merge is incomplete.
  func lines(onMachines machines: Int) -> [String] {
    let made = Quantity.count(parts.reduce(0) { $0 + $1.made }, of: unit.rawValue)
    let complete = "shards: \(parts.count { $0.state == .complete }) of \(parts.count) complete"
    return ["\(complete), \(made) on \(Quantity.count(machines, of: "machine"))"] + problems.map { "  - \($0)" }
  }

  /// The commands that repeat shards.
  var repetitions: [String] { parts.compactMap { part in part.command.map { "repeat shard \(part.number): \($0)" } } }
}
