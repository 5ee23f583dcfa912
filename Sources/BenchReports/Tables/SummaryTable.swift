internal import BenchModel
internal import LatencyMetrics

/// `summary.csv`: one row per run, phase, actor, operation and time kind.
enum SummaryTable {
  static let columns = [
    "variant", "repetition", "phase", "is_recorded", "actor", "operation", "kind", "count", "rate_per_s", "mean_ns",
    "p50_ns",
    "p90_ns", "p95_ns", "p99_ns", "p99_9_ns", "p99_99_ns", "max_ns",
  ]

  static let percentiles = [50, 90, 95, 99, 99.9, 99.99]

  static func table(of runs: [RunResult]) -> CSVTable {
    var table = CSVTable(columns: columns)
    for run in runs { append(run, to: &table) }
    return table
  }

  private static func append(_ result: RunResult, to table: inout CSVTable) {
    for latency in result.latencies {
      let histogram = latency.histogram
      var row: [CSVTable.Cell] = [
        .optional(result.variant), .integer(result.repetition), .text(latency.phase.name),
        .boolean(latency.phase.isRecorded), .text(latency.actor), .text(latency.operation),
        .text(latency.kind.rawValue), .integer(histogram.count),
        latency.ratePerSecond.map(CSVTable.Cell.decimal) ?? .missing,
      ]
      if histogram.isEmpty {
        // No duration was measured, which is not one of 0.
        row += Array(repeating: .missing, count: percentiles.count + 2)
      } else {
        row.append(.decimal(histogram.mean))
        row += percentiles.map { .unsigned(histogram.value(atPercentile: $0)) }
        row.append(.unsigned(histogram.maximum))
      }
      table.append(row)
    }
  }
}
