internal import ArgumentParser

struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Keeps nightly comparisons, and finds the night from which on a figure was different.",
    discussion: """
      A night is the result of `yapbench compare` with a pinned build as the \
      base. The history is an SQLite file; history.csv beside it has the same \
      ratios for other programs. A change of level raises an alarm, which stays \
      as it is when nights are added. Acknowledge changes that are accepted, \
      and commit acknowledged.json to the project's repository.

      Examples:
        yapbench compare v1.0 . --out Reports/night
        yapbench history add Reports/night
        yapbench history trend
        yapbench history acknowledge 4f2a91c --note "checks every row now"
      """,
    subcommands: [
      HistoryAddCommand.self, HistoryListCommand.self, HistoryShowCommand.self, HistoryTrendCommand.self,
      HistoryAcknowledgeCommand.self, HistoryPruneCommand.self,
    ]
  )
}

/// The files of a history.
struct HistoryFiles: ParsableArguments {
  @Option(name: .customLong("file"), help: ArgumentHelp("The history.", valueName: "file"))
  var history = "Reports/history.sqlite"

  @Option(
    name: .customLong("acknowledgements"),
    help: ArgumentHelp("The acknowledged alarms, a file for the repository.", valueName: "file")
  )
  var acknowledgements = HistoryAction.defaultAcknowledgements

  var action: HistoryAction { HistoryAction(history: history, acknowledgements: acknowledgements) }
}

struct HistoryAddCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Adds the result of a comparison with the pinned build."
  )

  @Argument(help: ArgumentHelp("The folder of the comparison, or its compare.json.", valueName: "comparison"))
  var comparison: String

  @OptionGroup var files: HistoryFiles

  func perform(in context: CommandContext) -> Int32 {
    files.action.perform(in: context) { try files.action.add(comparison, in: context) }
  }
}

struct HistoryListCommand: Subcommand {
  static let configuration = CommandConfiguration(commandName: "list", abstract: "Lists all nights.")

  @OptionGroup var files: HistoryFiles

  func perform(in context: CommandContext) -> Int32 {
    files.action.perform(in: context) { try files.action.list(in: context) }
  }
}

struct HistoryShowCommand: Subcommand {
  static let configuration = CommandConfiguration(commandName: "show", abstract: "Shows the figures of a night.")

  @Argument(help: "Its time, or the beginning of its commit.")
  var night: String

  @OptionGroup var files: HistoryFiles

  func perform(in context: CommandContext) -> Int32 {
    files.action.perform(in: context) { try files.action.show(night, in: context) }
  }
}

struct HistoryTrendCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "trend",
    abstract: "Shows the open alarms, and writes trend.html and trend.md beside the history.",
    discussion: "Exit code 0: no alarm is open. 2: an alarm is open."
  )

  @OptionGroup var files: HistoryFiles

  func perform(in context: CommandContext) -> Int32 {
    files.action.perform(in: context) { try files.action.trend(in: context) }
  }
}

struct HistoryAcknowledgeCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "acknowledge",
    abstract: "Marks the alarms that begin at a commit as known and accepted."
  )

  @Argument(help: "The beginning of the first commit after the change.")
  var commit: String

  @Option(help: ArgumentHelp("Only figures of this metric, such as p50.", valueName: "name"))
  var metric: String?

  @Option(help: ArgumentHelp("The reason for which the change is accepted.", valueName: "text"))
  var note: String

  @OptionGroup var files: HistoryFiles

  func perform(in context: CommandContext) -> Int32 {
    files.action.perform(in: context) {
      try files.action.acknowledge(commit, metric: metric, note: note, in: context)
    }
  }
}

struct HistoryPruneCommand: Subcommand {
  static let configuration = CommandConfiguration(commandName: "prune", abstract: "Removes the oldest nights.")

  @Option(help: ArgumentHelp("The number of nights that stay.", valueName: "n"))
  var keep = 400

  @OptionGroup var files: HistoryFiles

  func perform(in context: CommandContext) -> Int32 {
    files.action.perform(in: context) { try files.action.prune(keep: keep, in: context) }
  }
}
