internal import BenchResults
internal import LatencyMetrics

/// The inserts that loaded the dataset before the first phase.
enum LoadSection {
  /// - Returns: nil if nothing was loaded.
  static func section(of result: RunResult) -> ReportSection? { section(of: [(run: nil, result)]) }

  /// - Returns: a section with a row for each run; nil if nothing was loaded.
  static func section(of result: ScenarioResult) -> ReportSection? {
    section(of: result.runs.map { (run: .text(result.label(of: $0)), $0) })
  }

  private static func section(of runs: [(run: ReportText?, result: RunResult)]) -> ReportSection? {
    let loads = runs.compactMap { run, result in result.load.map { (run: run, load: $0) } }.filter { $0.load.rows > 0 }
    guard let first = loads.first else { return nil }
    var table = ReportTable(
      names: first.run == nil ? [] : ["run"],
      numbers: [
        "rows", "time", "rate", "insert mean", "p50", "p99", "p99.9", "max", "transactions", "transaction mean",
        "transaction max",
      ]
    )
    for (run, load) in loads {
      let (inserts, transactions) = (load.inserts, load.transactions)
      table.append(
        (run.map { [$0] } ?? []) + [
          .count(load.rows), .duration(load.nanoseconds), .text(Quantity.rate(perSecond: load.rowsPerSecond)),
          .duration(inserts.mean), .duration(inserts.value(at: .p50)), .duration(inserts.value(at: .p99)),
          .duration(inserts.value(at: .p999)), .duration(inserts.maximum), .count(transactions.count),
          .duration(transactions.mean), .duration(transactions.maximum),
        ]
      )
    }
    let remark: ReportText =
      "One thread inserts the rows, many in a transaction. The time and the rate include the commits and the "
      + "generation of the values; the time of an insert is that of its call, without the commit. \(Quantity.missing): "
      + "too few inserts for this percentile."
    let rates = loads.map(\.load.rowsPerSecond)
    let summary = [rates.min(), rates.max()].compactMap { $0.map(Quantity.rate(perSecond:)) }.withoutDuplicates
    return ReportSection(
      anchor: "load",
      title: "Loading the dataset",
      blocks: [.table(table), .explanation([remark])],
      folded: "\(Quantity.count(first.load.rows, of: "row")), \(summary.joined(separator: " to "))"
    )
  }
}

extension LoadResult {
  fileprivate var rows: Int { inserts.count }

  fileprivate var rowsPerSecond: Double { Double(rows) * 1e9 / Double(max(nanoseconds, 1)) }
}
