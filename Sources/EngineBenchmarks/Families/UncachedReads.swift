internal import CRawSQLite

/// P4 and P5: rows that come by once in 100,000, through a cache with its usual 250 places that never has them.
enum UncachedReads: BenchmarkFamily {
  static let targets: Set = [4, 5]

  static func run(on bench: Workbench) throws {
    let stores: [any RowStore] = try [bench.engine(), bench.raw(), bench.raw(CRAW_NUMBERED)] + bench.grdb()
    let rows = bench.dataset.order("uncached")
    for (target, together) in [(4, true), (5, false)] {
      try bench.measure(
        Trial(
          name: together ? "row not cached, one transaction" : "row not cached, a transaction each",
          contestants: stores.map { .reads($0, rows, together: together) },
          answers: [
            ClaimID(target, "raw"): .ratio(of: ContestantName.engine, to: ContestantName.raw),
            ClaimID(target, "table"): .ratio(of: ContestantName.engine, to: ContestantName.table),
            ClaimID(target, "grdb"): .ratio(of: ContestantName.grdb, to: ContestantName.engine),
          ]
        )
      )
    }
  }
}
