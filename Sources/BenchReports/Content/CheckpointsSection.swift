internal import BenchResults

/// The summary of the checkpoint ledger: attempts by cause and outcome, then the longest attempts.
enum CheckpointsSection {
  private static let longestShown = 10

  static func section(of result: RunResult) -> ReportSection {
    let attempts = Quantity.count(result.checkpoints.count, of: "attempt")
    return ReportSection(
      anchor: "checkpoints",
      title: "Checkpoints",
      blocks: blocks(of: result.checkpoints),
      folded: result.checkpoints.contains { $0.outcome == .failed } ? nil : .text(attempts)
    )
  }

  private static func blocks(of checkpoints: [CheckpointResult]) -> [ReportBlock] {
    guard !checkpoints.isEmpty else { return [.paragraph(["No checkpoint was attempted."])] }
    let longest = checkpoints.sorted {
      ($0.durationNanoseconds, $1.number) > ($1.durationNanoseconds, $0.number)
    }.prefix(longestShown)
    let title = checkpoints.count > longestShown ? "The \(longestShown) longest" : "All, longest first"
    return [
      .table(summary(of: checkpoints)),
      .details(
        "\(title) (all \(Quantity.count(checkpoints.count)) are in \(code: "checkpoints.csv"))",
        list(of: Array(longest))
      ),
      .explanation([
        "Concurrent commits were made while the checkpoint ran; stalled writers waited for it when it ended."
      ]),
    ]
  }

  private static func summary(of checkpoints: [CheckpointResult]) -> ReportTable {
    let columns = CheckpointFigure.all.flatMap { figure in figure.summaries.map { (figure: figure, summary: $0) } }
    var table = ReportTable(names: ["cause", "outcome"], numbers: ["attempts"] + columns.map(\.summary.title))
    let groups = Dictionary(grouping: checkpoints) { [$0.cause, $0.outcome.rawValue] }
    for (key, group) in groups.sorted(by: {
      ($0.value.count, $1.key[0], $1.key[1]) > ($1.value.count, $0.key[0], $0.key[1])
    }) {
      table.append(
        [.code(key[0]), .code(key[1]), .count(group.count)]
          + columns.map { $0.summary.value(of: group.map($0.figure.value)).text }
      )
    }
    return table
  }

  /// - Parameter checkpoints: Not empty.
  private static func list(of checkpoints: [CheckpointResult]) -> ReportTable {
    let shown = CheckpointFigure.all.compactMap { figure in figure.title.map { (title: $0, value: figure.value) } }
    var table = ReportTable(shown.map { ($0.title, $0.value(checkpoints[0]).alignment) })
    for checkpoint in checkpoints { table.append(shown.map { $0.value(checkpoint).text }) }
    return table
  }
}
