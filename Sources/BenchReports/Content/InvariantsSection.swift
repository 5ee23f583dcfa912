internal import BenchResults
internal import HarnessPrimitives

/// The invariants of one run or of several, with their checks and violations.
enum InvariantsSection {
  static func section(of result: RunResult) -> ReportSection {
    section(
      of: result.invariants,
      violations: result.invariants.flatMap { invariant in
        invariant.violations.prefix(5).map { violation in
          "\(code: invariant.name): \(InertText.shortened(violation, to: 400))"
        }
      }
    )
  }

  /// - Parameters:
  ///   - invariants: The invariants of the scenario.
  ///   - violations: The first violations of each invariant.
  static func section(of invariants: [InvariantResult], violations: [ReportText]) -> ReportSection {
    func section(_ blocks: [ReportBlock]) -> ReportSection {
      ReportSection(anchor: "invariants", title: "Invariants", blocks: blocks)
    }
    guard !invariants.isEmpty else {
      return section([.paragraph(["The scenario has no invariants, so the data was not checked."])])
    }
    var table = ReportTable(names: ["", "invariant"], numbers: ["checks", "violations"])
    for invariant in invariants {
      let state: ReportText =
        !invariant.violations.isEmpty
        ? .toned("\(strong: "VIOLATED")", .bad)
        : invariant.checks == 0 ? .toned("never checked", .doubtful) : .toned("ok", .good)
      table.append([state, .code(invariant.name), .count(invariant.checks), .count(invariant.violations.count)])
    }
    var whole = section(
      [.table(table)] + (violations.isEmpty ? [] : [.paragraph(["The first violations:"]), .list(violations)])
    )
    if invariants.allSatisfy({ $0.checks > 0 && $0.violations.isEmpty }) { whole.folded = "all checked, none violated" }
    return whole
  }
}

extension ScenarioResult {
  /// The invariants of all runs, each once with its checks and violations in all of them.
  var invariants: [InvariantResult] {
    let all = runs.flatMap(\.invariants)
    return all.map(\.name).withoutDuplicates.map { name in
      let own = all.filter { $0.name == name }
      return InvariantResult(
        name: name,
        checks: own.map(\.checks).saturatingSum(),
        violations: own.flatMap(\.violations)
      )
    }
  }
}
