internal import ThreadingPrimitives
internal import YapEngine

/// P17: the slowest commits of 100 rows while checkpoints, with their syncs, run beside them.
enum CheckpointTails: BenchmarkFamily {
  static let targets: Set = [17]

  static func run(on bench: Workbench) throws {
    let engine = try bench.engine(.synchronous(.normal))
    let raw = try bench.raw(synchronous: .normal)
    let rows = bench.dataset.order("written")
    let commits = bench.scale.tailCommits
    try bench.measure(
      Trial(
        name: "100 rows, NORMAL, p99 / p50",
        contestants: [
          tail(engine.name, rows, commits) { rows, fresh in
            try stride(from: 0, to: rows.count, by: 100).map { start in
              let begun = MonotonicClock.now
              try engine.commit(rows[start..<start + 100], fresh: fresh + start)
              return MonotonicClock.now - begun
            }
          },
          tail(raw.name, rows, commits) { try raw.timedUpdate($0, rowsEach: 100, fresh: $1) },
        ],
        answers: [
          ClaimID(17, "tail"): .value(of: ContestantName.engine), ClaimID(17, "raw"): .value(of: ContestantName.raw),
        ],
        waitsForDisk: true,
        unit: .ratio
      )
    )
  }

  /// - Parameter update: Changes rows, 100 in a transaction, and returns the duration of each transaction.
  private static func tail(
    _ name: String,
    _ rows: [UInt32],
    _ commits: Int,
    _ update: @escaping ([UInt32], _ fresh: Int) throws -> [UInt64]
  ) -> Contestant {
    let cursor = RowCursor(rows)
    var done = 0
    return Contestant(name, .fixed(commits)) { commits in
      let times = try update(cursor.take(commits * 100), done).sorted()
      done += commits * 100
      return Double(times[times.count * 99 / 100]) / Double(max(times[times.count / 2], 1))
    }
  }
}
