internal import ArgumentParser
internal import BenchScenario

struct CompareCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Compares two builds or configurations by pairs of runs.",
    discussion: """
      A side is an executable of yapbench, a git revision, which is built once \
      and kept in ~/.cache/yapbench, or "." for this program. The two sides run \
      in turn, each time in a new process with a new database and the same seed. \
      Scenarios whose figures seem changed are run again, and only these fresh \
      pairs decide.

      Exit code 0: no regression. 2: a regression was found and confirmed. 3: the \
      comparison is incomplete or untrusted, or its sides are not comparable. 4: \
      with --strict, a figure is inconclusive or suspect. 64, 65, 66: the arguments, \
      a setting or a side is wrong; nothing was run. A comparison that was killed or \
      interrupted continues when it is started again with the same arguments and the \
      same --out.

      If other processes disturb the times, instructions decide, which they do not \
      affect; with --strict, times are needed.

      Two folders of stored runs are shown side by side, without a verdict, \
      because runs that were made at different times do not support one.

      Examples:
        Is my change slower than the last commit?
        yapbench compare HEAD .

        Two commits, within twenty minutes:
        yapbench compare v1.2 main --budget 20m

        Until every p50 is known to within 3 %:
        yapbench compare HEAD . --until-interval 3%

        The cost of a cache policy:
        yapbench compare . . --head-set engine.defaultObjectPolicy=copy

        Without counting instructions, which Valgrind makes possible:
        yapbench compare HEAD . --no-instructions

        One scenario of your own, and a comment for a pull request:
        yapbench compare main . --scenario my.yaml --format md

        Two stored runs, side by side:
        yapbench compare Reports/RUN1 Reports/RUN2
      """
  )

  @OptionGroup var options: CompareOptions

  func perform(in context: CommandContext) throws -> Int32 { try CompareAction(options: options).perform(in: context) }
}

/// The options of `compare` and `calibrate`.
struct ComparisonOptionGroup: ParsableArguments {
  @Option(
    name: .customLong("scenario"),
    parsing: .upToNextOption,
    help: ArgumentHelp("Scenario files or folders. (default: Scenarios/compare)", valueName: "file"),
    completion: .scenarios
  )
  var scenarios: [PathArgument] = []

  @Option(
    help: ArgumentHelp(
      "Pairs of runs of each scenario, 6 to 500. (default: 20; 10 with --quick; at most 200 with --budget or "
        + "--until-interval; 30 for a calibration)",
      valueName: "n"
    )
  )
  var pairs: Int?

  @Option(help: ArgumentHelp("Runs as many pairs as fit into this time, such as 20m.", valueName: "duration"))
  var budget: String?

  @Option(name: .customLong("out"), help: ArgumentHelp("The folder for the report and the journal.", valueName: "dir"))
  var folder: PathArgument?

  @Option(
    name: .customLong("data-dir"),
    help: ArgumentHelp("An existing folder for the databases. (default: the --out folder)", valueName: "dir")
  )
  var dataFolder: PathArgument?

  @Option(
    help: ArgumentHelp("The calibration file. (default: ~/.local/state/yapbench/calibration.jsonl)", valueName: "file")
  )
  var calibration: PathArgument?
}

struct CompareOptions: ParsableArguments {
  @Argument(help: "The reference.")
  var base: BuildArgument

  @Argument(help: "The side that may have changed.")
  var head: BuildArgument

  @OptionGroup var comparison: ComparisonOptionGroup

  @Option(
    name: .customLong("tag"),
    help: ArgumentHelp("Only scenarios with this tag. May be repeated.", valueName: "tag")
  )
  var tags: [String] = []

  @Option(
    name: .customLong("base-set"),
    help: ArgumentHelp("Changes a value of the scenarios for the base. May be repeated.", valueName: "path=value"),
    transform: ScenarioOverride.init(argument:)
  )
  var baseSettings: [ScenarioOverride] = []

  @Option(
    name: .customLong("head-set"),
    help: ArgumentHelp("Changes a value of the scenarios for the head. May be repeated.", valueName: "path=value"),
    transform: ScenarioOverride.init(argument:)
  )
  var headSettings: [ScenarioOverride] = []

  @Flag(help: "Runs ten pairs, and twelve fresh ones of scenarios whose figures seem changed.")
  var quick = false

  @Option(
    name: .customLong("until-interval"),
    help: ArgumentHelp("Runs pairs until the interval of each p50 is at most ± this, such as 3%.", valueName: "share")
  )
  var interval: String?

  @Option(help: ArgumentHelp("The seed for orders and runs.", valueName: "n"))
  var seed: UInt64 = 1

  @Option(help: "The format of the report on standard output: text, md (a comment for a pull request) or json.")
  var format: CompareFormat = .text

  @Flag(help: "Exits with 4 if a figure is inconclusive or suspect.")
  var strict = false

  @Flag(
    name: .customLong("whole-interval"),
    help: "Reports a change only if its whole interval lies beyond the margin."
  )
  var wholeInterval = false

  @Flag(
    inversion: .prefixedNo,
    help: "Whether instructions are counted, too, with Valgrind. (default: if Valgrind is installed)"
  )
  var instructions: Bool?

  @Flag(
    help: """
      Permits sides with different versions of SQLite or Swift or different allocators, and shows stored runs that are \
      not comparable.
      """
  )
  var anyway = false
}

/// The format of a comparison's report on standard output.
enum CompareFormat: String, ExpressibleByArgument, CaseIterable {
  case text, md, json
}
