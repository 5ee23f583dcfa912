internal import BenchModel

extension ScenarioReport {
  /// What the variants came to, next to each other.
  var sideBySide: ReportSection {
    let comparison = VariantComparison(result)
    func section(_ blocks: [ReportBlock]) -> ReportSection {
      let title: ReportText = result.variants.count == 1 ? "Repetitions together" : "Variants side by side"
      return ReportSection(anchor: "variants", title: title, blocks: blocks)
    }
    guard !comparison.groups.isEmpty else { return section([.paragraph(["No figures were recorded."])]) }
    var blocks: [ReportBlock] = [
      .paragraph([explanation]), .figure(VariantsFigure.figure(comparison, scenario: result.first.scenario)),
      .figure(LatencyCurvesFigure.figure(result)),
    ]
    for group in comparison.groups {
      blocks += [.paragraph([title(group)]), .table(table(group, comparison.variants))]
      let following = following(group, comparison.variants)
      if !following.isEmpty {
        blocks += [.paragraph(["Cached values that other connections changed, per commit:"]), .list(following)]
      }
    }
    return section(blocks + [.paragraph([remarks(comparison)])])
  }

  private var explanation: ReportText {
    let figures: ReportText =
      result.repetitions > 1
      ? "A figure is the median over the repetitions; a percentile is that of all their durations together. In "
        + "brackets: the lowest and the highest value of a repetition"
      : "Each variant ran once, so the spread of the figures is unknown"
    return figures + (result.variants.count > 1 ? "; × is the ratio to the first variant." : ".")
  }

  private func title(_ group: ComparedGroup) -> ReportText {
    switch group.kind {
    case .actor: "\(strong: "Actor \(code: group.owner ?? "") in \(code: group.phase)")"
    case .connection: "\(strong: "Caches of connection \(code: group.owner ?? "") in \(code: group.phase)")"
    case .phase: "\(strong: "All of \(code: group.phase)")"
    }
  }

  private func table(_ group: ComparedGroup, _ variants: [ScenarioResult.Variant]) -> ReportTable {
    var table = ReportTable([(variantTitle, .left)] + group.columns.map { (.text($0.title), .right) })
    for (index, variant) in variants.enumerated() {
      let cells = group.columns.map { column -> ReportText in
        guard let figure = column.figures[index] else { return .text(Quantity.missing) }
        return .text(cell(figure, column.unit, index == 0 ? nil : figure.ratio(to: column.figures[0])))
      }
      table.append([label(variant)] + cells)
    }
    return table
  }

  /// What became of a connection's cached values that others changed, a line for each variant; none where nothing was.
  private func following(_ group: ComparedGroup, _ variants: [ScenarioResult.Variant]) -> [ReportText] {
    func figures(_ name: String) -> [Double?] {
      let column = group.columns.first { $0.name == name }
      return variants.indices.map { column?.figures[$0]?.value }
    }
    let dropped = figures("cache_dropped_per_commit")
    let readAgain = figures("cache_read_again_per_commit")
    let updated = figures("cache_updated_by_policy_per_commit")
    guard (dropped + updated).contains(where: { $0 ?? 0 > 0 }) else { return [] }
    func text(_ value: Double) -> String { value > 0 ? ComparedUnit.share.text(value) : "none" }
    return variants.enumerated().compactMap { index, variant in
      // A variant without counts: its driver has no caches, or there was no commit.
      guard let updated = updated[index], let dropped = dropped[index], let readAgain = readAgain[index] else {
        return nil
      }
      return "\(label(variant)): \(text(updated)) updated in place, \(text(dropped)) dropped, "
        + "\(strong: "\(text(readAgain)) read and decoded again")"
    }
  }

  /// Such as `12.3 µs (11.9…13.0) ×0.95`.
  private func cell(_ figure: VariantFigure, _ unit: ComparedUnit, _ ratio: Double?) -> String {
    var text = unit.text(figure.value)
    if figure.ofRepetitions.count > 1, figure.highest > 0 {
      let lowest = Self.withoutUnit(unit.text(figure.lowest), like: text)
      text += " (\(lowest)…\(Self.withoutUnit(unit.text(figure.highest), like: text)))"
    }
    return text + (ratio.map { " ×\(Quantity.threeDigits($0))" } ?? "")
  }

  /// The number alone where its unit is that of the text before it.
  private static func withoutUnit(_ quantity: String, like other: String) -> String {
    func unit(_ text: String) -> Substring { text.drop { $0.isNumber || ".,-".contains($0) } }
    return unit(quantity) == unit(other) ? String(quantity.dropLast(unit(quantity).count)) : quantity
  }

  private func remarks(_ comparison: VariantComparison) -> ReportText {
    var text: ReportText =
      "Response time counts from the intended start of a transaction, service time from its actual start."
    if comparison.groups.contains(where: { $0.kind == .connection }) {
      text +=
        " The counts of caches are those of objects and metadata together: hits, misses and decoded values per "
        + "operation of the connection's own actors; values that were updated in place, copied, dropped, or read and "
        + "decoded again after they were dropped, per commit of any connection. "
        + "The reads of invariants that check caches are included: up to a hundred per second for each worker."
    }
    return text
  }

  /// How far the harness can be trusted, over all runs.
  var trust: ReportSection {
    let distrusted = result.runs.flatMap { run in
      run.harness.distrust.map { "\(result.place(of: run)): \($0)" as ReportText }
    }
    let costs = result.runs.map(\.harness.nullOperationNanoseconds).sorted()
    let cost: ReportText =
      "The harness costs \(Quantity.duration(nanoseconds: costs[costs.count / 2])) per operation, the median of the "
      + "runs; the report of each run shows how well it kept its schedules."
    let blocks: [ReportBlock] =
      distrusted.isEmpty
      ? [.paragraph(["No sign of measurement error in any run.", cost])]
      : [
        .paragraph(["\(strong: "Signs of measurement error:")"]), .list(distrusted),
        .paragraph([cost]),
      ]
    return ReportSection(anchor: "trust", title: "How far to trust it", blocks: blocks)
  }

  /// Conclusions that the runs do not support.
  var limits: ReportSection {
    let spread: ReportText =
      result.repetitions > 1
      ? "\(Quantity.count(result.repetitions)) repetitions show the spread of the figures within these minutes: a "
        + "difference within the spread is not significant, and a small one outside of it may be drift."
      : "One run of each variant shows no spread: a small difference between variants may be chance."
    return RunReport(result: result.first, command: command).limits(spread: spread)
  }
}
