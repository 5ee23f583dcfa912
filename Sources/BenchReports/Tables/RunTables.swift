internal import BenchResults
internal import LatencyMetrics

/// `summary.csv`: one row per run, phase, actor, operation and time kind.
enum SummaryTable {
  static let columns = [
    "variant", "repetition", "phase", "is_recorded", "actor", "operation", "kind", "count", "rate_per_s", "mean_ns",
    "p50_ns", "p90_ns", "p95_ns", "p99_ns", "p99_9_ns", "p99_99_ns", "max_ns",
  ]

  static func table(of runs: [RunResult]) -> CSVTable {
    var table = CSVTable(columns: columns)
    for run in runs {
      for latency in run.latencies {
        let histogram = latency.histogram
        var row: [CSVTable.Cell] = [
          .optional(run.variant), .integer(run.repetition), .text(latency.phase.name),
          .boolean(latency.phase.isRecorded), .text(latency.actor), .text(latency.operation),
          .text(latency.kind.rawValue), .integer(histogram.count),
          latency.ratePerSecond.map(CSVTable.Cell.decimal) ?? .missing,
        ]
        // Without durations the cells are blank, not 0.
        row.append(histogram.isEmpty ? .missing : .decimal(histogram.mean))
        row += Percentile.all.map { histogram.value(at: $0).map(CSVTable.Cell.unsigned) ?? .missing }
        row.append(histogram.isEmpty ? .missing : .unsigned(histogram.maximum))
        table.append(row)
      }
    }
    return table
  }
}

/// `pins.csv`: one row per sample and connection that has a snapshot pinned at that moment.
enum PinsTable {
  static let columns = [
    "run_id", "variant", "elapsed_s", "phase", "connection", "snapshot_age_commits", "snapshot_age_s", "pinned_s",
    "frames_alone", "bytes_alone", "pins_oldest",
  ]

  static func table(of runs: [RunResult]) -> CSVTable {
    var table = CSVTable(columns: columns)
    for run in runs {
      for sample in run.samples {
        // Without a WAL, the greatest age of a pinned snapshot.
        let greatestAge = sample.connections.filter { $0.pinnedNanoseconds != nil }.map(\.ageCommits).max()
        for connection in sample.connections {
          guard let pinned = connection.pinnedNanoseconds else { continue }
          table.append([
            .text(run.runID), .optional(run.variant), .seconds(nanoseconds: sample.elapsedNanoseconds),
            .text(sample.phase), .text(connection.name), .integer(connection.ageCommits),
            .seconds(nanoseconds: connection.ageNanoseconds), .seconds(nanoseconds: pinned),
            .integer(connection.framesHeldAlone), .integer(connection.framesHeldAlone * run.frameBytes),
            .boolean(sample.wal.map { $0.pinnedBy == connection.name } ?? (connection.ageCommits == greatestAge)),
          ])
        }
      }
    }
    return table
  }
}

/// `variants.csv`: one row per variant, phase, owner, operation and figure.
///
/// `value` is the median over the repetitions; for a percentile, the percentile of the repetitions' durations together.
/// `min` and `max` are over the repetitions; `ratio` is to the first variant, estimated over pairs of repetitions. Each
/// machine of merged shards has rows of its own.
enum VariantsTable {
  static let columns = [
    "variant", "phase", "connection_or_actor", "operation", "figure", "value", "min", "max", "repetitions", "ratio",
    "machine",
  ]

  static func table(of result: ScenarioResult) -> CSVTable {
    var table = CSVTable(columns: columns)
    for part in result.byMachine { append(VariantComparison(part), of: part.first.environment.machine, to: &table) }
    return table
  }

  private static func append(_ comparison: VariantComparison, of machine: String?, to table: inout CSVTable) {
    for group in comparison.groups + comparison.furtherGroups {
      for column in group.columns {
        for (index, variant) in comparison.variants.enumerated() {
          guard let figure = column.figures[index] else { continue }
          let ratio = comparison.ratio(of: column, of: index)
          table.append([
            .optional(variant.name), .text(group.phase), .optional(group.owner), .optional(group.operation),
            .text(column.name), .decimal(figure.value), .decimal(figure.lowest), .decimal(figure.highest),
            .integer(figure.ofRepetitions.count), ratio.map { .decimal($0.ratio) } ?? .missing, .optional(machine),
          ])
        }
      }
    }
  }
}
