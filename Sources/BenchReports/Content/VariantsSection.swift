internal import BenchResults

/// The variants of a scenario side by side.
struct VariantsSection {
  private let result: ScenarioResult
  /// The number of the machine, from 1; nil if there is only one.
  private let machine: Int?
  private let comparison: VariantComparison

  private init(_ result: ScenarioResult, onMachine machine: Int?) {
    (self.result, self.machine, comparison) = (result, machine, VariantComparison(result))
  }

  /// A section for each machine.
  static func sections(of result: ScenarioResult) -> [ReportSection] {
    result.sectionsByMachine { VariantsSection($0, onMachine: $1).section }
  }

  private var section: ReportSection {
    func section(_ blocks: [ReportBlock]) -> ReportSection {
      let title: ReportText = result.variants.count == 1 ? "Repetitions together" : "Variants side by side"
      return ReportSection(anchor: "variants", title: title, blocks: blocks)
    }
    let fileName = machine.map { "variants-\($0).svg" } ?? VariantsChart.fileName
    guard !comparison.groups.isEmpty else { return section([.paragraph(["No figures were recorded."])]) }
    let grid = VariantGrid(result.variants)
    let scenario = result.first.scenario
    let drawings =
      comparison.axis.map { AxisChart.drawings(comparison, over: $0, scenario: scenario, fileName: fileName) }
      ?? VariantsChart.drawings(comparison, scenario: scenario, fileName: fileName)
    let figures = grid.map { grids(in: $0) } ?? [.drawings(drawings)]
    let details = comparison.groups.flatMap { group in
      // A grid has the figures of the tables.
      (grid == nil ? tables(of: group) : []) + operations(of: group)
    }
    return section(
      [.paragraph([explanation(hasGrid: grid != nil)])] + figures + figuresWithoutDifference
        + [.drawings(VariantTimelinesChart.drawings(result)), .drawings(LatencyCurvesChart.drawings(result))] + details
        + [.paragraph([remarks])]
    )
  }

  private func explanation(hasGrid: Bool) -> ReportText {
    var text: ReportText = "Each variant ran once, so the spread of the figures is unknown."
    if result.repetitions > 1 {
      text =
        "A figure is the median over the repetitions; a percentile is computed over all repetitions. In brackets: the "
        + "lowest and the highest value of a repetition."
    }
    guard result.variants.count > 1 else { return text }
    if hasGrid { text += " A figure in which no two variants differ is not drawn." }
    return text + EffectEstimate.explanation(to: "the first variant", repetitions: result.repetitions) + chance
  }

  /// The number of ratios that differ by chance, because each is judged alone; empty if none is judged.
  private var chance: ReportText {
    let ratios = comparison.shownColumns.count * (result.variants.count - 1)
    guard result.repetitions >= EffectEstimate.fewestPairs, ratios > 0 else { return "" }
    let expected = Quantity.number(Double(ratios) / 20)
    return
      " If all variants were equal, \(expected) of \(Quantity.count(ratios, of: "ratio")) would be bold by chance."
  }

  // MARK: Grids

  /// A grid for each figure that differs between variants, or may differ.
  private func grids(in grid: VariantGrid) -> [ReportBlock] {
    let options = comparison.shownColumns.filter { comparison.isDrawn($0.column) }.map { shown in
      ReportChoice.Option(
        title: shown.group.title(of: shown.column),
        table: grid.table(of: shown.column),
        remark: remark(shown.column.better)
      )
    }
    return options.isEmpty ? [] : [.choice(ReportChoice(label: "Figure", options: options))]
  }

  /// The meaning of the shades of a grid.
  private func remark(_ better: BetterValues?) -> ReportText {
    switch better {
    case .lower: "The stronger the colour, the lower the value, which is better."
    case .higher: "The stronger the colour, the higher the value, which is better."
    case nil: "The stronger the colour, the higher the value."
    }
  }

  // MARK: Figures without a difference

  /// A folded table of the figures in which no two variants differ.
  private var figuresWithoutDifference: [ReportBlock] {
    let equal = comparison.shownColumns.filter { comparison.differs($0.column) == false }
    guard !equal.isEmpty else { return [] }
    var table = ReportTable(names: ["figure"], numbers: ["lowest", "highest"])
    for (group, column) in equal {
      let known = column.figures.compactMap { $0 }
      table.append([
        group.title(of: column), .text(column.unit.text(known.map(\.lowest).min() ?? 0)),
        .text(column.unit.text(known.map(\.highest).max() ?? 0)),
      ])
    }
    let title: ReportText =
      "\(Quantity.count(equal.count, of: "figure")) without a difference beyond the spread, not drawn"
    return [.details(title, table)]
  }

  // MARK: Tables

  private func tables(of group: ComparedGroup) -> [ReportBlock] {
    guard group.kind != .operation else { return [] }
    return [.paragraph(["\(strong: group.title)"])] + group.parts.map { .table(table(of: [$0])) }
  }

  /// A folded table of the operations of an actor that has several.
  private func operations(of group: ComparedGroup) -> [ReportBlock] {
    let operations = comparison.operations(of: group)
    guard !operations.isEmpty else { return [] }
    let title: ReportText = "Operations of actor \(code: group.owner ?? "") in \(code: group.phase)"
    return [.details(title, table(of: operations))]
  }

  /// A row for each variant of each group. The groups have the same columns.
  private func table(of groups: [ComparedGroup]) -> ReportTable {
    let isOfOperations = groups[0].kind == .operation
    var table = ReportTable(
      names: (isOfOperations ? ["operation"] : []) + [result.variantTitle],
      numbers: groups[0].columns.map { .text($0.title) }
    )
    for group in groups {
      for (index, variant) in result.variants.enumerated() {
        let cells = group.columns.map { column -> ReportText in
          guard let figure = column.figures[index] else { return .text(Quantity.missing) }
          let ratio = index == 0 ? nil : comparison.ratio(of: column, of: index)?.ratioText
          return .text(column.unit.text(figure.value)) + figure.range(column.unit) + (ratio ?? "")
        }
        table.append((isOfOperations ? [.code(group.operation ?? "")] : []) + [variant.title] + cells)
      }
    }
    return table
  }

  private var remarks: ReportText {
    var text: ReportText =
      "Response time counts from the intended start of a transaction, service time from its actual start."
    if comparison.groups.contains(where: { $0.kind == .connection }) {
      text +=
        " Cache counts cover objects and metadata: hits, misses and decoded values per operation of the "
        + "connection's own actors; values that were updated in place, copied, dropped, or read and "
        + "decoded again after they were dropped, per commit of any connection. "
        + "The reads of invariants that check caches are included: up to a hundred checks per second and worker."
    }
    if comparison.groups.contains(where: { $0.kind == .reads }) {
      text +=
        " The times of reads by outcome are service times: \(code: "hit") reads are answered by the connection's "
        + "caches, and a \(code: "reread") decodes a row whose cached value was dropped because another connection had "
        + "changed it."
    }
    return text
  }
}

extension ComparedGroup {
  /// The reads of each operation, because a table of all would be too wide; otherwise the group itself.
  fileprivate var parts: [ComparedGroup] {
    guard kind == .reads else { return [self] }
    return columns.map(\.operation).withoutDuplicates.map { operation in
      var part = self
      part.columns = columns.filter { $0.operation == operation }
      return part
    }
  }

  /// Returns the name of a figure outside of the group's table.
  func title(of column: Column) -> ReportText {
    kind == .headline ? .text(column.title) : title + ": " + .text(column.title)
  }

  fileprivate var title: ReportText {
    switch kind {
    case .headline: ""
    case .actor: "Actor \(code: owner ?? "") in \(code: phase)"
    case .operation: "Operation \(code: operation ?? "") of \(code: owner ?? "") in \(code: phase)"
    case .reads: "Reads of single rows by \(code: owner ?? "") in \(code: phase), by outcome in the cache"
    case .connection: "Caches of connection \(code: owner ?? "") in \(code: phase)"
    case .phase: "All of \(code: phase)"
    }
  }
}

extension VariantFigure {
  /// The lowest and the highest value of a repetition, such as `(11.9…13.0)`; empty with a single repetition. They have
  /// units if one of these differs from the figure's.
  func range(_ unit: FigureUnit) -> ReportText {
    guard ofRepetitions.count > 1, highest > 0 else { return "" }
    let texts = [lowest, highest].map(unit.text)
    let name = Self.unit(of: unit.text(value))
    let areAlike = texts.allSatisfy { Self.unit(of: $0) == name }
    return .line("(\((areAlike ? texts.map { String($0.dropLast(name.count)) } : texts).joined(separator: "…")))")
  }

  private static func unit(of quantity: String) -> Substring { quantity.drop { $0.isNumber || ".,-".contains($0) } }
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
