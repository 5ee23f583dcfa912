internal import BenchDrivers
internal import BenchResults
internal import BenchScenario

/// Checks that the WAL is bounded: while frames are pinned, the engine names the connection; and once no snapshot is
/// pinned, a checkpoint and a commit bring the WAL below its limit.
struct WALBoundCheck {
  private let context: RunContext
  private let limitBytes: Int

  /// Returns nil if the run does not check the WAL, or if its engine has no limit.
  init?(_ context: RunContext) {
    guard context.invariants.contains(.boundedWAL), context.ledger != nil,
      let limitBytes = Drivers.walLimitBytes(context.scenario.engine)
    else { return nil }
    self.context = context
    self.limitBytes = limitBytes
  }

  /// Makes the checks at the end of a run, after the last bookmark has ended.
  /// - Parameter samples: the samples of the run.
  func run(_ samples: [EngineSample], _ checks: inout CheckCounts) throws {
    for sample in samples {
      guard let wal = sample.wal else { continue }
      checks.boundedWAL += 1
      if wal.heldFrames > 0, wal.pinnedBy == nil {
        report("\(wal.heldFrames) frames of the WAL were pinned, but no connection was named")
      }
    }
    let checkpoint = try context.database.checkpoint(.restart)
    try commit(&checks)
    guard let wal = context.database.observe()?.wal else { return }
    checks.boundedWAL += 1
    let bytes = wal.frames * context.database.frameBytes
    guard bytes > limitBytes else { return }
    report(
      "after the end of the last bookmark, a checkpoint (\(checkpoint.outcome)) and a commit, the WAL has \(bytes) "
        + "bytes; expected at most \(limitBytes)" + (wal.pinnedBy.map { "; connection \"\($0)\" pins it" } ?? "")
    )
  }

  /// Makes a commit that contains nothing but its ledger entry.
  private func commit(_ checks: inout CheckCounts) throws {
    guard let ledger = context.ledger else { return }
    let connection = try context.database.connect(.plain("WAL check", objectCache: false))
    let writer = LedgerConnection(ledger)
    var commit: UInt64 = 0
    _ = try connection.readWrite { transaction in
      commit = transaction.snapshot
      try writer.begin(transaction, isChecked: true, &checks)
      try writer.end(transaction, with: [], &checks)
    }
    context.acknowledge(commit)
  }

  private func report(_ what: String) { context.violations.report(.boundedWAL, what) }
}
