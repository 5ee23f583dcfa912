internal import BenchResults

extension ExitStatus {
  /// The verdict in one word, in capitals.
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
  var word: String { exitCode.word }

  /// The reasons that the headline does not state.
  var furtherReasons: [String] { reasons.filter { $0 != headline } }

  /// Returns the first section of a report.
  /// - Parameter remarks: Restrictions on the use of the figures.
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
  ///   - violations: The first violations.
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
        row.violations > 0 ? "\(strong: "VIOLATED")" : row.checks == 0 ? "never checked" : "ok"
      table.append([
        state, .code(row.name), .text(Quantity.count(row.checks)), .text(Quantity.count(row.violations)),
      ])
    }
    return section(
      [.table(table)] + (violations.isEmpty ? [] : [.paragraph(["The first violations:"]), .list(violations)])
    )
  }
}

extension RunResult {
  func state(of expectation: ExpectationResult) -> ExpectationState {
    if expectation.holds { return .passed }
    return isPartial && expectation.measuredValue == nil ? .open : .failed
  }
}

/// The state of an expectation, as reports write it.
enum ExpectationState: String {
  case passed = "ok"
  case failed = "FAILED"
  /// The run was interrupted before the expectation's phase.
  case open

  /// Of several runs, the first that applies.
  static let mostSevereFirst: [Self] = [.failed, .open, .passed]

  var text: ReportText { self == .failed ? "\(strong: .text(rawValue))" : .text(rawValue) }
}

extension WALExcessResult {
  /// One line, which the run's notes explain.
  var headline: String {
    let time = Quantity.duration(nanoseconds: totalNanoseconds)
    return "WAL above \(Self.limitFactor) x its limit of \(Quantity.bytes(limitBytes)) for \(time), peak "
      + "\(Quantity.bytes(peakBytes)): \(cause)"
  }

  private var cause: String {
    let name = connection.map { "\"\($0)\"" }
    return switch reason {
    case .pinned: "pinned by \(name ?? "a connection")"
    case .neverUnread: "checkpointed, but never without a reader" + (name.map { ", mostly \($0)" } ?? "")
    case .writersAhead: "commits outran the checkpoints"
    }
  }
}
