import BenchResults

/// Checks the rows of a run's checkpoint ledger for consistency and for the limits of a checkpoint.
enum LedgerRows {
  /// - Parameters:
  ///   - pageSize: The bytes of a page.
  ///   - commits: The number of commits at the end of the run.
  ///   - written: The number of frames written to the WAL up to some time of the run, including the dataset's.
  static func faults(
    _ rows: [CheckpointResult],
    pageSize: Int,
    commits: Int,
    written: (frames: Int, elapsedNanoseconds: UInt64)
  ) -> [String] {
    var faults = rows.flatMap { row in
      broken(row, pageSize: pageSize).map { "row \(row.number): \($0)" }
    }
    for (row, next) in zip(rows, rows.dropFirst()) {
      if next.number != row.number + 1 { faults.append("row \(next.number) follows row \(row.number)") }
      // Checkpoints that began before the run have no time.
      if next.elapsedNanoseconds > 0, next.elapsedNanoseconds < row.elapsedNanoseconds + row.durationNanoseconds {
        faults.append("row \(next.number) began before the one before it had ended")
      }
    }
    let overlapping = rows.map(\.overlappingCommits).reduce(0, +)
    if overlapping > commits { faults.append("\(overlapping) of \(commits) commits were made beside checkpoints") }
    // No frame is copied twice.
    let copied = rows.filter { $0.elapsedNanoseconds + $0.durationNanoseconds <= written.elapsedNanoseconds }
      .map(\.framesCopied).reduce(0, +)
    if copied > written.frames { faults.append("\(copied) frames were copied of \(written.frames) that were written") }
    return faults
  }

  private static func broken(_ row: CheckpointResult, pageSize: Int) -> [String] {
    let (lane, overlapping, stalled) = (row.laneNanoseconds, row.overlappingCommits, row.stalledWriters)
    let isBeside = row.mode == "guarded"
    let isWhole = row.outcome == .complete || row.outcome == .reset
    let rules = [
      ("a checkpoint beside commits holds no lane, and another one does", isBeside == (lane == 0)),
      ("it is beside commits or it waits for the lane", !isBeside || row.waitNanoseconds == 0),
      ("the lane is held until its end", isBeside || lane == max(row.durationNanoseconds, 1)),
      ("nobody waits for one beside commits", !isBeside || stalled == 0),
      ("nobody commits while the lane is held", isBeside || overlapping == 0),
      ("the WAL begins anew only with the lane held", !isBeside || ![.reset, .gaveUp].contains(row.outcome)),
      ("counts are not negative", min(row.framesCopied, row.framesLeft, overlapping, stalled) >= 0),
      ("copied and left are no more than there is", row.framesCopied + row.framesLeft <= row.framesInWAL),
      ("a whole one leaves nothing", !isWhole || row.framesLeft == 0),
      ("a partial one leaves something", row.outcome != .partialPinned || row.framesLeft > 0),
      ("who is in the way leaves something to be done", row.pinnedBy == nil || !isWhole),
      ("bytes are of whole pages", row.bytesCopied >= 0 && row.bytesCopied.isMultiple(of: pageSize)),
      ("a frame is a page at most", row.bytesCopied <= row.framesCopied * pageSize),
      ("the WAL is synced once, and the database's file", !isBeside || 0...2 ~= row.syncs ?? -1),
      ("syncs are told", row.syncs ?? -1 >= 0),
    ]
    return rules.filter { !$0.1 }.map(\.0)
  }
}

extension LedgerRows {
  static func faults(_ result: RunResult) -> [String] {
    guard let last = result.samples.last, let writes = last.writes else {
      return ["nobody has counted what was written"]
    }
    return faults(
      result.checkpoints,
      pageSize: result.pageSizeBytes,
      commits: result.samples.map(\.commit).max() ?? 0,
      written: (writes.wal.bytes / (result.pageSizeBytes + 24), last.elapsedNanoseconds)
    )
  }
}
