internal import BenchModel
internal import BenchRegression
internal import BenchReports

/// Shows two stored runs side by side, without a verdict: the state of the machine differs between two times.
struct StoredRunsAction {
  var base: String
  var head: String
  var isAnyway = false

  func perform(in context: CommandContext) -> Int32 {
    RunRecord(base).read(in: context) { base in
      RunRecord(head).read(in: context) { head in show(base, head, in: context) }
    }
  }

  private func show(_ base: ScenarioResult, _ head: ScenarioResult, in context: CommandContext) -> Int32 {
    let obstacles = StoredRunsReport.obstacles(base, head)
    guard obstacles.isEmpty || isAnyway else {
      for obstacle in obstacles { context.errors.error(InertText.line(obstacle)) }
      context.errors.line("the runs are not comparable; add --anyway to see them side by side")
      return ExitStatus.incomparable.rawValue
    }
    let report = StoredRunsReport(
      base: base,
      head: head,
      RunFigures.figures(of: base),
      RunFigures.figures(of: head)
    )
    for line in report.lines { context.output.line(line) }
    return ExitStatus.allHeld.rawValue
  }
}
