internal import BenchModel
internal import BenchReports

/// Shows the scenarios of a folder.
struct ListAction {
  var folder: String

  func perform(in context: CommandContext) -> Int32 {
    guard let search = ScenarioSearch(below: folder) else {
      context.errors.error("\(folder): there is no such folder")
      return ExitStatus.missingInput.rawValue
    }
    var rows = [["NAME", "AT MOST", "RUNS", "TAGS", "PATH", "SUMMARY"]]
    var broken: [String] = []
    for path in search.paths {
      do {
        let loaded = try ScenarioLoader.load(path: path)
        let scenario = loaded.scenario
        let tags = scenario.tags.isEmpty ? "-" : scenario.tags.joined(separator: ",")
        rows.append([
          scenario.name, PlannedTime.text(of: loaded), PlannedRuns.count(of: loaded), tags, path, scenario.summary,
        ])
      } catch {
        let count = Quantity.count(error.diagnostics.count, of: "problem")
        broken.append("\(path): does not load: \(count); see \(Program.name) check \(path)")
      }
    }
    if rows.count > 1 {
      for line in AlignedColumns.lines(rows.map { $0.map(InertText.line) }) { context.output.line(line) }
    }
    for line in broken { context.output.line(InertText.line(line)) }
    for problem in search.problems { context.errors.line(InertText.line(problem.description)) }
    if search.paths.isEmpty { context.errors.line(InertText.line("no scenario below \(folder)")) }
    return (search.problems.isEmpty ? ExitStatus.allHeld : .missingInput).rawValue
  }
}
