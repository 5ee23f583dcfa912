internal import BenchModel
internal import BenchReports

/// Says of scenario files whether they may run, and what they would run.
struct CheckAction {
  var files: [String]
  var overrides: [ScenarioOverride] = []

  func perform(in context: CommandContext) -> Int32 {
    let files = ScenarioFiles(files, overrides: overrides)
    files.report(to: context.errors)
    for entry in files.entries {
      let scenario = entry.loaded.scenario
      let phases = Quantity.count(scenario.phases.count, of: "phase")
      let time = PlannedTime.text(of: scenario)
      context.output.line(InertText.line("\(entry.path): ok: \(scenario.name), \(phases), at most \(time)"))
    }
    return files.status.rawValue
  }
}
