internal import ArgumentParser
internal import BenchReports

struct NewCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Writes a commented scenario to begin with.",
    discussion: """
      The file is NAME.yaml, and the scenario bears its name. What is there \
      already is never written over.

      Templates:
        \(templates)

      Examples:
        yapbench new first --template stalled-reader
        yapbench new Scenarios/wal/evening --template write-burst
      """
  )

  @Argument(help: ArgumentHelp("The scenario's name, or a path that ends with it.", valueName: "name"))
  var path: String

  @Option(help: ArgumentHelp("What it begins with.", valueName: "template"))
  var template: ScenarioTemplate

  func perform(in context: CommandContext) -> Int32 {
    NewAction(path: path, template: template).perform(in: context)
  }

  private static var templates: String {
    AlignedColumns.lines(ScenarioTemplate.allCases.map { [$0.rawValue, $0.summary] }).joined(separator: "\n  ")
  }
}
