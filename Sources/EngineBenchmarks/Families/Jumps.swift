internal import ThreadingPrimitives
internal import YapEngine

/// P12: a bookmark moves over commits that changed rows cached by its connection.
enum Jumps: BenchmarkFamily {
  static let targets: Set = [12]

  static func run(on bench: Workbench) throws {
    let keys = bench.scale.jumpKeys
    let jumper = try Jumper(bench, cached: keys * 10)
    func jump(_ name: String, _ commits: Int, _ keys: Int) -> Contestant {
      Contestant(name, .fixed(commits * keys)) { changed in
        try Double(jumper.jump(over: commits, of: keys)) / Double(changed)
      }
    }
    try bench.measure(
      Trial(
        name: "jump over many keys",
        contestants: [
          jump("few commits", 10, keys), jump("some commits", 100, keys / 10), jump("many commits", 1_000, keys / 100),
          jump("a tenth", 10, keys / 10),
        ],
        answers: [
          ClaimID(12, "few"): .value(of: "few commits"), ClaimID(12, "some"): .value(of: "some commits"),
          ClaimID(12, "many"): .value(of: "many commits"),
          ClaimID(12, "linear"): .ratio(of: "some commits", to: "a tenth"),
        ]
      )
    )
    try bench.measure(
      Trial(
        name: "one jump and a thousand",
        contestants: [
          jump("one jump", 1_000, 1),
          Contestant("1,000 jumps", .fixed(1_000)) { commits in
            var took: UInt64 = 0
            for _ in 0..<commits { took += try jumper.jump(over: 1, of: 1) }
            return Double(took) / Double(commits)
          },
        ],
        answers: [ClaimID(12, "once"): .ratio(of: "1,000 jumps", to: "one jump")]
      )
    )
    // Measured last, because its remains in the heap would affect the jumps.
    try measureMemory(bench)
  }

  /// Measures the memory of commits that a bookmark has not passed yet.
  private static func measureMemory(_ bench: Workbench) throws {
    #if Jemalloc
      let store = try bench.engine()
      let bookmark = try store.database.newConnection(name: "bookmark")
      let rows = Array(bench.dataset.order("waiting").prefix(100))
      func waiting(_ name: String, of rows: [UInt32]) -> Contestant {
        Contestant(name, .fixed(bench.scale.waitingCommits)) { commits in
          try bookmark.beginLongLivedReadTransaction()
          let before = IdleConnections.allocatedBytes()
          for number in 0..<commits {
            let row = number % rows.count
            try store.commit(rows[row...row], fresh: number)
          }
          let bytes = IdleConnections.allocatedBytes() - before
          let jumped = try bookmark.endLongLivedReadTransaction()
          try BenchmarkError.check(jumped?.count ?? 0, is: commits, "commits behind the bookmark")
          return Double(bytes) / Double(commits)
        }
      }
      try bench.measure(
        Trial(
          name: "memory behind a bookmark",
          contestants: [waiting("one key", of: Array(rows.prefix(1))), waiting("100 keys", of: rows)],
          answers: [
            ClaimID(12, "memory"): .value(of: "one key"), ClaimID(12, "memory-keys"): .value(of: "100 keys"),
          ],
          unit: .bytes
        )
      )
    #endif
  }

  private final class Jumper {
    private let store: EngineStore
    private let bookmark: YapDatabaseConnection
    private let dataset: Dataset
    private let cursor: RowCursor
    private var done = 0

    init(_ bench: Workbench, cached: Int) throws {
      store = try bench.engine()
      dataset = bench.dataset
      bookmark = try store.database.newConnection(name: "bookmark")
      bookmark.objectCacheLimit = cached
      cursor = RowCursor(Array(dataset.order("jumped over").prefix(cached)))
      try bookmark.beginLongLivedReadTransaction()
    }

    /// - Returns: The duration of the jump in nanoseconds.
    func jump(over commits: Int, of keys: Int) throws -> UInt64 {
      let rows = cursor.take(commits * keys)
      // Makes the jump find every changed row in the cache.
      _ = try EngineStore.readTogether(rows, on: bookmark, dataset)
      for start in stride(from: 0, to: rows.count, by: keys) {
        try store.commit(rows[start..<start + keys], fresh: done + start)
      }
      let (jumped, took) = try RunQueue.timed { try bookmark.beginLongLivedReadTransaction() }
      done += rows.count
      try BenchmarkError.check(jumped.count, is: commits, "commits that the jump returns")
      let last = try EngineStore.readTogether(rows.suffix(1), on: bookmark, dataset)
      try BenchmarkError.check(last, is: Dataset.freshStamp(done - 1), "a row after the jump")
      return took
    }
  }
}
