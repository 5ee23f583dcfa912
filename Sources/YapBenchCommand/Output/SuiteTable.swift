internal import BenchReports
internal import BenchResults

/// The outcome of one of the scenarios of `run`.
struct ScenarioOutcome {
  let scenario: String
  private(set) var exitCode: ExitStatus
  /// nil if the scenario has no result.
  let summary: RunSummary?
  /// The path of its report; nil if there is none.
  var report: String?
  /// The verdict, or the error that decided the exit code, in one line.
  private(set) var reason: String

  init(scenario: String, result: ScenarioResult) {
    self.scenario = scenario
    exitCode = result.verdict.exitCode
    summary = RunSummary(result)
    reason = result.verdict.headline
  }

  /// A scenario without a result.
  init(scenario: String, failure: Failure) {
    self.scenario = scenario
    exitCode = failure.status
    summary = nil
    reason = failure.text
  }

  /// Adds an error, which decides the exit code if it is the most severe one.
  mutating func add(_ failure: Failure) {
    let code = ExitStatus.mostSevere([exitCode, failure.status])
    if code != exitCode { reason = failure.text }
    exitCode = code
  }
}

/// The table that `run` prints after several scenarios: a row for each, with its verdict, the duration of its phases,
/// the reason in brief, and the path of its report.
struct SuiteTable {
  private static let head = ["SCENARIO", "VERDICT", "TIME", "REASON", "REPORT"]
  /// The columns that are never shortened.
  private static let fixedColumns = 3
  private static let leastReason = 24
  private static let gap = "  "

  let outcomes: [ScenarioOutcome]
  /// nil if the output is not a terminal. Then no text is shortened.
  let terminal: Terminal?

  var lines: [String] {
    let rows = outcomes.map(cells)
    guard let terminal else { return AlignedColumns.lines([Self.head] + rows).map(\.withoutTrailingSpaces) }
    let widths = Self.head.indices.map { column in ([Self.head] + rows).map { $0[column].count }.max() ?? 0 }
    let fixed = widths.prefix(Self.fixedColumns).reduce(0) { $0 + $1 + Self.gap.count }
    // The last column stays free, because some terminals start a new line after it.
    let free = max(terminal.columns() - 1 - fixed, 0)
    let beside = free - Self.gap.count - widths[Self.fixedColumns + 1]
    let isBeside = beside >= min(Self.leastReason, widths[Self.fixedColumns])
    let reason = min(widths[Self.fixedColumns], isBeside ? beside : free)
    func text(_ cells: [String], color: Terminal.Color? = nil) -> [String] {
      var first = zip(cells, widths).prefix(Self.fixedColumns).map { $0.padded(to: $1) }
      first[1] = terminal.colored(first[1], color)
      first.append(InertText.shortened(cells[Self.fixedColumns], to: reason).padded(to: reason))
      let report = cells[Self.fixedColumns + 1]
      if isBeside { first.append(report) }
      let line = first.joined(separator: Self.gap).withoutTrailingSpaces
      return isBeside || report.isEmpty ? [line] : [line, Self.gap + report]
    }
    let head = isBeside ? Self.head : Self.head.dropLast() + [""]
    return text(head) + zip(rows, outcomes).flatMap { text($0, color: Terminal.Color($1.exitCode)) }
  }

  private func cells(of outcome: ScenarioOutcome) -> [String] {
    let time = outcome.summary.map { Quantity.duration(nanoseconds: $0.seconds * 1e9) } ?? ""
    return [
      outcome.scenario, outcome.exitCode.word, time, outcome.reason,
      outcome.report ?? "",
    ].map(InertText.line)
  }
}
