internal import BenchModel

extension ExitStatus {
  /// What a run that ends with it is called.
  var word: String {
    switch self {
    case .passed: "PASSED"
    case .expectationFailed: "FAILED"
    case .invariantViolated: "WRONG DATA"
    case .measurementInvalid: "INVALID"
    case .interrupted: "INTERRUPTED"
    case .regressed: "REGRESSED"
    case .incomparable: "INCOMPLETE"
    case .inconclusive: "INCONCLUSIVE"
    case .internalError, .usage, .invalidScenario, .missingInput, .systemLimit, .cannotCreateOutput: "ERROR"
    }
  }
}

extension VerdictResult {
  /// One word for people.
  var word: String { exitCode.word }

  /// What the headline does not say already.
  var furtherReasons: [String] { reasons.filter { $0 != headline } }

  /// The first section of every report.
  /// - Parameter remarks: what must be known before any figure is believed.
  func section(_ remarks: [ReportText]) -> ReportSection {
    let code: ReportText = "Exit code \(strong: .text(String(exitCode.rawValue))): \(exitCode.meaning)."
    return ReportSection(
      anchor: "verdict",
      title: "\(word): \(headline)",
      blocks: [.paragraph([code] + remarks)]
        + (furtherReasons.isEmpty ? [] : [.list(furtherReasons.map(ReportText.text))])
    )
  }

  static let smokeRemark: ReportText =
    "\(strong: "A smoke run: it shows that everything works; its figures are not measurements.")"
}

extension RunReport {
  var verdict: ReportSection {
    var remarks: [ReportText] = []
    if result.isSmoke { remarks.append(VerdictResult.smokeRemark) }
    if result.isPartial {
      remarks.append("\(strong: "Partial: the run was interrupted; the report covers the time until then.")")
    }
    if let excess = result.walExcess { remarks.append("\(strong: .text(excess.headline)).") }
    return result.verdict.section(remarks)
  }

  var invariants: ReportSection {
    InvariantsSection.section(
      of: result.invariants.map { .init(name: $0.name, checks: $0.checks, violations: $0.violations.count) },
      told: result.invariants.flatMap { invariant in
        invariant.violations.prefix(5).map { violation in
          "\(code: invariant.name): \(InertText.shortened(violation, to: 400))"
        }
      }
    )
  }
}

/// What was checked and what was found, of one run or of several.
enum InvariantsSection {
  struct Row {
    var name: String
    var checks: Int
    var violations: Int
  }

  /// - Parameters:
  ///   - rows: one for each invariant that was asked for.
  ///   - told: the first violations.
  static func section(of rows: [Row], told: [ReportText]) -> ReportSection {
    func section(_ blocks: [ReportBlock]) -> ReportSection {
      ReportSection(anchor: "invariants", title: "Invariants", blocks: blocks)
    }
    guard !rows.isEmpty else {
      return section([.paragraph(["The scenario has no invariants, so the data was not checked."])])
    }
    var table = ReportTable([("", .left), ("invariant", .left), ("checks", .right), ("violations", .right)])
    for row in rows {
      let state: ReportText =
        row.violations > 0 ? "\(strong: "VIOLATED")" : row.checks == 0 ? "never checked" : "ok"
      table.append([
        state, .code(row.name), .text(Quantity.count(row.checks)), .text(Quantity.count(row.violations)),
      ])
    }
    return section([.table(table)] + (told.isEmpty ? [] : [.paragraph(["The first violations:"]), .list(told)]))
  }
}
