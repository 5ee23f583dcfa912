internal import BenchResults

/// The results of several runs in sentences: the values of the figures that were asked for, and where they differ.
struct ResultsSection {
  private static let mostSentences = 8
  /// With more variants, only the extreme values of a figure are stated.
  private static let mostValues = 4

  private let comparison: VariantComparison

  init(_ comparison: VariantComparison) { self.comparison = comparison }

  /// A list for each machine; nil if no figure was measured.
  static func section(of result: ScenarioResult) -> ReportSection? {
    guard !result.first.isSmoke else { return nil }
    let machines = result.byMachine
    let blocks = machines.flatMap { machine -> [ReportBlock] in
      let results = ResultsSection(VariantComparison(machine))
      guard !results.sentences.isEmpty else { return [] }
      let place: [ReportBlock] = machines.count > 1 ? [.paragraph(["On \(machine.first.machine):"])] : []
      let left: [ReportText] = results.left.map { ["\($0)"] } ?? []
      let sentences = results.sentences.map { "\(code: $0.figure): \($0.values)" as ReportText }
      let doubt = machine.variants.count > 1 ? EffectEstimate.doubt(about: machine.repetitions) : nil
      return place + [.list(sentences + left + walPeak(of: machine) + (doubt.map { [.text($0)] } ?? []))]
    }
    return blocks.isEmpty ? nil : ReportSection(anchor: "results", title: nil, blocks: blocks, isLead: true)
  }

  /// Returns the range of the peaks of the WAL in all runs, and who held it; nothing without a WAL.
  private static func walPeak(of result: ScenarioResult) -> [ReportText] {
    let peaks = result.runs.compactMap(HeldPeak.init)
    guard let lowest = peaks.map(\.bytes).min(), let highest = peaks.map(\.bytes).max() else { return [] }
    let sizes = [lowest, highest].map(Quantity.bytes).withoutDuplicates.joined(separator: " to ")
    let holders = peaks.map(\.holder.plain).withoutDuplicates.joined(separator: ", or by ")
    return [.text("WAL peak: \(sizes), held by \(holders)")]
  }

  /// The first figures that were asked for with their values, in plain text.
  var sentences: [(figure: String, values: String)] {
    comparison.headline.columns.prefix(Self.mostSentences).compactMap { column in
      column.id.map { ($0.description, values(of: column)) }
    }
  }

  /// The number of figures without a sentence; nil if there is none.
  var left: String? {
    let count = comparison.headline.columns.count - Self.mostSentences
    return count > 0 ? "\(Quantity.count(count, of: "figure")) more in the table" : nil
  }

  private func values(of column: ComparedGroup.Column) -> String {
    let known = column.figures.indices.compactMap { index in column.figures[index].map { (index: index, figure: $0) } }
    guard let first = known.first else { return "not measured" }
    guard comparison.variants.count > 1 else {
      return text(of: first.figure, column) + spread(of: first.figure, column)
    }
    if let axis = comparison.axis { return course(of: column, over: axis) + doubt(about: column) }
    guard known.count > Self.mostValues else {
      return known.map { "\(label($0.index)) \(text(of: $0.figure, column))\(ratio(of: column, $0.index))" }
        .joined(separator: ", ") + doubt(about: column)
    }
    let lowest = known.min { $0.figure.value < $1.figure.value } ?? first
    let highest = known.max { $0.figure.value < $1.figure.value } ?? first
    return "lowest \(text(of: lowest.figure, column)) with \(label(lowest.index)), highest "
      + "\(text(of: highest.figure, column)) with \(label(highest.index))" + doubt(about: column)
  }

  /// Such as `8.2 ms → 42 ms → 101 ms for commits 50, 500, 2k (×12.3)`.
  private func course(of column: ComparedGroup.Column, over axis: VariantAxis) -> String {
    let known = axis.order.compactMap { index in column.figures[index].map { (index: index, figure: $0) } }
    guard let first = known.first, let last = known.last, known.count > 1 else {
      return known.first.map { "\(text(of: $0.figure, column)) with \(label($0.index))" } ?? "not measured"
    }
    let isShort = known.count <= Self.mostValues
    let shown = isShort ? known : [first, last]
    let labels = shown.map { label($0.index) }
    var course = shown.map { text(of: $0.figure, column) }.joined(separator: " → ") + " for \(axis.key) "
    course += isShort ? labels.joined(separator: ", ") : "from \(labels.joined(separator: " to "))"
    if first.figure.value > 0 { course += " (×\(Quantity.threeDigits(last.figure.value / first.figure.value)))" }
    guard !isShort else { return course }
    let ends = [first.figure.value, last.figure.value].sorted()
    let lowest = known.min { $0.figure.value < $1.figure.value } ?? first
    let highest = known.max { $0.figure.value < $1.figure.value } ?? last
    if lowest.figure.value < ends[0] {
      course += ", lowest \(text(of: lowest.figure, column)) at \(label(lowest.index))"
    }
    if highest.figure.value > ends[1] {
      course += ", highest \(text(of: highest.figure, column)) at \(label(highest.index))"
    }
    return course
  }

  private func label(_ variant: Int) -> String { comparison.variants[variant].label }

  private func text(of figure: VariantFigure, _ column: ComparedGroup.Column) -> String {
    column.unit.text(figure.value)
  }

  /// The lowest and the highest value of a repetition, such as ` (11.9 ms to 13.0 ms)`.
  private func spread(of figure: VariantFigure, _ column: ComparedGroup.Column) -> String {
    figure.ofRepetitions.count > 1
      ? " (\(column.unit.text(figure.lowest)) to \(column.unit.text(figure.highest)))" : ""
  }

  /// The ratio to the first variant; empty for that one, and for a ratio that is not distinguished from 1.
  private func ratio(of column: ComparedGroup.Column, _ variant: Int) -> String {
    guard variant > 0, let estimate = comparison.ratio(of: column, of: variant), estimate.differs != false else {
      return ""
    }
    return " (×\(Quantity.threeDigits(estimate.ratio)))"
  }

  /// The remark on a figure in which no two variants differ.
  private func doubt(about column: ComparedGroup.Column) -> String {
    comparison.differs(column) == false ? "; no difference beyond the spread" : ""
  }
}
