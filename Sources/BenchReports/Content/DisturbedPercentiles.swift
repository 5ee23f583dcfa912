internal import BenchResults
internal import HarnessPrimitives

/// The percentiles of runs that the workers' waits made more than 10 % longer.
struct DisturbedPercentiles {
  private struct Row {
    var phase: String
    var actor: String
    var figure: FigureID
    var measured: String
    var undisturbed: String
  }

  private var rows: [Row] = []
  /// The number of percentiles in disturbed phases.
  private var examined = 0
  private var disturbedRuns = 0
  private let runCount: Int

  /// nil if there is none.
  init?(in runs: [RunResult]) {
    runCount = runs.count
    for run in runs {
      let before = rows.count
      for phase in run.phases where phase.isRecorded && phase.disturbance != nil {
        add(run.figures(of: phase))
      }
      if rows.count > before { disturbedRuns += 1 }
    }
    if rows.isEmpty { return nil }
  }

  private mutating func add(_ figures: PhaseFigures) {
    for actor in figures.phase.actors {
      for metric in actor.load == .open ? [Metric.service, .response] : [.service] {
        for aggregate in [Aggregate.p50, .p99] {
          let figure = FigureID(metric, aggregate, of: FigureScope(figures.phase.name, actor: actor.name))
          guard let value = figures.value(of: figure) else { continue }
          examined += 1
          guard let undisturbed = figures.textWithoutWaits(of: figure) else { continue }
          rows.append(
            Row(
              phase: figures.phase.name,
              actor: actor.name,
              figure: figure,
              measured: figure.unit.text(value),
              undisturbed: undisturbed
            )
          )
        }
      }
    }
  }

  /// One line, without a period.
  var headline: String {
    let place = runCount > 1 ? " in \(disturbedRuns) of \(Quantity.count(runCount, of: "run"))" : ""
    return "waits that others may have caused made \(rows.count) of \(Quantity.count(examined, of: "percentile")) more "
      + "than \(Int(saturating: (100 * PhaseFigures.widestRange).rounded())) % longer\(place)"
  }

  /// A table of the percentiles with and without the waits.
  var table: ReportTable {
    var table = ReportTable(names: ["phase", "actor", "percentile"], numbers: ["measured", "without waits"])
    for row in rows {
      table.append([
        .code(row.phase), .code(row.actor), .text(row.figure.title),
        .text(row.measured), .text(row.undisturbed),
      ])
    }
    return table
  }
}

extension PhaseFigures {
  /// Returns the value that a disturbed figure may have had without the waits; nil if it is not disturbed.
  func textWithoutWaits(of figure: FigureID) -> String? {
    guard isDisturbed(figure), let value = value(of: figure), let range = undisturbedRange(of: figure) else {
      return nil
    }
    let other = range.lowerBound < value ? range.lowerBound : range.upperBound
    return other > 0 && other.isFinite ? figure.unit.text(other) : "unknown"
  }
}
