internal import BenchResults
internal import YapEngine

/// Tables of more and more rows, or of larger and larger values.
enum TableGrowth {
  /// The engine's default limit of a connection's object cache.
  private static let cachedObjects = YapDatabaseConnectionDefaults().objectCacheLimit

  /// The number of rows of a table with large values. It exceeds the engine's object cache.
  static func valueRows(of size: Int) -> Int { max(cachedObjects + 50, min(10_000, (32 << 20) / size)) }

  /// Measures reads of rows that are not cached, reads of a few cached rows, and commits of one row.
  static func measure(_ dataset: Dataset, at size: Int, on bench: GrowthBench) throws {
    try bench.begin(size)
    let engine = try bench.engine(dataset)
    let table = try bench.table(dataset).stores[0]
    let rows = dataset.order("read")
    let stores: [any RowStore] = [engine, table]
    // Fill the engine's cache first: while it grows, each read also pays for the system's new pages of memory.
    _ = try engine.readEach(Array(rows.prefix(cachedObjects + 1)))
    try bench.measure(
      "row not cached, a transaction each",
      at: size,
      stores.map { .reads($0, rows, together: false) }
    )
    let hot = Array(rows.prefix(100))
    let cached = try engine.newClient(name: "cached")
    _ = try cached.readTogether(hot)
    try bench.measure(
      "cached row, a transaction each",
      at: size,
      [cachedReads(cached, hot), .reads(table, hot, together: false)]
    )
    let written = dataset.order("written")
    try bench.measure("commit of 1 row", at: size, stores.map { .updates($0, written) })
    try bench.removeStores()
  }

  private static func cachedReads(_ client: EngineClient, _ rows: [UInt32]) -> Contestant {
    let cursor = RowCursor(rows)
    return .timed(ContestantName.engine, prepare: cursor.take, body: client.readEach) { rows, sum in
      try BenchmarkError.check(sum, is: Dataset.initialSum(rows), "cached reads")
    }
  }
}

/// More and more connections, of which one is used. Each of the others has read once.
enum ConnectionsGrowth {
  static func run(_ sizes: [Int], on bench: GrowthBench) throws {
    for size in sizes {
      try bench.begin(size)
      let dataset = bench.dataset(rows: 10_000)
      let engine = try bench.engine(dataset)
      let rows = dataset.order("idle")
      let before = BuildTraits.allocatedBytes
      engine.keptClients = try (1..<max(size, 2)).map { _ in
        let client = try engine.newClient()
        _ = try client.readTogether(Array(rows.prefix(1)))
        return client
      }
      bench.addMemory(since: before, of: engine.keptClients.count, to: "memory of a connection", at: size)
      if size == 1 { engine.keptClients = [] }
      let handles = try bench.table(dataset, handles: size).stores
      for handle in handles { _ = try handle.readTogether(Array(rows.prefix(1))) }
      let stores: [any RowStore] = [engine, handles[0]]
      let read = dataset.order("read")
      try bench.measure(
        "row not cached, a transaction each",
        at: size,
        stores.map { .reads($0, read, together: false) }
      )
      let written = dataset.order("written")
      try bench.measure("commit of 1 row", at: size, stores.map { .updates($0, written) })
      try bench.removeStores()
    }
  }
}
