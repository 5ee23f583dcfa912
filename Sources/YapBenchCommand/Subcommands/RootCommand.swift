internal import ArgumentParser
internal import BenchDrivers
internal import BenchModel

struct RootCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: Program.name,
    abstract: "Measures how an embedded database behaves under a described load.",
    discussion: """
      A scenario is a YAML file: connections, actors that use them, and phases \
      in which the actors act. A run of it leaves a folder with a report, tables \
      and the scenario itself, and an exit code that says whether all held.

      Examples:
        yapbench list
        yapbench new first --template stalled-reader
        yapbench check Scenarios/wal/stalled-reader.yaml
        yapbench run Scenarios/wal/stalled-reader.yaml
        yapbench compare HEAD .
        yapbench export Reports/RUN --format junit
        yapbench bench
        yapbench inspect messages.sqlite

      Exit codes:
        \(ExitStatus.list.joined(separator: "\n  "))
      """,
    version: versionText,
    subcommands: [
      NewCommand.self, CheckCommand.self, ExplainCommand.self, ListCommand.self, RunCommand.self, YCSBCommand.self,
      CompareCommand.self, CalibrateCommand.self, BisectCommand.self, HistoryCommand.self, NightlyCommand.self,
      ReportCommand.self, ExportCommand.self, InspectCommand.self, BenchCommand.self, SchemaCommand.self,
      EngineProcessCommand.self,
    ]
  )

  private static var versionText: String {
    let build = "SQLite \(DriverBuild.sqliteVersion), Swift build mode \(BuildKind.current.name)"
    let version = "\(Program.name) \(Program.version) (\(build))"
    guard DriverBuild.sqliteHasWALResetDefect else { return version }
    return version
      + "\nThis SQLite has the WAL-reset defect: a checkpoint beside commits can lose pages. "
      + "See https://sqlite.org/wal.html."
  }
}

/// A subcommand that only parses: what it does, an action does.
protocol Subcommand: ParsableCommand {
  /// - Returns: the exit code.
  func perform(in context: CommandContext) -> Int32
}
