internal import BenchModel
internal import BenchReports

/// Runs the scenario that a workload of YCSB means, or writes it.
struct YCSBAction {
  var file: String
  var changes: [(name: String, value: String)]
  var isPrint: Bool
  /// How it is run; without files of its own.
  var run: RunAction

  func perform(in context: CommandContext) -> Int32 {
    do throws(ScenarioDiagnostics) {
      let workload = try YCSBWorkload.load(path: file, changes: changes)
      for note in workload.notes { context.errors.line(InertText.line("\(file): note: \(note)")) }
      if isPrint {
        context.output.write(workload.yaml)
        return ExitStatus.allHeld.rawValue
      }
      let loaded = try ScenarioLoader.load(text: workload.yaml, file: workload.name, overrides: run.allOverrides)
      return run.perform(ScenarioFiles(entries: [.init(path: workload.name, loaded: loaded)]), in: context)
    } catch {
      for problem in error.diagnostics { context.errors.line(InertText.line(problem.description)) }
      let isMissing = !ScenarioFiles.isReadableFile(file)
      return (isMissing ? ExitStatus.missingInput : ExitStatus.invalidScenario).rawValue
    }
  }
}
