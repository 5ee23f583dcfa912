internal import ArgumentParser
internal import BenchDrivers
internal import BenchReports
internal import BenchResults
internal import BenchScenario

struct RootCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: Program.name,
    abstract: "Benchmarks an embedded database under the load of a scenario.",
    discussion: """
      A scenario is a YAML file. It describes connections, actors that use them, \
      and phases in which the actors run. A run writes a folder with a report, \
      tables and the scenario. Its exit code is 0 only if everything passed.

      Examples:
        yapbench list
        yapbench new first --template stalled-reader
        yapbench check Scenarios/wal/stalled-reader.yaml
        yapbench run Scenarios/wal/stalled-reader.yaml
        yapbench merge Reports/JOB
        yapbench compare HEAD .
        yapbench export Reports/RUN --format junit
        yapbench bench
        yapbench stress crash
        yapbench inspect messages.sqlite
        yapbench verify messages.sqlite

      Exit codes:
        \(ExitStatus.list.joined(separator: "\n  "))
      """,
    version: versionText,
    subcommands: [
      NewCommand.self, CheckCommand.self, ExplainCommand.self, ListCommand.self, RunCommand.self, MergeCommand.self,
      BaselineCommand.self, YCSBCommand.self, CompareCommand.self, CalibrateCommand.self, BisectCommand.self,
      HistoryCommand.self,
      NightlyCommand.self, ReportCommand.self, ExportCommand.self, InspectCommand.self, VerifyCommand.self,
      BenchCommand.self, StressCommand.self, SchemaCommand.self, ChildCommand.self,
    ]
  )

  private static var versionText: String {
    let build = "SQLite \(DriverBuild.sqliteVersion), Swift build mode \(BuildKind.current.name)"
    let version = "\(Program.name) \(Program.version) (\(build))"
    guard DriverBuild.sqliteHasWALResetDefect else { return version }
    return version
      + "\nThis SQLite has the WAL-reset defect: a checkpoint during commits can lose pages. "
      + "See https://sqlite.org/wal.html."
  }
}

extension ParsableCommand {
  /// Returns the subcommand that is nearest to a word that stands for one and is none; nil if there is no such word.
  static func subcommand(mistypedIn arguments: [String]) -> String? {
    let subcommands = configuration.subcommands.filter { $0.configuration.shouldDisplay }
    guard let word = arguments.first, !word.hasPrefix("-") else { return nil }
    if let known = subcommands.first(where: { $0.configuration.commandName == word }) {
      return known.subcommand(mistypedIn: Array(arguments.dropFirst()))
    }
    return Suggestion.nearest(to: word, among: subcommands.compactMap { $0.configuration.commandName })
  }
}

/// A subcommand with its arguments.
protocol Subcommand: ParsableCommand {
  /// - Returns: The exit code.
  /// - Throws: An error that ends the program with the message and exit code of `Failure`.
  func perform(in context: CommandContext) throws -> Int32
}

struct SchemaCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Writes the scenario language as a JSON Schema, for editors.",
    discussion: """
      An editor with a YAML language server completes and checks a scenario whose \
      first line names the schema, such as:
        # yaml-language-server: $schema=scenario.schema.json

      Examples:
        yapbench schema > scenario.schema.json
        yapbench schema --reference > scenario-reference.md
      """
  )

  @Flag(name: .customLong("reference"), help: "Writes the language's reference as Markdown instead.")
  var isReference = false

  @Flag(name: .customLong("words"), help: "Writes the words of reports as Markdown instead.")
  var writesWords = false

  func perform(in context: CommandContext) -> Int32 {
    let text = writesWords ? ReportWords.markdown : isReference ? ScenarioReference.text : ScenarioSchema.text
    context.output.write(text)
    return ExitStatus.passed.rawValue
  }
}
