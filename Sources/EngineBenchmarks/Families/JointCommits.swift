internal import YapEngine

/// P18: many connections that write concurrently, with each commit synced.
enum JointCommits: BenchmarkFamily {
  static let targets: Set = [18]

  static func run(on bench: Workbench) throws {
    let store = try bench.engine(.synchronous(.full))
    let dataset = bench.dataset
    let connections = try (0..<bench.scale.writers).map { _ in try store.database.newConnection() }
    let cursors = connections.indices.map { number in
      RowCursor(dataset.order("writer \(number)") { Int($0) % connections.count == number })
    }
    var done = 0
    let together = Contestant(store.name, .fixed(bench.scale.writerCommits)) { commits in
      let first = done
      let work = cursors.map { $0.take(commits) }
      let bodies = zip(connections, work).map { connection, rows in
        { @Sendable () throws -> Int in
          for (place, row) in rows.enumerated() {
            try EngineStore.commit([row], fresh: first + place, on: connection, dataset)
          }
          return rows.count
        }
      }
      let (written, took) = try ThreadCrew.run(bodies)
      done += commits
      for rows in work {
        let stamp = try store.readTogether(rows.suffix(1))
        try BenchmarkError.check(stamp, is: Dataset.freshStamp(done - 1), "the row that a writer changed last")
      }
      return Double(took) / Double(written)
    }
    try bench.measure(
      Trial(
        name: "1 row, FULL, many writers",
        contestants: [together, .updates(bench.raw(synchronous: .full), dataset.order("written"))],
        // The figures are nanoseconds per commit, so the inverse quotient is the ratio of commits per second.
        answers: [ClaimID(18, "rate"): .ratio(of: ContestantName.raw, to: ContestantName.engine)],
        waitsForDisk: true
      )
    )
  }
}
