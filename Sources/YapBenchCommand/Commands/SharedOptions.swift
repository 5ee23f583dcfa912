internal import ArgumentParser
internal import BenchResults
internal import BenchScenario

/// The options of commands that run scenarios.
struct RunOptionGroup: ParsableArguments {
  @Option(name: .customLong("out"), help: ArgumentHelp("The parent folder of the runs' folders.", valueName: "dir"))
  var reportFolder = "Reports"

  @Option(help: ArgumentHelp("The random seed, instead of the scenario's own.", valueName: "n"))
  var seed: UInt64?

  @Flag(
    name: .customLong("smoke"),
    help: "Shortens phases to a few hundred ms; expectations do not affect the verdict."
  )
  var isSmoke = false

  @Option(
    name: .customLong("data-dir"),
    help: ArgumentHelp("An existing folder for the database. (default: the --out folder)", valueName: "dir")
  )
  var dataFolder: String?

  @Flag(name: .customLong("keep-database"), help: "Keeps the database and prints its path.")
  var keepsDatabase = false

  @Flag(name: .customLong("json-progress"), help: "Writes progress as JSON, one object per line.")
  var writesJSON = false

  var seedOverride: [ScenarioOverride] { seed.map { [ScenarioOverride(path: "seed", value: String($0))] } ?? [] }
}

/// The values that are changed in scenarios, and the variants that are selected.
struct ScenarioChoice: ParsableArguments {
  @Option(
    name: .customLong("set"),
    help: ArgumentHelp("Changes one value of every given scenario. May be repeated.", valueName: "path=value")
  )
  var changes: [ChangeArgument] = []

  @Option(
    name: .customLong("only"),
    help: ArgumentHelp(
      "Selects this variant of a scenario's matrix, such as share or objectPolicy=share. May be repeated.",
      valueName: "variant"
    )
  )
  var variants: [String] = []

  var overrides: [ScenarioOverride] { changes.map(\.change) }
}

/// An argument `path=value`, such as that of `--set`. The path is checked when the file is loaded.
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

extension CompletionKind {
  static let scenarios = CompletionKind.file(extensions: ["yaml", "yml"])
}
