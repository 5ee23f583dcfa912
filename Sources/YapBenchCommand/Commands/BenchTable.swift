internal import BenchReports
internal import BenchResults
internal import EngineBenchmarks

/// The table that `bench` prints.
enum BenchTable {
  static func lines(of report: BenchmarkReport) -> [String] {
    var rows = [["TARGET", "FIGURE", "LIMIT", "MEDIAN", "QUARTILES", "VERDICT"]]
    for result in report.results {
      let unit = result.claim.unit
      rows.append([
        "\(result.claim.id.target)",
        result.claim.what,
        result.claim.limitText,
        result.spread.map { unit.text($0.median) } ?? "-",
        result.spread.map {
          unit.text($0.lowerQuartile) + " – " + unit.text($0.upperQuartile)
        } ?? "-",
        result.verdict.word + (result.verdict.reason.map { ": \($0)" } ?? ""),
      ])
    }
    let times = report.trials.isEmpty ? [] : times(of: report) + [""]
    return AlignedColumns.lines(rows) + [""] + times + summary(of: report)
      + report.warnings.map { "warning: \($0)" }
  }

  /// The measured figures, from which ratios are computed. Figures of different sessions are not comparable.
  private static func times(of report: BenchmarkReport) -> [String] {
    var rows = [["MEDIAN PER OPERATION", ""]]
    for trial in report.trials {
      let figures = trial.figures.sorted { $0.key < $1.key }.compactMap { name, figures in
        Spread(figures).map { "\(name) \(trial.unit.text($0.median))" }
      }
      let probe = trial.medianProbe.map { ["append and sync \(FigureUnit.nanoseconds.text(Double($0)))"] } ?? []
      rows.append([trial.trial, (figures + probe).joined(separator: ", ")])
    }
    return AlignedColumns.lines(rows)
  }

  private static func summary(of report: BenchmarkReport) -> [String] {
    let counts = Verdict.Kind.allCases.compactMap { kind -> String? in
      let count = report.results.count { $0.verdict.kind == kind }
      return count > 0 ? "\(count) \(kind.rawValue)" : nil
    }
    return ["\(counts.joined(separator: ", ")); \(Quantity.count(report.rounds, of: "round")), seed \(report.seed)"]
  }
}

extension Claim {
  /// The limit with its unit.
  var limitText: String {
    switch limit {
    case .atMost(let most): "≤ " + unit.text(most)
    case .atLeast(let least): "≥ " + unit.text(least)
    case nil: "-"
    }
  }
}
