internal import ArgumentParser

struct CompareCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Compares two builds or configurations by pairs of runs, and says what changed.",
    discussion: """
      A side is an executable of yapbench, a git revision, which is built once \
      and kept in ~/.cache/yapbench, or "." for this program. The two sides run \
      in turn, each time in a fresh process with a fresh database and the same \
      seed. Scenarios that look changed are run again, and only these fresh \
      pairs decide.

      Exit code 0: nothing got worse. 2: a regression was found and confirmed. \
      3: a run failed, or a figure could not be compared. 4: with --strict, a \
      figure is inconclusive or its change was not confirmed. A comparison that was \
      killed or interrupted continues when it is started again with the same \
      arguments and the same --out.

      Two folders of stored runs are shown side by side, without a verdict: \
      runs that were made at different times do not support one.

      Examples:
        Is my change slower than the last commit?
        yapbench compare HEAD .

        Two commits, within twenty minutes:
        yapbench compare v1.2 main --budget 20m

        Until every p50 is known to within 3 %:
        yapbench compare HEAD . --until-interval 3%

        What does a cache policy cost?
        yapbench compare . . --head-set engine.defaultObjectPolicy=copy

        Count instructions too, which noise does not affect:
        yapbench compare HEAD . --instructions

        One scenario of your own, and a comment for a pull request:
        yapbench compare main . --scenario my.yaml --format md

        Two stored runs, side by side:
        yapbench compare Reports/RUN1 Reports/RUN2
      """
  )

  @Argument(help: "The reference.")
  var base: String

  @Argument(help: "The side that may have changed.")
  var head: String

  @Option(
    name: .customLong("scenario"),
    parsing: .upToNextOption,
    help: ArgumentHelp("Scenario files, or folders. (default: Scenarios/compare)", valueName: "file"),
    completion: .scenarios
  )
  var scenarios: [String] = []

  @Option(
    name: .customLong("tag"),
    help: ArgumentHelp("Only scenarios with this tag; may be repeated.", valueName: "tag")
  )
  var tags: [String] = []

  @Option(
    name: .customLong("base-set"),
    help: ArgumentHelp("Changes a value of the scenarios for the base; may be repeated.", valueName: "path=value")
  )
  var baseSettings: [ChangeArgument] = []

  @Option(
    name: .customLong("head-set"),
    help: ArgumentHelp("The same for the head; may be repeated.", valueName: "path=value")
  )
  var headSettings: [ChangeArgument] = []

  @Option(help: ArgumentHelp("Pairs of runs of each scenario, 6 to 500. (default: 20)", valueName: "n"))
  var pairs: Int?

  @Flag(help: "Ten pairs, and twelve fresh ones for scenarios that look changed.")
  var quick = false

  @Option(help: ArgumentHelp("As many pairs as fit into this time, such as 20m.", valueName: "duration"))
  var budget: String?

  @Option(
    name: .customLong("until-interval"),
    help: ArgumentHelp("Pairs of a scenario until each p50 is known to within ± this, such as 3%.", valueName: "share")
  )
  var interval: String?

  @Option(help: ArgumentHelp("The source of all orders and seeds.", valueName: "n"))
  var seed: UInt64 = 1

  @Option(name: .customLong("out"), help: ArgumentHelp("The folder for the reports and the journal.", valueName: "dir"))
  var folder: String?

  @Option(
    name: .customLong("calibration"),
    help: ArgumentHelp("The calibration file. (default: ~/.local/state/yapbench/calibration.jsonl)", valueName: "file")
  )
  var calibration: String?

  @Option(help: "The form of the report on standard output: text, md (a comment for a pull request) or json.")
  var format: CompareFormat = .text

  @Flag(help: "Exits with 4 if a figure is inconclusive or its change was not confirmed.")
  var strict = false

  @Flag(
    name: .customLong("whole-interval"),
    help: "Reports a change only if its whole interval lies beyond the margin."
  )
  var wholeInterval = false

  @Flag(help: "Counts instructions too, with Valgrind, of scenarios with a single thread.")
  var instructions = false

  @Flag(help: "Compares different versions of SQLite or Swift, and stored runs that are not comparable.")
  var anyway = false

  func perform(in context: CommandContext) -> Int32 {
    CompareAction(
      base: base,
      head: head,
      scenarios: scenarios,
      tags: tags,
      baseSettings: baseSettings.map(\.change),
      headSettings: headSettings.map(\.change),
      pairs: pairs,
      isQuick: quick,
      budget: budget,
      interval: interval,
      seed: seed,
      folder: folder,
      format: format,
      calibration: calibration,
      requiresWholeInterval: wholeInterval,
      failsIfInconclusive: strict,
      isAnyway: anyway,
      countsInstructions: instructions
    ).perform(in: context)
  }
}

/// The form of a comparison's report on standard output.
enum CompareFormat: String, ExpressibleByArgument, CaseIterable {
  case text, md, json
}
