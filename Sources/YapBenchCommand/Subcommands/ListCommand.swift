internal import ArgumentParser

struct ListCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Shows the scenarios of a folder, and how long each may take.",
    discussion: """
      Examples:
        yapbench list
        yapbench list Scenarios/wal
      """
  )

  @Argument(help: ArgumentHelp("Is searched with all its folders.", valueName: "folder"), completion: .directory)
  var folder = "Scenarios"

  func perform(in context: CommandContext) -> Int32 {
    ListAction(folder: folder).perform(in: context)
  }
}
