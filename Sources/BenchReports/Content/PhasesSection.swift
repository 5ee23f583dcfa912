internal import BenchResults

/// The recorded phases of a run side by side: the figures of the actors that several of them have, and their storage.
enum PhasesSection {
  /// - Returns: nil unless an actor has transactions in several recorded phases.
  static func section(of result: RunResult) -> ReportSection? {
    let phases = result.phases.filter(\.isRecorded).map { (name: $0.name, figures: result.figures(of: $0)) }
    let actors = phases.flatMap { result.actors(in: $0.name) }
    let common = actors.withoutDuplicates.filter { name in actors.count { $0 == name } > 1 }
    guard !common.isEmpty else { return nil }
    var table = ReportTable(
      names: ["of", "figure"],
      numbers: phases.map { .code($0.name) },
      isAlwaysOpen: true
    )
    for name in common {
      let actors = phases.compactMap { phase in phase.figures.phase.actor(name).map { ($0, phase.figures.phase) } }
      for (index, figure) in (actors.first.map(HeadlineFigures.figures) ?? []).enumerated() {
        append(figure, of: index == 0 ? .code(name) : "", phases, to: &table)
      }
    }
    append(FigureID(.walBytes, .max, of: FigureScope("")), of: "all", phases, to: &table)
    append(FigureID(.snapshotAgeCommits, .max, of: FigureScope("")), of: "", phases, to: &table)
    return ReportSection(anchor: "phases", title: "Phases side by side", blocks: [.table(table)])
  }

  /// Appends a figure in all phases, unless none has it.
  private static func append(
    _ figure: FigureID,
    of owner: ReportText,
    _ phases: [(name: String, figures: PhaseFigures)],
    to table: inout ReportTable
  ) {
    let values = phases.map { phase -> Double? in
      var own = figure
      own.scope.phase = phase.name
      return phase.figures.value(of: own)
    }
    guard values.contains(where: { $0 != nil }) else { return }
    let cells = values.map { ReportText.text($0.map(figure.unit.text) ?? Quantity.missing) }
    table.append([owner, .text(figure.title)] + cells)
  }
}
