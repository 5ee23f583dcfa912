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
      what was measured; a second one ends at once, as SIGQUIT (Ctrl-\\) does. \
      What killed runs have left in the folders used here is removed first. Of \
      several files the most severe verdict gives the exit code.

      Examples:
        yapbench run Scenarios/wal/stalled-reader.yaml

        All scenarios of one theme:
        yapbench run Scenarios/wal

        Does it work? A few seconds, no figures:
        yapbench run --smoke Scenarios/wal

        The same story, longer and with other keys:
        yapbench run --seed 7 --set phases.stall.for=2m FILE

        Two of the policies that a scenario's matrix compares, each once:
        yapbench run --only containment --only share --set repeat=1 FILE

        On another disk, and to be looked at afterwards:
        yapbench run --data-dir /mnt/ssd --keep-database FILE

        For a program that follows it:
        yapbench run --json-progress FILE 2>progress.jsonl

        Repeats a run:
        yapbench run Reports/RUN/scenario.yaml
      """
  )

  @Argument(
    help: ArgumentHelp("Scenario files, or folders with all below them.", valueName: "file"),
    completion: .scenarios
  )
  var files: [String]

  @OptionGroup var options: RunArguments

  @OptionGroup var choice: ScenarioChoice

  func perform(in context: CommandContext) -> Int32 {
    RunAction(
      files: files,
      reportFolder: options.reportFolder,
      seed: options.seed,
      overrides: choice.changes.map(\.change),
      choices: choice.choices,
      isSmoke: options.isSmoke,
      dataParent: options.dataFolder,
      keepsDatabase: options.keepsDatabase,
      tellsJSON: options.tellsJSON
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
