internal import ArgumentParser

/// How scenario files are read: the values that are changed, and the variants that are chosen.
struct ScenarioChoice: ParsableArguments {
  @Option(
    name: .customLong("set"),
    help: ArgumentHelp("Changes one value of every scenario given; may be repeated.", valueName: "path=value")
  )
  var changes: [ChangeArgument] = []

  @Option(
    name: .customLong("only"),
    help: ArgumentHelp(
      "Of a scenario with a matrix this variant only, such as share or objectPolicy=share; may be repeated.",
      valueName: "variant"
    )
  )
  var choices: [String] = []
}
