package import BenchResults
package import Foundation
internal import HarnessPrimitives

/// The report of a comparison: the verdict, the changes with the worst first, their causes, and the other figures.
package struct ComparisonReport: WrittenReport {
  let result: ComparisonOutcome
  /// The command that repeats the comparison.
  let command: String

  package init(_ result: ComparisonOutcome, command: String) {
    self.result = result
    self.command = command
  }

  /// The comment for a pull request: the verdict, the sides, the changes, their causes, inconclusive figures, trust.
  package var comment: String {
    MarkdownReport.text(
      of: [verdict, sides, changes, explanations, inconclusive, ComparisonTrustSection.section(of: result)]
        .compactMap { $0 }
    )
  }

  var sections: [ReportSection] {
    [
      verdict, sides, changes, explanations, inconclusive, pictures, unchanged,
      ComparisonTrustSection.section(of: result),
      howToRead, repetition,
    ].compactMap { $0 }
  }

  // MARK: Verdict

  private var verdict: ReportSection {
    var lines: [ReportText] = [.text(verdictText.counts)]
    let design = result.design
    // Pairs that were unusable may have ended the comparison earlier, or extended it.
    let isWhole = result.excluded.map { $0.unusablePairs == 0 } ?? true
    let limit = design.budgetSeconds == nil && design.intervalPercent == nil ? "" : isWhole ? "At most " : "at most "
    lines.append(
      "\(isWhole ? "" : "Planned: ")\(limit)"
        + "\(Quantity.count(design.pairs, of: "pair")) of runs for each of "
        + "\(Quantity.count(design.scenarios.count, of: "scenario")) (\(Self.names(design.scenarios))), "
        + "\(String(design.confirmingPairs)) fresh pairs "
        + "for each that looks changed, in fresh processes, in an order drawn from seed \(String(design.seed))."
    )
    if verdictText.needsPairs {
      lines.append("\(strong: "To add pairs") when the machine is less busy, repeat the command: \(code: command)")
    }
    lines += result.failures.map { "\(strong: "A run failed:") \($0)" }
    lines += result.failedExpectations.map { "\(strong: "Failed expectations:") \($0.text)" }
    return ReportSection(
      anchor: "verdict",
      title: .text(verdictText.title),
      tone: result.exitCode.tone,
      blocks: [.paragraph(lines)]
    )
  }

  private static let mostNamedScenarios = 8

  private static func names(_ scenarios: [String]) -> String {
    let left = scenarios.count - mostNamedScenarios
    return (scenarios.prefix(mostNamedScenarios) + (left > 0 ? ["\(left) more"] : [])).joined(separator: ", ")
  }

  /// The verdict in capitals.
  package var word: String { verdictText.word }

  /// One line: the verdict, the first changes, and the number of deciding figures with each verdict.
  package var headline: String { verdictText.text }

  private var verdictText: ComparisonHeadline { ComparisonHeadline(result: result) }

  /// The figures on which the verdict depends.
  private var deciding: [FigureResult] { result.figures.filter(\.decides) }

  // MARK: The sides

  package static let equalSides = "Both sides are the same executable with the same settings, so every change is noise"

  private var sides: ReportSection {
    var table = ReportTable(names: ["side", "name", "commit", "executable (SHA-256)", "settings"])
    for (side, arm) in [("base", result.base), ("head", result.head)] {
      let commit =
        (arm.commit.map { String($0.prefix(12)) } ?? Quantity.missing)
        + (arm.hasUncommittedChanges ? " and uncommitted changes" : "")
      table.append([
        .text(side), .code(arm.name), .code(commit), .code(String(arm.sha256.prefix(12))),
        arm.settings.isEmpty ? "" : .code(arm.settings.joined(separator: " ")),
      ])
    }
    let machine = result.machine
    let environment: ReportText =
      "On \(machine.cpu), \(Quantity.count(machine.coreCount, of: "core")), "
      + (machine.processorLimits.map { "\($0.text), " } ?? "")
      + "\(Quantity.bytes(machine.memoryBytes)) of memory, \(machine.kernel), \(machine.fileSystem), "
      + "SQLite \(machine.sqliteVersion)."
    let remarks: [ReportText] = result.comparesEqualSides ? [.text(Self.equalSides + ".")] : []
    let blocks: [ReportBlock] = [.table(table), .paragraph([environment] + remarks)]
    return ReportSection(anchor: "arms", title: nil, blocks: blocks, isLead: true)
  }

  // MARK: Figures

  private var changes: ReportSection? {
    changesTable.map { ReportSection(anchor: "changes", title: "Changes", blocks: [.table($0)]) }
  }

  /// A table of the figures that changed or are suspect, except those with the role `part`; nil if there are none.
  var changesTable: ReportTable? {
    let shown = result.figures.filter { [.regressed, .suspect, .improved, .changedSmall].contains($0.verdict) }
      .filter { $0.role != .part }
    return shown.isEmpty ? nil : FigureResult.table(of: shown)
  }

  private var unchanged: ReportSection? {
    let shown = result.figures.filter { $0.verdict == .unchanged && $0.role != .part }
    guard !shown.isEmpty else { return nil }
    let title: ReportText = "\(Quantity.count(shown.count, of: "figure")) unchanged within the margin"
    return ReportSection(
      anchor: "unchanged",
      title: "Unchanged",
      blocks: [.details(title, FigureResult.table(of: shown))]
    )
  }

  // MARK: Explanations

  /// The largest changes of parts, and the changed counts, for each workload with a change.
  private var explanations: ReportSection? {
    let workloads = deciding.filter { $0.verdict.isChange }.map(\.name.workload)
    let items = workloads.withoutDuplicates.compactMap(explanation)
    guard !items.isEmpty else { return nil }
    return ReportSection(anchor: "explanations", title: "Causes", blocks: [.list(items)])
  }

  private func explanation(of workload: String) -> ReportText? {
    let parts = result.figures.filter { $0.role == .part && $0.name.workload == workload }
    let moved = [FigureUnit.nanoseconds, .number].flatMap { unit in Self.moved(parts.filter { $0.unit == unit }) }
    // The parts of a phase are counts of the caches; an actor has other parts.
    let counts = result.figures
      .filter { figure in
        let isOfPhase = workload.hasPrefix(figure.name.workload + "/")
        return figure.role == .count && (isOfPhase || figure.name.workload == workload)
          || figure.role == .part && isOfPhase
      }
      .filter { $0.verdict.isChange || $0.verdict == .changedSmall || $0.changePercent == nil && $0.base != $0.head }
      .map { "\($0.name.metric) \($0.unit.text($0.base)) → \($0.unit.text($0.head))" }
    let texts = moved + counts
    guard !texts.isEmpty else { return nil }
    return "\(strong: .text(workload)): \(texts.joined(separator: "; "))"
  }

  /// Returns up to three parts: those that changed most, each by more than a tenth of the change of the parts' sum.
  private static func moved(_ parts: [FigureResult]) -> [String] {
    let whole = parts.reduce(0) { $0 + $1.head - $1.base }
    return parts.filter { abs($0.head - $0.base) > abs(whole) / 10 }
      .sorted { abs($0.head - $0.base) > abs($1.head - $1.base) }
      .prefix(3).map { "\($0.name.metric) \(difference($0))" }
  }

  private static func difference(_ figure: FigureResult) -> String {
    let difference = figure.head - figure.base
    return (difference > 0 ? "+" : "-") + figure.unit.text(abs(difference))
  }

  // MARK: Inconclusive figures

  private var inconclusive: ReportSection? {
    let figures = deciding.filter { $0.verdict == .inconclusive }
    var items: [ReportText] = figures.map { figure in
      let resolution = figure.detectablePercent.map { "a change of \(Quantity.threeDigits($0)) % was detectable" }
      let need = figure.pairsNeeded.map {
        "\(Quantity.count($0, of: "pair")) detect its margin of \(Quantity.threeDigits(figure.marginPercent)) %"
      }
      let parts = figure.reasons + [resolution, need].compactMap { $0 }
      return "\(strong: .text(figure.name.text)): \(parts.joined(separator: "; "))"
    }
    items += result.notCompared.filter { [.primary, .instructions, .count].contains($0.role) }.map {
      "\(strong: .text($0.name.text)): not compared, \($0.reason)"
    }
    guard !items.isEmpty else { return nil }
    return ReportSection(anchor: "open", title: "Inconclusive", blocks: [.list(items)])
  }

  private var pictures: ReportSection? {
    let figures = deciding.filter { $0.interval95Percent != nil }
    guard !figures.isEmpty else { return nil }
    return ReportSection(
      anchor: "pictures",
      title: "Changes and their intervals",
      blocks: [
        .drawings(ChangesChart.drawings(figures)),
        .drawings(PairsChart.drawings(figures.filter { $0.verdict != .unchanged })),
        .drawings(ComparedCurvesChart.drawings(result.curves)),
      ]
    )
  }

  private var howToRead: ReportSection {
    .howToRead([
      "A pair is one run of each side, one after the other, with the same seed. The change is the Hodges–Lehmann "
        + "estimate over the pairs' ratios; base and head are medians, for orientation.",
      "REGRESSED and IMPROVED: the change is at least as large as the figure's margin. For throughput, p50 and "
        + "p99, its interval excludes 0, and fresh pairs have confirmed it. SUSPECT: not confirmed by fresh pairs.",
      "UNCHANGED: the 90 % interval lies within the margin, so there was no change of that size. INCONCLUSIVE: the "
        + "pairs show neither; \"detectable\" is the smallest change that four of five such comparisons find.",
      "Instructions are counted in separate runs, and vary so little that a pair or two suffice. More instructions "
        + "mean more work, and usually more time.",
      "The verdict depends on throughput, p50, p99 and instructions, and on counts that are the same in all runs, "
        + "or whose ranges on the two sides are clearly apart. All other figures are informative.",
    ])
  }

  private var repetition: ReportSection {
    .repetition([
      .command(command),
      .paragraph(["\(code: "compare.json") has every figure of every pair, \(code: "journal.jsonl") every run."]),
    ])
  }
}

extension ComparisonReport {
  /// Returns the result with its verdict as text, as `compare.json` has it.
  package func document() throws -> Data {
    var result = result
    result.verdict = headline
    return try StableJSON.document(result)
  }

  /// Writes `compare.json`, `compare.md` and `compare.html` beside the journal of the comparison.
  package func write(in folder: String) throws {
    try OutputFile.replace(document(), at: "\(folder)/compare.json")
    try write(as: "compare", in: folder)
  }

  /// Returns the lines for a terminal: the verdict, changed, suspect and inconclusive figures, and the first failures.
  /// - Parameter exitCode: The exit code of the command.
  package func lines(exitCode: ExitStatus) -> [String] {
    var lines = [InertText.line("\(headline) (exit \(exitCode.rawValue))")]
    for figure in deciding where figure.verdict.isChange || figure.verdict == .suspect {
      lines.append(
        InertText.line(
          "  \(figure.verdict.rawValue.uppercased())  \(figure.name.text)  \(figure.changeAndIntervalText)  "
            + "\(figure.unit.text(figure.base)) → \(figure.unit.text(figure.head))"
        )
      )
    }
    if verdictText.needsPairs {
      lines.append(InertText.line("  to add pairs when the machine is less busy: \(command)"))
    }
    let inconclusive = deciding.filter { $0.verdict == .inconclusive }
    if let widest = inconclusive.compactMap(\.detectablePercent).max() {
      lines.append(
        "  inconclusive: \(inconclusive.count); changes of up to \(Quantity.threeDigits(widest)) % may be hidden"
      )
    }
    lines += result.notCompared.filter { [.primary, .instructions, .count].contains($0.role) }.prefix(5).map {
      InertText.line("  not compared: \($0.name.text): \($0.reason)")
    }
    if let change = result.machineChange, change.isTooLarge {
      let percent = Quantity.change(percent: change.changePercent)
      lines.append("  untrusted: a fixed piece of work took \(percent) longer before runs of the head")
    }
    lines += result.failures.prefix(5).map { InertText.line("  failed: \($0)") }
    lines += result.failedExpectations.prefix(5).map { InertText.line("  failed expectations: \($0.text)") }
    return lines
  }
}

extension FailedExpectations {
  /// The failures, such as `one-row-commit, in no run of the base and 20 of 20 runs of the head`.
  fileprivate var text: String {
    func runs(_ count: Int) -> String { count == 0 ? "no run" : "\(count) of \(pairs) runs" }
    return "\(scenario), in \(runs(base)) of the base and \(runs(head)) of the head"
  }
}
