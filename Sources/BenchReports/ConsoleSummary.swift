package import BenchResults

/// The lines that `run` prints after the runs of a scenario. The path of the report is not among them.
package enum ConsoleSummary {
  package static func lines(_ result: ScenarioResult) -> [String] {
    result.isSingle ? lines(result.first) + exclusions(result) : linesOfVariants(result)
  }

  private static func linesOfVariants(_ result: ScenarioResult) -> [String] {
    let verdict = result.verdict
    var lines = ["\(verdict.word): \(InertText.line(verdict.headline)) (exit \(verdict.exitCode.rawValue))"]
    lines += verdict.furtherReasons.prefix(shownReasons).map { "  - " + InertText.line($0) }
    let left = verdict.furtherReasons.count - shownReasons
    if left > 0 { lines.append("  - \(Quantity.count(left, of: "reason")) more in the report") }
    if result.first.isSmoke { lines.append("smoke runs: their figures are not measurements") }
    if let partial = result.partialText { lines.append("partial: \(partial)") }
    let machines = result.byMachine
    for machine in machines {
      if machines.count > 1 { lines.append(InertText.line("on \(machine.first.machine):")) }
      let comparison = VariantComparison(machine)
      if !result.first.isSmoke { lines += results(comparison) }
      lines += Self.comparison(comparison)
    }
    lines += exclusions(result)
    lines += result.variantExpectations.map { expectation in
      let variants = "\(expectation.variant) to \(expectation.otherVariant)"
      return InertText.line(
        "\(expectation.outcome.word.padded(to: 12))\(expectation.source)  \(variants): \(expectation.ratioText)"
      )
    }
    lines += ShortPhase(in: result.runs).map { [InertText.line($0.headline)] } ?? []
    lines += DroppedArrivals(in: result.runs).map { [InertText.line($0.headline)] } ?? []
    lines += excess(result.runs)
    lines.append(invariants(result.invariants))
    if verdict.exitCode != .measurementInvalid, !result.first.isSmoke {
      lines += DisturbedPercentiles(in: result.runs).map { ["disturbance: \($0.headline); see the report"] } ?? []
    }
    return lines
  }

  private static let shownReasons = 5

  private static func results(_ comparison: VariantComparison) -> [String] {
    let results = ResultsSection(comparison)
    let left = results.left.map { ["\($0) of the report"] } ?? []
    return results.sentences.map { InertText.line("\($0.figure): \($0.values)") } + left
  }

  /// Returns a heading for each actor in each recorded phase, and below it a line with the figures of each variant.
  private static func comparison(_ comparison: VariantComparison) -> [String] {
    comparison.groups.filter { $0.kind == .actor }.flatMap { group -> [String] in
      let labels = comparison.variants.map { InertText.line($0.label) }
      let width = labels.map(\.count).max() ?? 0
      return ["\(InertText.line(group.phase))/\(InertText.line(group.owner ?? "")):"]
        + labels.enumerated().map { index, label in
          let figures = group.columns.map { column in
            "\(column.title) " + (column.figures[index].map { column.unit.text($0.value) } ?? Quantity.missing)
          }
          return "  " + label.padded(to: width) + (width > 0 ? "  " : "") + figures.joined(separator: ", ")
        }
    }
  }

  /// Returns a line for each driver of a comparison with the parts of the scenario that it lacks.
  private static func exclusions(_ result: ScenarioResult) -> [String] {
    guard let engines = result.engines else { return [] }
    return engines.drivers.compactMap { driver in
      let subjects = engines.exclusions(of: driver).map(\.subject)
      return subjects.isEmpty ? nil : InertText.line("not compared, \(driver): \(subjects.joined(separator: "; "))")
    }
  }

  private static func lines(_ result: RunResult) -> [String] {
    let verdict = result.verdict
    var lines = ["\(verdict.word): \(InertText.line(verdict.headline)) (exit \(verdict.exitCode.rawValue))"]
    lines += result.verdict.furtherReasons.map { "  - " + InertText.line($0) }
    if result.isSmoke { lines.append("smoke run: its figures are not measurements") }
    if result.isPartial { lines.append("partial: the run ended early") }
    lines += expectations(result)
    lines += wal(result)
    lines += ShortPhase(in: [result]).map { [InertText.line($0.headline)] } ?? []
    lines += DroppedArrivals(in: [result]).map { [InertText.line($0.headline)] } ?? []
    lines += excess([result])
    lines += events(result)
    lines.append(invariants(result.invariants))
    return lines + disturbances(result)
  }

  /// Returns a line for each disturbance that is no reason of the verdict; none for a smoke run, which measures
  /// nothing.
  private static func disturbances(_ result: RunResult) -> [String] {
    if result.isSmoke { return [] }
    let reasons = Set(result.verdict.reasons)
    let signs = result.harness.distrust.filter { !reasons.contains($0) }.map { InertText.line($0) }
    let waits = result.isInvalid ? nil : DisturbedPercentiles(in: [result])?.headline
    return (signs + [waits].compactMap { $0 }).map { "disturbance: " + $0 }
  }

  private static func expectations(_ result: RunResult) -> [String] {
    let sources = result.expectations.map { InertText.line($0.source) }
    let width = sources.map(\.count).max() ?? 0
    return zip(result.expectations, sources).map { expectation, source in
      let state = result.state(of: expectation).word.padded(to: 8)
      let limit = expectation.isLimitMeasured ? ", limit \(InertText.line(expectation.limit))" : ""
      let margin = expectation.distanceFromLimit == nil ? "" : " (\(expectation.marginText))"
      return "\(state)\(source.padded(to: width))  measured \(InertText.line(expectation.measured))\(limit)\(margin)"
    }
  }

  private static func wal(_ result: RunResult) -> [String] {
    guard let highest = result.sampledWALMaximumBytes else { return [] }
    let grown = "WAL peak \(Quantity.bytes(highest))"
    let blame = result.blame
    // The parts of the WAL are measured only in recorded phases with at least two samples.
    guard blame.walByteSeconds > 0 else { return [grown + "; its parts were not measured"] }
    let worst = blame.connections.max { $0.aloneByteSeconds < $1.aloneByteSeconds }
    guard let worst, worst.aloneByteSeconds > 0 else { return [grown + "; no connection alone kept any of it"] }
    return [
      "\(grown); \"\(InertText.line(worst.name))\" alone kept \(Quantity.byteSeconds(worst.aloneByteSeconds)) "
        + "(\(Quantity.percent(worst.aloneByteSeconds, of: blame.walByteSeconds))), longest pin "
        + "\(Quantity.duration(nanoseconds: worst.longestPinNanoseconds)), "
        + "max lag \(Quantity.count(worst.maximumAgeCommits, of: "commit"))"
    ]
  }

  /// Returns a line on the run with the highest peak of those whose WAL stayed far above its limit; empty without one.
  private static func excess(_ runs: [RunResult]) -> [String] {
    let found = runs.compactMap(\.walExcess)
    guard let largest = found.max(by: { $0.peakBytes < $1.peakBytes }) else { return [] }
    let others = runs.count > 1 ? " (the largest; \(found.count) of \(runs.count) runs had such a WAL)" : ""
    return [InertText.line(largest.headline + others)]
  }

  /// Returns a line for each event that did not succeed.
  private static func events(_ result: RunResult) -> [String] {
    let events = result.phases.flatMap { phase in phase.events.map { (phase: phase.name, event: $0) } }
    return events.filter { $0.event.outcome != .done }.map { phase, event in
      let outcome =
        switch event.outcome {
        case .done, .failed: "failed" + (event.detail.isEmpty ? "" : ": \(event.detail)")
        case .notReached: "was not reached"
        case .unfinished: "did not finish"
        }
      return InertText.line("event \(event.text) in \(phase) \(outcome)")
    }
  }

  private static func invariants(_ invariants: [InvariantResult]) -> String {
    guard !invariants.isEmpty else { return "invariants: none requested" }
    guard invariants.contains(where: { $0.checks > 0 || !$0.violations.isEmpty }) else {
      return "invariants: none was checked"
    }
    let states = invariants.map { invariant in
      let name = InertText.line(invariant.name)
      if !invariant.violations.isEmpty { return "\(name) VIOLATED" }
      return invariant.checks == 0 ? "\(name) never checked" : "\(name) ok (\(Quantity.count(invariant.checks)))"
    }
    return "invariants: " + states.joined(separator: ", ")
  }
}

extension String {
  /// The string, filled up with spaces to `width` characters; a longer string is unchanged.
  package func padded(to width: Int) -> String { self + String(repeating: " ", count: max(width - count, 0)) }
}

/// Rows of text with aligned columns. The last cell of each row is not padded.
package enum AlignedColumns {
  package static func lines(_ rows: [[String]]) -> [String] {
    var widths: [Int] = []
    for row in rows {
      for (column, cell) in row.enumerated() {
        if column == widths.count { widths.append(0) }
        widths[column] = max(widths[column], cell.count)
      }
    }
    return rows.map { row in
      row.enumerated().map { column, cell in
        column == row.count - 1 ? cell : cell.padded(to: widths[column])
      }.joined(separator: "  ")
    }
  }
}
