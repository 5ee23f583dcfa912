internal import ArgumentParser
internal import BenchReports
internal import BenchResults
internal import BenchScenario

struct ReportCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Writes the reports and pictures of a run again, from its run.json.",
    discussion: """
      For a run of an older version, or one without reports. The figures stay as \
      they were measured. Tables are written if the run has none. Existing files \
      are overwritten only with --force.

      Examples:
        yapbench report Reports/RUN
        yapbench report Reports/RUN --out Reports/RUN --force
      """
  )

  @Argument(help: ArgumentHelp("The folder of a run, or its run.json.", valueName: "run"), completion: .directory)
  var path: PathArgument

  @Option(
    name: .customLong("out"),
    help: ArgumentHelp("The folder for the reports. (default: redrawn/ in the run's folder)", valueName: "dir"),
    completion: .directory
  )
  var target: PathArgument?

  @Flag(name: .customLong("force"), help: "Overwrites existing reports and pictures.")
  var overwrites = false

  func perform(in context: CommandContext) throws -> Int32 {
    let record = RunRecord(path.text)
    let result = try record.read()
    let target = target?.text ?? "\(record.folder)/redrawn"
    try context.endOnSignals()
    try RunDirectory.redraw(result, of: record.folder, into: target, overwrites: overwrites)
    context.output.line(InertText.line("report: \(target)/report.html"))
    return ExitStatus.passed.rawValue
  }
}
