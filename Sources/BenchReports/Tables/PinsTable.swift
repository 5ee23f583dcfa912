internal import BenchModel

/// `pins.csv`: one row per sample and connection that has a snapshot pinned at that moment.
enum PinsTable {
  static let columns = [
    "run_id", "variant", "elapsed_s", "phase", "connection", "snapshot_age_commits", "snapshot_age_s", "pinned_s",
    "frames_alone",
    "bytes_alone",
    "pins_oldest",
  ]

  static func table(of runs: [RunResult]) -> CSVTable {
    var table = CSVTable(columns: columns)
    for run in runs { append(run, to: &table) }
    return table
  }

  private static func append(_ result: RunResult, to table: inout CSVTable) {
    for sample in result.samples {
      for connection in sample.connections {
        guard let pinned = connection.pinnedNanoseconds else { continue }
        table.append([
          .text(result.runID), .optional(result.variant), .seconds(nanoseconds: sample.elapsedNanoseconds),
          .text(sample.phase),
          .text(connection.name), .integer(connection.ageCommits),
          .seconds(nanoseconds: connection.ageNanoseconds), .seconds(nanoseconds: pinned),
          .integer(connection.framesHeldAlone), .integer(connection.framesHeldAlone * result.frameBytes),
          .boolean(sample.wal?.pinnedBy == connection.name),
        ])
      }
    }
  }
}
