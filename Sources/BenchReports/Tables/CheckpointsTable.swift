internal import BenchModel

/// `checkpoints.csv`: the checkpoint ledger, one row per attempt.
enum CheckpointsTable {
  static let columns = [
    "run_id", "variant", "number", "elapsed_s", "phase", "mode", "cause", "wait_ns", "duration_ns", "frames_in_wal",
    "frames_copied", "frames_left", "bytes_copied", "outcome", "pinned_by", "lane_ns", "overlapping_commits",
    "stalled_writers", "syncs",
  ]

  static func table(of runs: [RunResult]) -> CSVTable {
    var table = CSVTable(columns: columns)
    for run in runs { append(run, to: &table) }
    return table
  }

  private static func append(_ result: RunResult, to table: inout CSVTable) {
    for checkpoint in result.checkpoints {
      table.append([
        .text(result.runID), .optional(result.variant), .integer(checkpoint.number),
        .seconds(nanoseconds: checkpoint.elapsedNanoseconds), .text(checkpoint.phase), .text(checkpoint.mode),
        .text(checkpoint.cause),
        .unsigned(checkpoint.waitNanoseconds), .unsigned(checkpoint.durationNanoseconds),
        .integer(checkpoint.framesInWAL), .integer(checkpoint.framesCopied), .integer(checkpoint.framesLeft),
        .integer(checkpoint.bytesCopied), .text(checkpoint.outcome.rawValue), .optional(checkpoint.pinnedBy),
        .unsigned(checkpoint.laneNanoseconds), .integer(checkpoint.overlappingCommits),
        .integer(checkpoint.stalledWriters),
        checkpoint.syncs.map { .integer($0) } ?? .missing,
      ])
    }
  }
}
