internal import BenchDrivers
internal import BenchResults
internal import YapEngine

/// More and more commits behind a bookmark. Each changes one of 1,000 rows, which the bookmark's connection has cached.
enum LagGrowth {
  /// The number of commits that take about as long as a few turns.
  private static let usual = 20_000
  /// The number of commits from which their memory exceeds the noise of other allocations.
  private static let leastForMemory = 1_000

  static func run(_ sizes: [Int], on bench: GrowthBench) throws {
    let dataset = bench.dataset(rows: 1_000, valueBytes: 16)
    var settings = YapDatabaseOptions.synchronous(.off)
    // The WAL grows until the bookmark moves, by two pages per commit.
    settings.pageSize = 512
    let engine = try bench.engine(dataset, settings)
    let bookmark = try engine.newClient(name: "bookmark")
    let rows = dataset.order("lag")
    bookmark.connection.objectCacheLimit = rows.count
    try bookmark.connection.beginLongLivedReadTransaction()
    var done = 0
    for size in sizes {
      try bench.begin(size)
      var jumps: [Double] = []
      var memory: [Double] = []
      // The first round is a warm-up if there are others.
      let rounds = bench.rounds(forOperations: size, inTurn: usual)
      for _ in 0..<(rounds > 1 ? rounds + 1 : 1) {
        _ = try bookmark.readTogether(rows)
        let before = BuildTraits.allocatedBytes
        for number in 0..<size {
          if number.isMultiple(of: 10_000) { try bench.throwIfInterrupted() }
          try engine.client.commit([rows[(done + number) % rows.count]], fresh: done + number)
        }
        done += size
        if let bytes = BuildTraits.memory(since: before, of: size) { memory.append(bytes) }
        let (jumped, took) = try RunQueue.timed { try bookmark.connection.beginLongLivedReadTransaction() }
        try BenchmarkError.check(jumped.count, is: size, "commits that the jump returns")
        jumps.append(Double(took) / Double(size))
      }
      bench.add(Array(jumps.suffix(rounds)), to: "jump, per commit", at: size, unit: .nanoseconds)
      if !memory.isEmpty, size >= leastForMemory {
        bench.add(Array(memory.suffix(rounds)), to: "memory, per commit", at: size, unit: .bytes)
      }
    }
  }
}

/// A WAL that grows behind a bookmark that does not move. C has no checkpoints, so that its WAL grows likewise.
enum WALGrowth {
  static func run(_ sizes: [Int], on bench: GrowthBench) throws {
    let dataset = bench.dataset(rows: 100_000)
    let engine = try bench.engine(dataset)
    let (tables, path) = try bench.table(dataset, autocheckpoint: 0)
    let table = tables[0]
    let bookmark = try engine.database.newConnection(name: "bookmark")
    let reader = try engine.newClient(name: "reader")
    let filling = [RowCursor(dataset.order("filled")), RowCursor(dataset.order("filled"))]
    var filled = [0, 0]
    // A bookmark in a database without a WAL would read the database file alone, and not pin the WAL.
    try engine.client.commit(filling[0].take(1)[...], fresh: 0)
    filled[0] = 1
    try bookmark.beginLongLivedReadTransaction()
    let updates = [engine as any RowStore, table].map { (store: any RowStore) in
      Contestant.updates(store, dataset.order("written"))
    }
    for size in sizes {
      try bench.begin(size)
      let rowsEach = max(1, min(1_000, size / 4_096 / 8))
      while engine.database.statistics.walBytes < size {
        try engine.client.commit(filling[0].take(rowsEach)[...], fresh: filled[0])
        filled[0] += rowsEach
      }
      while DatabaseFiles.bytes(at: path, suffixes: ["-wal"]) < size {
        try table.update(filling[1].take(rowsEach), rowsEach: rowsEach, fresh: filled[1])
        filled[1] += rowsEach
      }
      let rows = dataset.order("read")
      try bench.measure(
        "row not cached, a transaction each",
        at: size,
        [
          reads(ContestantName.engine, of: rows, reader.readEach),
          reads(ContestantName.table, of: rows, table.readEach),
        ]
      )
      // Few commits, so that the WAL remains near its size.
      let commits = max(20, min(500, size / 4_096 / 20))
      try bench.measure(
        "commit of 1 row",
        at: size,
        updates.map { updates in Contestant(updates.name, .fixed(commits), measure: updates.measure) }
      )
    }
  }

  /// Creates a contestant that reads rows which were changed in an unknown order.
  private static func reads(
    _ name: String,
    of rows: [UInt32],
    _ read: @escaping ([UInt32]) throws -> UInt64
  ) -> Contestant {
    let cursor = RowCursor(rows)
    return .timed(name, prepare: cursor.take, body: read)
  }
}

/// Views of more and more rows, sorted by a random number in each value.
enum ViewGrowth {
  static func run(_ sizes: [Int], on bench: GrowthBench) throws {
    for size in sizes {
      try bench.begin(size)
      let dataset = bench.dataset(rows: size)
      let without = ViewedStore(try bench.engine(dataset, name: "engine without a view"), dataset)
      let with = ViewedStore(try bench.engine(dataset), dataset)
      try with.fillPageCache()
      let before = BuildTraits.allocatedBytes
      let (_, took) = try RunQueue.timed { try with.register() }
      bench.add([Double(took) / Double(size)], to: "registration, per row", at: size, unit: .nanoseconds)
      bench.addMemory(since: before, of: size, to: "memory, per row", at: size)
      try bench.measure("insert of 1 row", at: size, [.inserts(with), .inserts(without)])
      let list = try ViewedList(with)
      let updates = min(size, 1_000)
      let changes = try (0...bench.rounds).map { _ in Double(try list.changes(of: updates)) / Double(updates) }
      bench.add(Array(changes.dropFirst()), to: "row changes, per update", at: size, unit: .nanoseconds)
      try bench.removeStores()
    }
  }
}
