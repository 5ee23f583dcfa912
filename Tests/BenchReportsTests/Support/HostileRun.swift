@testable import BenchResults

/// A run whose names try to be formulas, markup, terminal commands, lines, table cells, reversed text, or the end of a
/// quotation, a tag or a file.
enum HostileRun {
  static let names = [
    "=HYPERLINK(\"http://x\",\"y\")", "<script>alert(1)</script>", "\u{1B}[31mred", "a\r\nb", "x|y", "\u{202E}txt",
    "q\"'q\\", "Tag=a,b c", "# EOF\n", "]]>&amp;", "ä/../..",
  ]
  static let name = names.joined(separator: " ")
  /// Texts that no file may contain.
  static let forbidden = ["\u{1B}", "\r", "\u{202E}", "<script>"]

  static let result = result(StalledReaderRun.result)

  static func result(_ run: RunResult) -> ScenarioResult {
    var run = run
    run.scenario = name
    run.runID = name
    run.variant = name
    run.driver = name
    run.startedAt = name
    run.environment.commit = name
    run.environment.cpu = name
    run.environment.kernel = name
    run.environment.sqliteVersion = name
    run.environment.buildMode = name
    run.verdict.headline = name
    run.verdict.reasons = [name]
    for index in run.phases.indices where run.phases[index].name == "stall" { run.phases[index].name = name }
    run.changeActors { actor in
      if actor.name == "import" { actor.name = name }
      for index in actor.operations.indices where actor.operations[index].name == "set" {
        actor.operations[index].name = name
      }
    }
    for index in run.expectations.indices {
      run.expectations[index].source = name
      run.expectations[index].measured = name
      run.expectations[index].holds = index != 0
    }
    run.invariants[0].name = name
    run.invariants[1].violations = [name, name]
    for index in run.samples.indices {
      run.samples[index].connections[0].name = name
    }
    for index in run.checkpoints.indices { run.checkpoints[index].cause = name }
    var result = ScenarioResult(run)
    result.variants = [.init(name: name, label: name, settings: [])]
    result.verdict = run.verdict
    return result
  }
}
