internal import CRawSQLite
internal import Glibc
internal import HarnessPrimitives
internal import ThreadingPrimitives
internal import YapEngine

/// P20: transactions of 1,000 new rows, with keys in ascending and in random order. Each turn's rows are removed
/// afterwards.
enum Inserts: BenchmarkFamily {
  static let targets: Set<TargetName> = [.engine(20)]
  private static let rowsEach = 1_000

  static func run(on bench: Workbench) throws {
    for (word, isSorted) in [("sequential", true), ("random", false)] {
      let dataset = Dataset(
        rows: bench.scale.insertedRows,
        valueBytes: bench.scale.valueBytes,
        seed: 1,
        firstKey: bench.scale.rows,
        isSorted: isSorted
      )
      let stores: [any KeyValueStore] = try [
        bench.engine(of: dataset), bench.raw(of: dataset), bench.raw(CRAW_NUMBERED, of: dataset),
      ]
      try bench.measure(
        "\(Self.rowsEach) new rows, off, \(word) keys",
        stores.map { inserts($0, of: dataset) },
        answers: [ClaimID(20, word): .engineToRaw, ClaimID(20, word + "Table"): .engineToTable].merging(
          isSorted ? [.instructions(.engine(20)): .engine] : [:]
        ) { $1 }
      )
    }
  }

  private static func inserts(_ store: any KeyValueStore, of dataset: Dataset) -> Contestant {
    .timed(store.name, .fixed(dataset.rowCount)) { count in
      (0..<UInt32(count)).map(\.self)
    } body: { rows in
      try store.insert(rows, rowsEach: min(rowsEach, rows.count))
    } check: { rows, _ in
      let last = rows.suffix(1)
      try BenchmarkError.check(
        store.readTogether(Array(last)),
        is: Dataset.initialSum(Array(last)),
        "the row that \(store.name) inserted last"
      )
      try store.remove(rows)
    }
  }
}

/// P21: YCSB's mix B on one connection: 95 % reads and 5 % updates of rows by a Zipf law, a transaction each.
enum Mixes: BenchmarkFamily {
  static let targets: Set<TargetName> = [.engine(21)]
  /// Every so many operations, one is an update.
  private static let period = 20
  /// YCSB's constant.
  private static let theta = 0.99

  static func run(on bench: Workbench) throws {
    let stores: [any RowStore] = try [bench.engine(), bench.raw(), bench.raw(CRAW_NUMBERED)] + bench.grdb()
    let rows = draws(bench)
    try bench.measure(
      "95 % reads, 5 % updates",
      stores.map { mix($0, rows) },
      answers: [
        ClaimID(21, "raw"): .engineToRaw, ClaimID(21, "table"): .engineToTable, ClaimID(21, "grdb"): .grdbToEngine,
      ]
    )
  }

  /// Rows in the order in which they are used, each as often as its rank says.
  private static func draws(_ bench: Workbench) -> [UInt32] {
    let rows = bench.dataset.order("ranks")
    var sum = 0.0
    let sums = (1...rows.count).map { rank in
      sum += pow(Double(rank), -theta)
      return sum
    }
    var random = RandomStream(seed: 1, "zipf")
    return (0..<rows.count).map { _ in
      let drawn = Double.random(in: 0..<sum, using: &random)
      var (low, high) = (0, rows.count - 1)
      while low < high {
        let middle = (low + high) / 2
        if sums[middle] > drawn { high = middle } else { low = middle + 1 }
      }
      return rows[low]
    }
  }

  private static func mix(_ store: any RowStore, _ rows: [UInt32]) -> Contestant {
    let cursor = RowCursor(rows)
    // The stamps that the changed rows have.
    var held: [UInt32: UInt64] = [:]
    var done = 0
    return .timed(store.name) { operations in
      let rows = cursor.take(max(operations / period, 1) * period)
      return stride(from: 0, to: rows.count, by: period).map { start in
        (read: Array(rows[start + 1..<start + period]), updated: [rows[start]])
      }
    } body: { work in
      var sum: UInt64 = 0
      for (number, part) in work.enumerated() {
        sum &+= try store.readEach(part.read)
        try store.update(part.updated, rowsEach: 1, fresh: done + number)
      }
      return sum
    } check: { work, sum in
      var expected: UInt64 = 0
      for part in work {
        for row in part.read { expected &+= held[row] ?? UInt64(row) }
        held[part.updated[0]] = Dataset.freshStamp(done)
        done += 1
      }
      try BenchmarkError.check(sum, is: expected, "reads of \(store.name)")
    }
  }
}

/// P22: 100 rows from a key on, in the order of keys, a transaction each.
enum Ranges: BenchmarkFamily {
  static let targets: Set<TargetName> = [.engine(22)]
  private static let length = 100

  static func run(on bench: Workbench) throws {
    let stores: [any KeyValueStore] = try [bench.engine(), bench.raw(), bench.raw(CRAW_NUMBERED)]
    let keys = bench.dataset.keys
    let sorted = keys.indices.sorted { keys[$0] < keys[$1] }
    var (sums, places) = ([UInt64(0)], [Int](repeating: 0, count: keys.count))
    for (place, row) in sorted.enumerated() {
      sums.append(sums[place] + UInt64(row))
      places[row] = place
    }
    let rows = bench.dataset.order("ranges")
    try bench.measure(
      "\(length) rows from a key",
      stores.map { store in
        let cursor = RowCursor(rows)
        return .timed(store.name, prepare: cursor.take) { rows in
          try store.scan(from: rows, limit: length)
        } check: { [sums, places] rows, sum in
          let expected = rows.reduce(UInt64(0)) { expected, row in
            let place = places[Int(row)]
            return expected &+ sums[min(place + length, sums.count - 1)] - sums[place]
          }
          try BenchmarkError.check(sum, is: expected, "ranges of \(store.name)")
        }
      },
      answers: [ClaimID(22, "raw"): .engineToRaw, ClaimID(22, "table"): .engineToTable]
    )
  }
}

/// P23: values of 100 KB, which no connection has cached.
enum LargeValues: BenchmarkFamily {
  static let targets: Set<TargetName> = [.engine(23)]
  private static let freshCount = 31

  static func run(on bench: Workbench) throws {
    let dataset = Dataset(rows: 64, valueBytes: bench.scale.largeValueBytes, seed: 1, freshCount: freshCount)
    let paths = [bench.files.newPath("large"), bench.files.newPath("large")]
    let engine = try bench.engine(at: paths[0], of: dataset)
    let raw = try bench.raw(CRAW_NUMBERED, at: paths[1], of: dataset)
    try engine.load()
    try raw.load()
    engine.client.connection.objectCacheLimit = 1
    let rows = dataset.order("large")
    try bench.measure(
      "update of a large value, off",
      [engine, raw].map { (store: any RowStore) in
        let cursor = RowCursor(rows)
        var done = 0
        return .timed(store.name, prepare: cursor.take) { rows in
          try store.update(rows, rowsEach: 1, fresh: done)
        } check: { rows, _ in
          done += rows.count
          try BenchmarkError.check(
            store.readTogether(rows.suffix(1)),
            is: Dataset.freshStamp(done - 1, of: freshCount),
            "the row that \(store.name) changed last"
          )
        }
      },
      answers: [ClaimID(23, "update"): .engineToTable]
    )
    try bench.measure(
      "large value not cached, a transaction each",
      [engine, raw].map { (store: any RowStore) in
        let cursor = RowCursor(rows)
        return .timed(store.name, prepare: cursor.take) { try store.readEach($0) }
      },
      answers: [ClaimID(23, "read"): .engineToTable]
    )
  }
}

/// P24: the slowest commits of a row beside a reader that stays at its snapshot: a bookmark, and a read transaction
/// in C.
enum StalledNeighbours: BenchmarkFamily {
  static let targets: Set<TargetName> = [.engine(24)]

  static func run(on bench: Workbench) throws {
    let engine = try bench.engine()
    let bookmark = try engine.newClient(name: "bookmark").connection
    let raws = try bench.raws(2)
    try bench.measure(
      "p99 of 1 row, off, beside a reader that stays",
      [
        tail(engine.name, on: bench, movePin: { _ = try bookmark.beginLongLivedReadTransaction() }) { rows, fresh in
          try rows.indices.map { index in
            let begun = MonotonicClock.now
            try engine.client.commit(rows[index...index], fresh: fresh + index)
            return MonotonicClock.now - begun
          }
        },
        tail(ContestantName.raw, on: bench, movePin: raws[1].movePin) {
          try raws[0].timedUpdate($0, rowsEach: 1, fresh: $1)
        },
      ],
      answers: [ClaimID(24, "p99"): .engineToRaw]
    )
  }

  private static func tail(
    _ name: String,
    on bench: Workbench,
    movePin: @escaping () throws -> Void,
    update: @escaping ([UInt32], _ fresh: Int) throws -> [UInt64]
  ) -> Contestant {
    let cursor = RowCursor(bench.dataset.order("written"))
    var done = 0
    return Contestant(name, .fixed(bench.scale.stalledCommits)) { commits in
      // A database without a WAL would not pin it.
      done += try update(cursor.take(1), done).count
      try movePin()
      let times = try update(cursor.take(commits), done).sorted()
      done += commits
      return Double(times[times.count * 99 / 100])
    }
  }
}
