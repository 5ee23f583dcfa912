internal import CRawSQLite
internal import YapEngine

/// P1: the cost of a read transaction that reads nothing.
enum EmptyReads: BenchmarkFamily {
  static let targets: Set<TargetName> = [.engine(1)]

  static func run(on bench: Workbench) throws {
    let stores: [any RowStore] = try [bench.engine(), bench.raw()] + bench.grdb()
    try bench.measure(
      "empty read",
      stores.map { .emptyReads($0) },
      answers: [
        ClaimID(1, "raw"): .engineToRaw, ClaimID(1, "grdb"): .grdbToEngine, .instructions(.engine(1)): .engine,
      ]
    )
  }
}

/// P2 and P3: reads of rows that the engine has cached, compared with stores that have no cache.
enum CachedReads: BenchmarkFamily {
  static let targets: Set<TargetName> = [.engine(2), .engine(3)]

  static func run(on bench: Workbench) throws {
    let engine = try bench.engine()
    let others: [any RowStore] = try [bench.raw()] + bench.grdb()
    let rows = Array(bench.dataset.order("cached").prefix(bench.scale.cachedRows))
    engine.client.connection.objectCacheLimit = rows.count
    _ = try engine.readTogether(rows)
    var misses = try engine.objectCounters(of: engine.client).misses
    func checkNoMiss() throws {
      let now = try engine.objectCounters(of: engine.client).misses
      try BenchmarkError.check(now, is: misses, "reads that were not served from the cache")
      misses = now
    }
    try bench.measure(
      "read of a cached row, a transaction each",
      [.reads(engine, rows, together: false, alsoCheck: checkNoMiss)]
        + others.map { .reads($0, rows, together: false) },
      answers: [
        ClaimID(2, "raw"): .engineToRaw, ClaimID(2, "grdb"): .grdbToEngine, .instructions(.engine(2)): .engine,
      ]
    )
    let hot = Array(rows.prefix(bench.scale.hotRows))
    try bench.measure(
      "cached row in one transaction",
      [.reads(engine, hot, together: true, alsoCheck: checkNoMiss)]
        + others.map { .reads($0, [rows[0]], together: true) },
      answers: [ClaimID(3, "raw"): .engineToRaw, ClaimID(3, "grdb"): .grdbToEngine]
    )
  }
}

/// P4 and P5: reads of 100,000 rows in turn through a cache of the default 250 values, so that no row is cached.
enum UncachedReads: BenchmarkFamily {
  static let targets: Set<TargetName> = [.engine(4), .engine(5)]
  private static let plain = "engine, plain VFS"

  static func run(on bench: Workbench) throws {
    var options = YapDatabaseOptions.synchronous(.off)
    options.usesEngineVFS = false
    let stores: [any RowStore] =
      try [bench.engine(), bench.raw(), bench.raw(CRAW_NUMBERED), bench.engine(options, name: plain)] + bench.grdb()
    let rows = bench.dataset.order("uncached")
    for (target, together) in [(4, true), (5, false)] {
      try bench.measure(
        together ? "row not cached, one transaction" : "row not cached, a transaction each",
        stores.map { .reads($0, rows, together: together) },
        answers: [
          ClaimID(target, "raw"): .engineToRaw,
          ClaimID(target, "table"): .engineToTable,
          ClaimID(target, "plain"): .ratio(of: plain, to: ContestantName.raw),
          ClaimID(target, "grdb"): .grdbToEngine,
          .instructions(.engine(target)): .engine,
        ]
      )
    }
  }
}

/// P9: enumeration of every key and object of the collection.
enum Enumerations: BenchmarkFamily {
  static let targets: Set<TargetName> = [.engine(9)]
  private static let byIndex = "raw by its index"
  private static let borrowed = "engine, borrowed"

  static func run(on bench: Workbench) throws {
    let engine = try bench.engine()
    let raw = try bench.raw()
    let table = try bench.raw(CRAW_NUMBERED)
    let rows = UInt64(bench.dataset.rowCount)
    func scanning(_ name: String, _ scan: @escaping () throws -> (count: UInt64, sum: UInt64)) -> Contestant {
      .timed(name, .fixed(Int(rows)), prepare: { $0 }) { _ in
        try scan()
      } check: { _, found in
        try BenchmarkError.check(found.count, is: rows, "rows that \(name) enumerates")
        try BenchmarkError.check(found.sum, is: rows * (rows - 1) / 2, "the sum of the rows that \(name) enumerates")
      }
    }
    try bench.measure(
      "enumeration",
      [
        scanning(ContestantName.engine) { try engine.scan() },
        scanning(borrowed) { try engine.scanBorrowed() },
        scanning(ContestantName.raw) { try raw.scan(inTable: true) },
        scanning(byIndex) { try raw.scan(inTable: false) },
        scanning(ContestantName.table) { try table.scan(inTable: false) },
      ],
      answers: [
        ClaimID(9, "raw"): .engineToRaw,
        ClaimID(9, "borrowed"): .ratio(of: borrowed, to: ContestantName.raw),
        ClaimID(9, "index"): .ratio(of: ContestantName.engine, to: byIndex),
        ClaimID(9, "table"): .engineToTable,
        .instructions(.engine(9)): .engine,
      ]
    )
  }
}
