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
        yapbench check Scenarios
        yapbench check --set phases.stall.for=2m FILE
      """
  )

  @Argument(
    help: ArgumentHelp("Scenario files, or folders with all below them.", valueName: "file"),
    completion: .scenarios
  )
  var files: [String]

  @OptionGroup var choice: ScenarioChoice

  func perform(in context: CommandContext) -> Int32 {
    CheckAction(files: files, overrides: choice.changes.map(\.change), choices: choice.choices).perform(in: context)
  }
}
