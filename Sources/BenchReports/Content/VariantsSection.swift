internal import BenchResults

/// The variants of a scenario side by side.
enum VariantsSection {
  static func section(of result: ScenarioResult) -> ReportSection {
    let comparison = VariantComparison(result)
    func section(_ blocks: [ReportBlock]) -> ReportSection {
      let title: ReportText = result.variants.count == 1 ? "Repetitions together" : "Variants side by side"
      return ReportSection(anchor: "variants", title: title, blocks: blocks)
    }
    guard !comparison.groups.isEmpty else { return section([.paragraph(["No figures were recorded."])]) }
    var blocks: [ReportBlock] = [
      .paragraph([explanation(of: result)]),
      .figure(VariantsFigure.figure(comparison, scenario: result.first.scenario)),
      .figure(LatencyCurvesFigure.figure(result)),
    ]
    for group in comparison.groups {
      blocks += [
        .paragraph([title(of: group)]),
        .table(table(of: group, variants: comparison.variants, title: result.variantTitle)),
      ]
      let outcomes = outcomes(of: group, variants: comparison.variants)
      if !outcomes.isEmpty {
        blocks += [.paragraph(["Cached values that other connections changed, per commit:"]), .list(outcomes)]
      }
    }
    return section(blocks + [.paragraph([remarks(on: comparison)])])
  }

  private static func explanation(of result: ScenarioResult) -> ReportText {
    let figures: ReportText =
      result.repetitions > 1
      ? "A figure is the median over the repetitions; a percentile is that of their durations together. In "
        + "brackets: the lowest and the highest value of a repetition"
      : "Each variant ran once, so the spread of the figures is unknown"
    return figures + (result.variants.count > 1 ? "; × is the ratio to the first variant." : ".")
  }

  private static func title(of group: ComparedGroup) -> ReportText {
    switch group.kind {
    case .actor: "\(strong: "Actor \(code: group.owner ?? "") in \(code: group.phase)")"
    case .reads:
      "\(strong: "Reads of single rows by \(code: group.owner ?? "") in \(code: group.phase), by outcome in the cache")"
    case .connection: "\(strong: "Caches of connection \(code: group.owner ?? "") in \(code: group.phase)")"
    case .phase: "\(strong: "All of \(code: group.phase)")"
    }
  }

  private static func table(
    of group: ComparedGroup,
    variants: [ScenarioResult.Variant],
    title: ReportText
  ) -> ReportTable {
    var table = ReportTable([(title, .left)] + group.columns.map { (.text($0.title), .right) })
    for (index, variant) in variants.enumerated() {
      let cells = group.columns.map { column -> ReportText in
        guard let figure = column.figures[index] else { return .text(Quantity.missing) }
        return .text(cell(figure, unit: column.unit, ratio: index == 0 ? nil : figure.ratio(to: column.figures[0])))
      }
      table.append([variant.title] + cells)
    }
    return table
  }

  /// Returns the outcomes for a connection's cached values that other connections changed, a line for each variant;
  /// empty if there were no such values.
  private static func outcomes(of group: ComparedGroup, variants: [ScenarioResult.Variant]) -> [ReportText] {
    let outcomes = CacheCount.all.compactMap { count in
      count.outcome.map { outcome in
        (text: outcome, figures: group.columns.first { $0.name == count.column }?.figures ?? [])
      }
    }
    guard outcomes.contains(where: { $0.figures.contains { $0?.value ?? 0 > 0 } }) else { return [] }
    return variants.enumerated().compactMap { index, variant -> ReportText? in
      // A variant without counts has no line: its driver has no caches, or there was no commit.
      let texts = outcomes.compactMap { outcome in
        outcome.figures[index].map { figure -> ReportText in
          "\(figure.value > 0 ? ComparedUnit.share.text(figure.value) : "none") \(outcome.text)"
        }
      }
      return texts.isEmpty ? nil : "\(variant.title): \(texts.joined(separator: ", "))"
    }
  }

  /// Returns the text of a cell, such as `12.3 µs (11.9…13.0) ×0.95`.
  private static func cell(_ figure: VariantFigure, unit: ComparedUnit, ratio: Double?) -> String {
    var text = unit.text(figure.value)
    if figure.ofRepetitions.count > 1, figure.highest > 0 {
      let lowest = withoutUnit(unit.text(figure.lowest), like: text)
      text += " (\(lowest)…\(withoutUnit(unit.text(figure.highest), like: text)))"
    }
    return text + (ratio.map { " ×\(Quantity.threeDigits($0))" } ?? "")
  }

  /// Returns a quantity, without its unit if `other` has the same unit.
  private static func withoutUnit(_ quantity: String, like other: String) -> String {
    func unit(_ text: String) -> Substring { text.drop { $0.isNumber || ".,-".contains($0) } }
    return unit(quantity) == unit(other) ? String(quantity.dropLast(unit(quantity).count)) : quantity
  }

  private static func remarks(on comparison: VariantComparison) -> ReportText {
    var text: ReportText =
      "Response time counts from the intended start of a transaction, service time from its actual start."
    if comparison.groups.contains(where: { $0.kind == .connection }) {
      text +=
        " The counts of caches are those of objects and metadata together: hits, misses and decoded values per "
        + "operation of the connection's own actors; values that were updated in place, copied, dropped, or read and "
        + "decoded again after they were dropped, per commit of any connection. "
        + "The reads of invariants that check caches are included: up to a hundred checks per second and worker."
    }
    if comparison.groups.contains(where: { $0.kind == .reads }) {
      text +=
        " The times of reads by outcome are service times: \(code: "hit") reads are answered by the connection's "
        + "caches, \(code: "reread") are those of rows whose cached value was dropped because another connection had "
        + "changed it."
    }
    return text
  }
}

extension ScenarioResult {
  /// The head of a column of variants.
  var variantTitle: ReportText {
    let keys = variants.first?.settings.map(\.key) ?? []
    return keys.isEmpty ? "variant" : keys.map(ReportText.code).joined(separator: ", ")
  }
}

extension ScenarioResult.Variant {
  var title: ReportText { label.isEmpty ? "only variant" : .code(label) }
}
