internal import BenchResults

/// The invariants of one run or of several, with their checks and violations.
enum InvariantsSection {
  struct Row {
    var name: String
    var checks: Int
    var violations: Int
  }

  static func section(of result: RunResult) -> ReportSection {
    section(
      of: result.invariants.map { Row(name: $0.name, checks: $0.checks, violations: $0.violations.count) },
      violations: result.invariants.flatMap { invariant in
        invariant.violations.prefix(5).map { violation in
          "\(code: invariant.name): \(InertText.shortened(violation, to: 400))"
        }
      }
    )
  }

  /// - Parameters:
  ///   - rows: One for each invariant of the scenario.
  ///   - violations: The first violations of each invariant.
  static func section(of rows: [Row], violations: [ReportText]) -> ReportSection {
    func section(_ blocks: [ReportBlock]) -> ReportSection {
      ReportSection(anchor: "invariants", title: "Invariants", blocks: blocks)
    }
    guard !rows.isEmpty else {
      return section([.paragraph(["The scenario has no invariants, so the data was not checked."])])
    }
    var table = ReportTable([("", .left), ("invariant", .left), ("checks", .right), ("violations", .right)])
    for row in rows {
      let state: ReportText =
        row.violations > 0
        ? .toned("\(strong: "VIOLATED")", .bad)
        : row.checks == 0 ? .toned("never checked", .doubtful) : .toned("ok", .good)
      table.append([state, .code(row.name), .text(Quantity.count(row.checks)), .text(Quantity.count(row.violations))])
    }
    var whole = section(
      [.table(table)] + (violations.isEmpty ? [] : [.paragraph(["The first violations:"]), .list(violations)])
    )
    if rows.allSatisfy({ $0.checks > 0 && $0.violations == 0 }) { whole.folded = "all checked, none violated" }
    return whole
  }
}
