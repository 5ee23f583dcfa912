internal import ArgumentParser

struct CheckCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Finds every problem of scenario files without running them.",
    discussion: """
      Problems go to standard error, each as FILE:LINE:COLUMN: error: and what \
      was found and expected there.

      Examples:
        yapbench check Scenarios/wal/stalled-reader.yaml
        yapbench check Scenarios/*/*.yaml
        yapbench check --set phases.stall.for=2m FILE
      """
  )

  @Argument(help: ArgumentHelp("Scenario files.", valueName: "file"))
  var files: [String]

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

  func perform(in context: CommandContext) -> Int32 {
    CheckAction(files: files, overrides: changes.map(\.change), choices: choices).perform(in: context)
  }
}
