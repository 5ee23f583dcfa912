internal import BenchModel

/// `report.md` of several runs: the answer first, then the variants side by side. What one run shows by itself, such as
/// its WAL over time, stands in that run's own report.
struct ScenarioReport {
  let result: ScenarioResult
  let picture: PictureOutcome
  /// Repeats all runs.
  let command: String

  var text: String {
    let first = RunReport(result: result.first, picture: picture, command: command)
    let sections = [
      verdict, story, expectations, sideBySide, invariants, runs, trust, first.environment, notes, limits, repetition,
    ]
    return sections.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
  }

  /// What a column that holds variants is called.
  var variantTitle: String {
    let keys = result.variants.first?.settings.map(\.key) ?? []
    return keys.isEmpty ? "variant" : keys.map(InertText.code).joined(separator: ", ")
  }

  func label(_ variant: ScenarioResult.Variant) -> String {
    variant.label.isEmpty ? "the only one" : InertText.code(variant.label)
  }

  private var verdict: [String] {
    let verdict = result.verdict
    var lines = [
      "# \(verdict.word): \(InertText.markdown(verdict.headline))", "",
      "Exit code **\(verdict.exitCode)**: \(verdict.meaning).",
    ]
    if result.first.isSmoke {
      lines.append("**A smoke run: it shows that everything works; its figures measure nothing.**")
    }
    if result.isPartial {
      lines.append(
        "**Partial: \(result.runs.count) of \(result.plannedRunCount) runs were begun, and this is what was measured "
          + "until then.**"
      )
    }
    if !verdict.furtherReasons.isEmpty {
      lines += [""] + verdict.furtherReasons.map { "- " + InertText.markdown($0) }
    }
    return lines
  }

  /// What was run, in two sentences.
  private var story: [String] {
    let first = result.first
    let summary = InertText.markdown(first.summary.isEmpty ? "A scenario without a summary." : first.summary)
    let variants = result.variants.count
    let what =
      variants == 1
      ? Quantity.count(result.repetitions, of: "run")
      : "\(Quantity.count(variants, of: "variant")), \(Quantity.count(result.repetitions, of: "run")) of each"
    let phases = first.phases.map { InertText.code($0.name) + ($0.isRecorded ? "" : " (not recorded)") }
    return [
      "**\(InertText.markdown(first.scenario))**: \(summary)",
      "There were to be \(what), from \(InertText.markdown(first.startedAt)) on driver "
        + "\(InertText.code(first.driver)) with seed \(first.seed), each on a fresh database, in rounds that run every "
        + "variant once in an order drawn from the seed; phases \(phases.joined(separator: ", ")).",
    ]
  }

  private var expectations: [String] {
    let sources = result.runs.max { $0.expectations.count < $1.expectations.count }?.expectations.map(\.source) ?? []
    guard !sources.isEmpty else {
      return ["## Expectations", "", "The scenario expects nothing: these runs measure and do not judge."]
    }
    var table = MarkdownTable([
      ("", .left), ("expected", .left), (variantTitle, .left), ("measured, by repetition", .right),
    ])
    for source in sources {
      for variant in result.variants {
        let found = result.runs(of: variant).flatMap { run in
          run.expectations.filter { $0.source == source }.map { (state: run.state(of: $0), measured: $0.measured) }
        }
        guard !found.isEmpty else { continue }
        let state = ["FAILED", "open"].first { state in found.contains { $0.state == state } } ?? "ok"
        table.append([
          state == "FAILED" ? "**FAILED**" : state, InertText.code(source), label(variant),
          InertText.markdown(found.map(\.measured).joined(separator: ", ")),
        ])
      }
    }
    let remark = result.first.isSmoke ? ["", "A smoke run shows expectations and does not judge by them."] : []
    return ["## Expectations", ""] + table.lines + remark
  }

  private var invariants: [String] {
    let names = result.first.invariants.map(\.name)
    guard !names.isEmpty else {
      return ["## Invariants", "", "The scenario asks for none: that the data was right was not checked."]
    }
    var table = MarkdownTable([("", .left), ("invariant", .left), ("checks", .right), ("violations", .right)])
    var told: [String] = []
    for name in names {
      let found = result.runs.flatMap { run in
        run.invariants.filter { $0.name == name }.map { (run: run, result: $0) }
      }
      let checks = found.reduce(0) { $0 + $1.result.checks }
      let violations = found.reduce(0) { $0 + $1.result.violations.count }
      let state = violations > 0 ? "**VIOLATED**" : checks == 0 ? "never checked" : "ok"
      table.append([state, InertText.code(name), Quantity.count(checks), Quantity.count(violations)])
      told += found.flatMap { found in
        found.result.violations.prefix(5).map { violation in
          let place = InertText.markdown(result.place(of: found.run))
          return "- \(InertText.code(name)), \(place): "
            + InertText.markdown(InertText.shortened(violation, to: 400))
        }
      }
    }
    return ["## Invariants", ""] + table.lines + (told.isEmpty ? [] : ["", "The first violations:", ""] + told)
  }

  /// Every run, with its own report.
  private var runs: [String] {
    var table = MarkdownTable([
      ("run", .right), (variantTitle, .left), ("repetition", .right), ("began", .left), ("ended", .left),
      ("load before", .right), ("steal", .right), ("report", .left),
    ])
    for (index, run) in result.runs.enumerated() {
      let variant = result.variants.first { $0.name == run.variant }
      let stem = RunDirectory.stem(of: run, in: result)
      table.append([
        String(index + 1), variant.map(label) ?? "", String(run.repetition), InertText.markdown(run.startedAt),
        run.verdict.word, Quantity.threeDigits(run.environment.loadAverage),
        Quantity.percent(run.harness.stealShare), "[alone](\(RunDirectory.runFolder)/\(stem).md)",
      ])
    }
    return ["## The runs, in their order", ""] + table.lines
  }

  private var notes: [String] {
    var seen: Set<String> = []
    let notes = result.runs.flatMap(\.notes).filter { seen.insert($0).inserted }
    return notes.isEmpty ? [] : ["## Notes", ""] + notes.map { "- " + InertText.markdown($0) }
  }

  private var repetition: [String] {
    [
      "## Repeat it", "",
      "In the project's folder; `scenario.yaml` has the matrix and every override written in:", "",
      "```sh", command, "```", "",
      "The figures themselves: `variants.csv` (what stands side by side), `summary.csv` (every percentile of every "
        + "run), `timeseries.csv` (base units: seconds, bytes), `pins.csv`, `checkpoints.csv`, and `run.json` "
        + "(everything).",
    ]
  }
}
