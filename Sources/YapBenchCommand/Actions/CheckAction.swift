internal import BenchModel
internal import BenchReports
internal import BenchRunner

/// Says of scenario files whether they may run, and what they would run.
struct CheckAction {
  /// Or folders of them.
  var files: [String]
  var overrides: [ScenarioOverride] = []
  var choices: [String] = []

  func perform(in context: CommandContext) -> Int32 {
    var files = ScenarioFiles(below: files, overrides: overrides, choices: choices)
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
