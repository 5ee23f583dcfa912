internal import BenchModel
internal import NumericConversion

/// What people read first of several runs: the answer, then the variants side by side. What one run shows by itself,
/// such as its WAL over time, stands in that run's own report.
struct ScenarioReport {
  let result: ScenarioResult
  /// Repeats all runs.
  let command: String

  var sections: [ReportSection] {
    let first = RunReport(result: result.first, command: command)
    return [
      verdict, story, expectations, sideBySide, invariants, runs, trust, first.environment, notes, limits, repetition,
    ].compactMap { $0 }
  }

  /// What a column that holds variants is called.
  var variantTitle: ReportText {
    let keys = result.variants.first?.settings.map(\.key) ?? []
    return keys.isEmpty ? "variant" : keys.map(ReportText.code).joined(separator: ", ")
  }

  func label(_ variant: ScenarioResult.Variant) -> ReportText {
    variant.label.isEmpty ? "only variant" : .code(variant.label)
  }

  private var verdict: ReportSection {
    var remarks: [ReportText] = []
    if result.first.isSmoke { remarks.append(VerdictResult.smokeRemark) }
    if result.isPartial {
      let started = "\(result.runs.count) of \(result.plannedRunCount)"
      remarks.append("\(strong: "Partial: \(started) runs were started; the report covers these.")")
    }
    let excesses = result.runs.compactMap(\.walExcess)
    if let largest = excesses.max(by: { $0.peakBytes < $1.peakBytes }) {
      let runs = "\(excesses.count) of \(result.runs.count) runs"
      remarks.append("\(strong: .text(largest.headline)) (the largest; \(runs) had a WAL far above the limit).")
    }
    return result.verdict.section(remarks)
  }

  /// What was run, in two sentences.
  private var story: ReportSection {
    let first = result.first
    let summary = first.summary.isEmpty ? "A scenario without a summary." : first.summary
    let variants = result.variants.count
    let matrix = [
      variants == 1 ? nil : Quantity.count(variants, of: "variant"),
      Quantity.count(result.repetitions, of: "repetition"),
    ].compactMap { $0 }.joined(separator: " × ")
    let phases = first.phases.map { "\(code: $0.name)" + ($0.isRecorded ? "" : " (not recorded)") as ReportText }
    let course: ReportText =
      "\(matrix), from \(first.startedAt) on driver \(code: first.driver) with seed \(String(first.seed)), each on a "
      + "fresh database, in rounds that run every variant once in a random order (drawn from the seed); phases "
      + "\(phases.joined(separator: ", "))."
    return ReportSection(
      anchor: "what-was-run",
      title: nil,
      blocks: [.paragraph(["\(strong: .text(first.scenario)): \(summary)", course])]
    )
  }

  private var expectations: ReportSection {
    func section(_ blocks: [ReportBlock]) -> ReportSection {
      ReportSection(anchor: "expectations", title: "Expectations", blocks: blocks)
    }
    let sources = result.runs.max { $0.expectations.count < $1.expectations.count }?.expectations.map(\.source) ?? []
    guard !sources.isEmpty else {
      return section([.paragraph(["The scenario has no expectations: these runs only measure."])])
    }
    var table = ReportTable([
      ("", .left), ("expected", .left), (variantTitle, .left), ("measured, by repetition", .right),
    ])
    for source in sources {
      for variant in result.variants {
        let found = result.runs(of: variant).flatMap { run in
          run.expectations.filter { $0.source == source }.map { (state: run.state(of: $0), measured: $0.measured) }
        }
        guard !found.isEmpty else { continue }
        let state = ExpectationState.mostSevereFirst.first { state in found.contains { $0.state == state } }
        table.append([
          state?.text ?? "", .code(source), label(variant),
          .text(found.map(\.measured).joined(separator: ", ")),
        ])
      }
    }
    let remark: [ReportBlock] =
      result.first.isSmoke ? [.paragraph(["In a smoke run, expectations do not affect the verdict."])] : []
    return section([.table(table)] + remark)
  }

  private var invariants: ReportSection {
    var told: [ReportText] = []
    let rows = result.first.invariants.map(\.name).map { name in
      let found = result.runs.flatMap { run in
        run.invariants.filter { $0.name == name }.map { (run: run, result: $0) }
      }
      told += found.flatMap { found in
        found.result.violations.prefix(5).map { violation in
          "\(code: name), \(result.place(of: found.run)): \(InertText.shortened(violation, to: 400))" as ReportText
        }
      }
      return InvariantsSection.Row(
        name: name,
        checks: found.map(\.result.checks).saturatingSum(),
        violations: found.reduce(0) { $0 + $1.result.violations.count }
      )
    }
    return InvariantsSection.section(of: rows, told: told)
  }

  /// Every run, with its own report.
  private var runs: ReportSection {
    var table = ReportTable([
      ("run", .right), (variantTitle, .left), ("repetition", .right), ("started", .left), ("verdict", .left),
      ("load average", .right), ("steal", .right), ("report", .left),
    ])
    for (index, run) in result.runs.enumerated() {
      let variant = result.variants.first { $0.name == run.variant }
      let stem = RunDirectory.stem(of: run, in: result)
      table.append([
        .text(String(index + 1)), variant.map(label) ?? "", .text(String(run.repetition)), .text(run.startedAt),
        .text(run.verdict.word), .text(Quantity.threeDigits(run.environment.loadAverage)),
        .text(Quantity.percent(run.harness.stealShare)),
        .report("report", path: "\(RunDirectory.runFolder)/\(stem)"),
      ])
    }
    return ReportSection(anchor: "runs", title: "Runs, in order", blocks: [.table(table)])
  }

  private var notes: ReportSection? {
    var seen: Set<String> = []
    let notes = result.runs.flatMap(\.notes).filter { seen.insert($0).inserted }
    guard !notes.isEmpty else { return nil }
    return ReportSection(anchor: "notes", title: "Notes", blocks: [.list(notes.map(ReportText.text))])
  }

  private var repetition: ReportSection {
    let instruction: ReportText =
      "Run this in the project's folder; \(code: "scenario.yaml") includes the matrix and every override:"
    let files: ReportText =
      "The figures are in \(code: "variants.csv") (the variants side by side), \(code: "summary.csv") (every "
      + "percentile of every run), \(code: "timeseries.csv") (base units: seconds, bytes), \(code: "pins.csv"), "
      + "\(code: "checkpoints.csv"), and \(code: "run.json") (everything)."
    return ReportSection(
      anchor: "repeat",
      title: "Repeat it",
      blocks: [.paragraph([instruction]), .command(command), .paragraph([files])]
    )
  }
}
