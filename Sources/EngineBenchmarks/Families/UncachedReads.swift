internal import CRawSQLite
internal import YapEngine

/// P4 and P5: reads of 100,000 rows in turn through a cache of the default 250 values, so that no row is cached.
enum UncachedReads: BenchmarkFamily {
  static let targets: Set = [4, 5]
  private static let mapped = "engine, mapped"

  static func run(on bench: Workbench) throws {
    var mapping = YapDatabaseOptions.synchronous(.off)
    mapping.mmapSize = 1 << 30
    let stores: [any RowStore] =
      try [bench.engine(), bench.raw(), bench.raw(CRAW_NUMBERED), bench.engine(mapping, name: mapped)] + bench.grdb()
    let rows = bench.dataset.order("uncached")
    for (target, together) in [(4, true), (5, false)] {
      try bench.measure(
        Trial(
          name: together ? "row not cached, one transaction" : "row not cached, a transaction each",
          contestants: stores.map { .reads($0, rows, together: together) },
          answers: [
            ClaimID(target, "raw"): .ratio(of: ContestantName.engine, to: ContestantName.raw),
            ClaimID(target, "table"): .ratio(of: ContestantName.engine, to: ContestantName.table),
            ClaimID(target, "mapped"): .ratio(of: mapped, to: ContestantName.raw),
            ClaimID(target, "grdb"): .ratio(of: ContestantName.grdb, to: ContestantName.engine),
          ]
        )
      )
    }
  }
}
