internal import BenchModel

extension ExitStatus {
  /// What a run that ends with it is called.
  var word: String {
    switch self {
    case .allHeld: "HELD"
    case .expectationFailed: "FAILED"
    case .invariantViolated: "WRONG DATA"
    case .measurementInvalid: "INVALID"
    case .interrupted: "INTERRUPTED"
    case .internalError, .usage, .invalidScenario, .missingInput, .cannotCreateOutput: "ERROR"
    }
  }
}

extension VerdictResult {
  /// One word for people.
  var word: String { ExitStatus(rawValue: exitCode)?.word ?? "ENDED" }

  /// What the headline does not say already.
  var furtherReasons: [String] { reasons.filter { $0 != headline } }

  var meaning: String { ExitStatus(rawValue: exitCode)?.meaning ?? "of no known meaning" }
}

extension RunReport {
  var verdict: [String] {
    let verdict = result.verdict
    var lines = [
      "# \(verdict.word): \(InertText.markdown(verdict.headline))", "",
      "Exit code **\(verdict.exitCode)**: \(verdict.meaning).",
    ]
    if result.isSmoke { lines.append("**A smoke run: it shows that everything works; its figures measure nothing.**") }
    if result.isPartial {
      lines.append("**Partial: the run was broken off, and this is what was measured until then.**")
    }
    if !verdict.furtherReasons.isEmpty {
      lines += [""] + verdict.furtherReasons.map { "- " + InertText.markdown($0) }
    }
    return lines
  }

  var invariants: [String] {
    guard !result.invariants.isEmpty else {
      return ["## Invariants", "", "The scenario asks for none: that the data was right was not checked."]
    }
    var table = MarkdownTable([("", .left), ("invariant", .left), ("checks", .right), ("violations", .right)])
    var told: [String] = []
    for invariant in result.invariants {
      let state = !invariant.violations.isEmpty ? "**VIOLATED**" : invariant.checks == 0 ? "never checked" : "ok"
      table.append([
        state, InertText.code(invariant.name), Quantity.count(invariant.checks),
        Quantity.count(invariant.violations.count),
      ])
      told += invariant.violations.prefix(5).map { violation in
        "- \(InertText.code(invariant.name)): \(InertText.markdown(InertText.shortened(violation, to: 400)))"
      }
    }
    return ["## Invariants", ""] + table.lines + (told.isEmpty ? [] : ["", "The first violations:", ""] + told)
  }
}
