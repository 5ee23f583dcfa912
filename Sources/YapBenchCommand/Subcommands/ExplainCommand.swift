internal import ArgumentParser

struct ExplainCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Shows what a scenario means: all defaults, its variants, a timeline.",
    discussion: """
      Examples:
        yapbench explain Scenarios/wal/stalled-reader.yaml
        yapbench explain --set phases.stall.for=2m FILE
      """
  )

  @Argument(help: ArgumentHelp("A scenario file.", valueName: "file"), completion: .scenarios)
  var file: String

  @OptionGroup var choice: ScenarioChoice

  func perform(in context: CommandContext) -> Int32 {
    ExplainAction(file: file, overrides: choice.changes.map(\.change), choices: choice.choices).perform(in: context)
  }
}

extension CompletionKind {
  static let scenarios = CompletionKind.file(extensions: ["yaml", "yml"])
}
