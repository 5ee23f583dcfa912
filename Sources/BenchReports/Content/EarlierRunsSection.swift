internal import BenchResults

/// The figures that a report states first, beside their values in earlier runs of the same scenario, with the same
/// settings, machine and libraries.
enum EarlierRunsSection {
  private static var anchor: String { "earlier-runs" }

  /// - Returns: nil for a smoke run, for one without figures, and if no earlier runs were sought.
  static func section(of result: ScenarioResult, _ earlier: EarlierRuns) -> ReportSection? {
    guard !result.first.isSmoke, let figures = RunSummary(result).figures, !figures.isEmpty else { return nil }
    if earlier.isFirst, earlier.baseline == nil { return first }
    guard earlier.baseline != nil || !earlier.comparable.isEmpty else { return nil }
    let hasVariants = figures.contains { $0.variant != nil }
    let baseline = earlier.baseline
    var names: [ReportText] = ["this run", "last run", "difference", "last \(String(EarlierRuns.shownRuns - 1))"]
    if let baseline { names += ["\(code: baseline.name)", "difference"] }
    var table = ReportTable(
      names: ["figure"] + (hasVariants ? [result.variantTitle] : []),
      numbers: names
    )
    for figure in figures {
      let values = earlier.values(of: figure.name, variant: figure.variant)
      let base = baseline?.summary?.value(of: figure.name, variant: figure.variant)
      guard !values.isEmpty || base != nil else { continue }
      var cells: [ReportText] = [.code(figure.name)] + (hasVariants ? [.code(figure.variant ?? "")] : [])
      cells.append(.text(figure.unit.text(figure.value)))
      cells += [text(values.last, figure), change(values.last, figure), range(values, figure)]
      if baseline != nil { cells += [text(base, figure), change(base, figure)] }
      table.append(cells)
    }
    let remark: ReportText =
      "Earlier runs of the same scenario with the same settings, machine, driver and SQLite. A difference of single "
      + "runs contains what else the machine did, and is no verdict: \(code: "yapbench compare") gives one."
    return ReportSection(
      anchor: anchor,
      title: "Against earlier runs",
      blocks: missing(baseline) + (table.isEmpty ? [] : [.table(table), .explanation([remark])]),
      folded: gist(figures, earlier)
    )
  }

  private static var first: ReportSection {
    let remark: ReportText =
      "No comparable run: no earlier one with figures has the same settings, machine and libraries."
    return ReportSection(anchor: anchor, title: nil, blocks: [.paragraph([remark])], isLead: true)
  }

  /// Such as `last run 2026-02-03 04:05:06: −4.10 % to +2.31 %`.
  private static func gist(_ figures: [RunSummary.Figure], _ earlier: EarlierRuns) -> ReportText? {
    guard let last = earlier.comparable.first else { return nil }
    let changes = figures.compactMap { figure -> Double? in
      guard let value = last.value(of: figure.name, variant: figure.variant), value > 0, figure.unit != .share else {
        return nil
      }
      return 100 * (figure.value / value - 1)
    }
    guard let least = changes.min(), let greatest = changes.max() else { return "last run \(last.timeText)" }
    let range = [least, greatest].map { Quantity.change(percent: $0) }
    return "last run \(last.timeText): " + .text(range.withoutDuplicates.joined(separator: " to "))
  }

  private static func missing(_ baseline: Baseline?) -> [ReportBlock] {
    guard let baseline, baseline.summary == nil else { return [] }
    return [
      .paragraph([
        "The baseline \(code: baseline.name) has no run of this scenario with these settings on such a machine."
      ])
    ]
  }

  private static func text(_ value: Double?, _ figure: RunSummary.Figure) -> ReportText {
    .text(value.map(figure.unit.text) ?? Quantity.missing)
  }

  private static func change(_ value: Double?, _ figure: RunSummary.Figure) -> ReportText {
    .text(value.flatMap { EarlierRuns.change(from: $0, to: figure.value, figure.unit) } ?? Quantity.missing)
  }

  /// The lowest and the highest of the values, the place of the figure among them, and their course.
  private static func range(_ values: [Double], _ figure: RunSummary.Figure) -> ReportText {
    guard values.count > 1, let low = values.min(), let high = values.max() else { return .text(Quantity.missing) }
    let place =
      figure.value < low ? "below all" : figure.value > high ? "above all" : "within"
    let text: ReportText = "\(figure.unit.text(low)) to \(figure.unit.text(high)), \(place)"
    return text + .curve(values + [figure.value])
  }
}
