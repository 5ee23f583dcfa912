internal import BenchRegression
internal import BenchReports
internal import BenchResults

extension CompareAction {
  /// Shows two stored runs side by side. There is no verdict, because the machine's state differs between two times.
  func showRuns(_ base: String, _ head: String, in context: CommandContext) throws -> Int32 {
    try options.refuseOptionsOfRuns()
    let (base, head) = (try RunRecord(base).read(), try RunRecord(head).read())
    let obstacles = StoredRunsReport.obstacles(base, head)
    guard obstacles.isEmpty || options.anyway else {
      for obstacle in obstacles { context.errors.error(InertText.line(obstacle)) }
      context.errors.line("the runs are not comparable; add --anyway to see them side by side")
      return ExitStatus.incomparable.rawValue
    }
    let report = StoredRunsReport(
      base: base,
      head: head,
      baseFigures: RunFigures.figures(of: base),
      headFigures: RunFigures.figures(of: head)
    )
    for line in report.lines { context.output.line(line) }
    return ExitStatus.passed.rawValue
  }
}

extension CompareOptions {
  /// Refuses options that have no effect on stored runs, which are only shown.
  fileprivate func refuseOptionsOfRuns() throws {
    let all: [(name: String, isGiven: Bool)] = [
      ("--scenario", !comparison.scenarios.isEmpty), ("--tag", !tags.isEmpty),
      ("--base-set", !baseSettings.isEmpty), ("--head-set", !headSettings.isEmpty),
      ("--pairs", comparison.pairs != nil), ("--quick", quick), ("--budget", comparison.budget != nil),
      ("--until-interval", interval != nil), ("--out", comparison.folder != nil),
      ("--data-dir", comparison.dataFolder != nil),
      ("--format", format != .text), ("--calibration", comparison.calibration != nil),
      ("--strict", strict), ("--whole-interval", wholeInterval),
      (instructions == false ? "--no-instructions" : "--instructions", instructions != nil),
    ]
    let given = all.filter(\.isGiven).map(\.name)
    guard given.isEmpty else {
      throw Failure(
        "\(given.joined(separator: ", ")): not applicable to two stored runs, which are only shown; the only option "
          + "for them is --anyway",
        .usage
      )
    }
  }
}
