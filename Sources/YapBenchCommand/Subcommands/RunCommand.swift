internal import ArgumentParser
internal import BenchModel

struct RunCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Runs scenarios one after the other and writes a report of each.",
    discussion: """
      All files are checked before the first one runs. Progress goes to \
      standard error, the verdict to standard output. Ctrl-C (SIGINT, and as \
      well SIGTERM and SIGHUP) ends a run early and still writes the report of \
      what was measured; a second one ends at once. Of several files the gravest verdict gives the exit code.

      Examples:
        yapbench run Scenarios/wal/stalled-reader.yaml

        Does it work? A few seconds, no figures:
        yapbench run --smoke Scenarios/wal/*.yaml

        The same story, longer and with other keys:
        yapbench run --seed 7 --set phases.stall.for=2m FILE

        Two of the policies that a scenario's matrix compares, each once:
        yapbench run --only containment --only share --set repeat=1 FILE

        On another disk, and to be looked at afterwards:
        yapbench run --data-dir /mnt/ssd --keep-database FILE

        Repeats a run:
        yapbench run Reports/RUN/scenario.yaml
      """
  )

  @Argument(help: ArgumentHelp("Scenario files.", valueName: "file"))
  var files: [String]

  @Option(name: .customLong("out"), help: ArgumentHelp("Where each run's folder is created.", valueName: "dir"))
  var reportFolder = "Reports"

  @Option(help: ArgumentHelp("Where all randomness comes from, instead of the scenario's own.", valueName: "n"))
  var seed: UInt64?

  @OptionGroup var choice: ScenarioChoice

  @Flag(name: .customLong("smoke"), help: "Cuts every phase to a few hundred milliseconds; expectations do not judge.")
  var isSmoke = false

  @Option(
    name: .customLong("data-dir"),
    help: ArgumentHelp(
      "Where the database lives while it runs; must be there. (default: the --out folder)",
      valueName: "dir"
    )
  )
  var dataFolder: String?

  @Flag(name: .customLong("keep-database"), help: "Leaves the database there and prints where.")
  var keepsDatabase = false

  func perform(in context: CommandContext) -> Int32 {
    RunAction(
      files: files,
      reportFolder: reportFolder,
      seed: seed,
      overrides: choice.changes.map(\.change),
      choices: choice.choices,
      isSmoke: isSmoke,
      dataParent: dataFolder,
      keepsDatabase: keepsDatabase
    ).perform(in: context)
  }
}

/// `path=value`, as `--set` takes it. What it leads to, the loader finds out.
struct ChangeArgument: ExpressibleByArgument {
  let change: ScenarioOverride

  init?(argument: String) {
    guard let equals = argument.firstIndex(of: "="), equals > argument.startIndex else { return nil }
    change = ScenarioOverride(
      path: String(argument[..<equals]),
      value: String(argument[argument.index(after: equals)...])
    )
  }
}
