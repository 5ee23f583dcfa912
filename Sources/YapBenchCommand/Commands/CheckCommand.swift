internal import ArgumentParser
internal import BenchReports
internal import BenchResults
internal import BenchRunner
internal import BenchScenario

struct CheckCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Reports every problem of scenario files without running them.",
    discussion: """
      Problems go to standard error, each as FILE:LINE:COLUMN: error: followed \
      by what was found and what was expected. A part without effect, such as an \
      unused connection, is a warning in the same form, which does not change the \
      exit code.

      Examples:
        yapbench check Scenarios/wal/stalled-reader.yaml
        yapbench check Scenarios
        yapbench check --set phases.stall.for=2m FILE
      """
  )

  @Argument(
    help: ArgumentHelp("Scenario files, or folders that are searched for them.", valueName: "file"),
    completion: .scenarios
  )
  var files: [PathArgument]

  @OptionGroup var choice: ScenarioChoice

  func perform(in context: CommandContext) throws -> Int32 {
    var files = ScenarioFiles(below: files.texts, choice)
    if files.entries.isEmpty, files.status == .passed { throw Failure(choice.noneTagged, .usage) }
    files.checkMemory(context.availableMemory())
    files.report(to: context.errors)
    for entry in files.entries {
      let loaded = entry.loaded
      let memory = MemoryText.text(of: MemoryEstimate(loaded))
      let line = "\(entry.path): ok: \(loaded.scenario.name), \(PlannedRuns.text(of: loaded)), \(memory)"
      context.output.line(InertText.line(line))
      for name in loaded.variants.compactMap(\.name) { context.output.line(InertText.line("  variant \(name)")) }
    }
    return files.status.rawValue
  }
}

struct ListCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Lists the scenarios of a folder and the longest time that each can take.",
    discussion: """
      Examples:
        yapbench list
        yapbench list Scenarios/wal
        yapbench list --tag long-lived
      """
  )

  @Argument(
    help: ArgumentHelp(
      "The folder, which is searched with its subfolders. (default: Scenarios)",
      valueName: "folder"
    ),
    completion: .directory
  )
  var folder: PathArgument?

  @Option(
    name: .customLong("tag"),
    help: ArgumentHelp("Lists only scenarios that have one of these tags. May be repeated.", valueName: "tag")
  )
  var tags: [String] = []

  func perform(in context: CommandContext) throws -> Int32 {
    let folder = try folder?.text ?? ProjectScenarios.folder()
    guard let search = ScenarioSearch(below: folder) else {
      throw Failure("\(folder): there is no such folder", .missingInput)
    }
    var rows = [["NAME", "LIMIT", "RUNS", "TAGS", "PATH", "SUMMARY"]]
    var broken: [String] = []
    for path in search.paths {
      do {
        let loaded = try ScenarioLoader.load(path: path)
        let scenario = loaded.scenario
        guard scenario.hasTag(of: self.tags) else { continue }
        let tags = scenario.tags.isEmpty ? "-" : scenario.tags.joined(separator: ",")
        rows.append([
          scenario.name, PlannedTime.text(of: loaded), PlannedRuns.count(of: loaded), tags, path, scenario.summary,
        ])
      } catch {
        let count = Quantity.count(error.diagnostics.count, of: "problem")
        broken.append("\(path): cannot be loaded: \(count); see \(Program.name) check \(path)")
      }
    }
    if rows.count > 1 {
      for line in AlignedColumns.lines(rows.map { $0.map(InertText.line) }) {
        context.output.line(context.outputTerminal?.cut(line) ?? line)
      }
    }
    for line in broken { context.output.line(InertText.line(line)) }
    for problem in search.problems { context.errors.line(InertText.line(problem.description)) }
    if search.paths.isEmpty { context.errors.line(InertText.line("no scenarios found in \(folder)")) }
    return (search.problems.isEmpty ? ExitStatus.passed : .missingInput).rawValue
  }
}
