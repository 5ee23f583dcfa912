internal import BenchModel

/// `checkpoints.csv`: the checkpoint ledger, one row per attempt.
enum CheckpointsTable {
  static let columns = [
    "run_id", "number", "elapsed_s", "phase", "mode", "cause", "wait_ns", "duration_ns", "frames_in_wal",
    "frames_copied", "frames_left", "bytes_copied", "outcome", "pinned_by",
  ]

  static func table(of result: RunResult) -> CSVTable {
    var table = CSVTable(columns: columns)
    for checkpoint in result.checkpoints {
      table.append([
        .text(result.runID), .integer(checkpoint.number), .seconds(nanoseconds: checkpoint.elapsedNanoseconds),
        .text(checkpoint.phase), .text(checkpoint.mode), .text(checkpoint.cause),
        .unsigned(checkpoint.waitNanoseconds), .unsigned(checkpoint.durationNanoseconds),
        .integer(checkpoint.framesInWAL), .integer(checkpoint.framesCopied), .integer(checkpoint.framesLeft),
        .integer(checkpoint.bytesCopied), .text(checkpoint.outcome), .optional(checkpoint.pinnedBy),
      ])
    }
    return table
  }
}
