internal import YapEngine

/// P2 and P3: reads of rows that the engine has cached, compared with stores that have no cache.
enum CachedReads: BenchmarkFamily {
  static let targets: Set = [2, 3]

  static func run(on bench: Workbench) throws {
    let engine = try bench.engine()
    let others: [any RowStore] = try [bench.raw()] + bench.grdb()
    let rows = Array(bench.dataset.order("cached").prefix(bench.scale.cachedRows))
    engine.connection.objectCacheLimit = rows.count
    _ = try engine.readTogether(rows)
    var misses = try engine.objectCounters(of: engine.connection).misses
    func checkNoMiss() throws {
      let now = try engine.objectCounters(of: engine.connection).misses
      try BenchmarkError.check(now, is: misses, "reads that were not answered by the cache")
      misses = now
    }
    try bench.measure(
      Trial(
        name: "read of a cached row, a transaction each",
        contestants: [.reads(engine, rows, together: false, alsoCheck: checkNoMiss)]
          + others.map { .reads($0, rows, together: false) },
        answers: [
          ClaimID(2, "raw"): .ratio(of: ContestantName.engine, to: ContestantName.raw),
          ClaimID(2, "grdb"): .ratio(of: ContestantName.grdb, to: ContestantName.engine),
        ]
      )
    )
    let hot = Array(rows.prefix(bench.scale.hotRows))
    try bench.measure(
      Trial(
        name: "cached row in one transaction",
        contestants: [.reads(engine, hot, together: true, alsoCheck: checkNoMiss)]
          + others.map { .reads($0, [rows[0]], together: true) },
        answers: [
          ClaimID(3, "raw"): .ratio(of: ContestantName.engine, to: ContestantName.raw),
          ClaimID(3, "grdb"): .ratio(of: ContestantName.grdb, to: ContestantName.engine),
        ]
      )
    )
  }
}
