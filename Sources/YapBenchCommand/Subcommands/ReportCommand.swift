internal import ArgumentParser

struct ReportCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Draws the reports and pictures of a run anew, from its run.json.",
    discussion: """
      For a run of an older version, or one whose picture is missing. The \
      figures stay as they were measured. Tables are written where the run has \
      none. Nothing that is there is overwritten without --force.

      Examples:
        yapbench report Reports/RUN
        yapbench report Reports/RUN --out Reports/RUN --force
      """
  )

  @Argument(help: ArgumentHelp("The folder of a run, or its run.json.", valueName: "run"), completion: .directory)
  var run: String

  @Option(
    name: .customLong("out"),
    help: ArgumentHelp("The folder that takes them. (default: redrawn/ in the run's)", valueName: "dir"),
    completion: .directory
  )
  var target: String?

  @Flag(name: .customLong("force"), help: "Replaces reports and pictures that are there.")
  var overwrites = false

  func perform(in context: CommandContext) -> Int32 {
    ReportAction(run: run, target: target, overwrites: overwrites).perform(in: context)
  }
}
