internal import ArgumentParser
internal import BenchReports
internal import BenchResults
internal import BenchScenario
internal import Foundation
internal import HarnessPrimitives

struct NewCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Writes a commented scenario to start from.",
    discussion: """
      The file is NAME.yaml, and NAME is the scenario's name. An existing file is \
      never overwritten.

      Templates:
        \(templates)

      Examples:
        yapbench new first
        yapbench new --list
        yapbench new Scenarios/wal/evening --template write-burst
      """
  )

  @Argument(help: ArgumentHelp("The scenario's name, or a path that ends with it.", valueName: "name"))
  var path: PathArgument?

  @Option(help: ArgumentHelp("The template that is copied.", valueName: "template"))
  var template = ScenarioTemplate.allCases[0]

  @Flag(help: "Lists the templates instead.")
  var list = false

  func validate() throws {
    if path == nil, !list { throw ValidationError("expected the name of the new scenario, or --list") }
  }

  func perform(in context: CommandContext) throws -> Int32 {
    guard let path, !list else {
      for line in Self.templates.split(separator: "\n") { context.output.line(line.drop { $0 == " " }.description) }
      return ExitStatus.passed.rawValue
    }
    let file = path.text.hasSuffix(".yaml") ? path.text : path.text + ".yaml"
    let name = URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
    do throws(ScalarProblem) {
      _ = try Scalars.name.parse(name)
    } catch {
      throw Failure("\(file): \(error.message)", .usage)
    }
    if let obstacle = Self.obstacle(to: file) { throw Failure("\(file): \(obstacle)", .cannotCreateOutput) }
    try ExportedFiles.write(template.text(name: name), to: file, overwrites: false)
    context.output.line(InertText.line("\(file): written"))
    context.output.line(InertText.line("next: \(Program.name) explain \(file)"))
    context.output.line(InertText.line("      \(Program.name) run --smoke \(file)"))
    return ExitStatus.passed.rawValue
  }

  /// Returns the reason why the file cannot be created; nil if there is none.
  private static func obstacle(to file: String) -> String? {
    // A broken symbolic link counts as an existing file.
    if (try? FileManager.default.attributesOfItem(atPath: file)) != nil {
      return "the file exists and is not overwritten; choose another name"
    }
    guard FileManager.default.fileExists(atPath: PathParts(file).folder) else {
      return "its folder does not exist; create the folder, or choose another one"
    }
    return nil
  }

  private static var templates: String {
    AlignedColumns.lines(ScenarioTemplate.allCases.map { [$0.rawValue, $0.summary] }).joined(separator: "\n  ")
  }
}
