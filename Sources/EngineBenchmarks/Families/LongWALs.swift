internal import BenchResults
internal import ThreadingPrimitives
internal import YapEngine

/// P17: the slowest commits of 100 rows. Checkpoints sync the disk: the engine's beside commits, raw's inside them.
enum CheckpointTails: BenchmarkFamily {
  static let targets: Set<TargetName> = [.engine(17)]

  static func run(on bench: Workbench) throws {
    let engine = try bench.engine(.synchronous(.normal))
    let raw = try bench.raw(synchronous: .normal)
    try bench.measure(
      "100 rows, NORMAL, p99 / p50",
      [
        tail(engine.name, on: bench) { rows, fresh in
          try stride(from: 0, to: rows.count, by: 100).map { start in
            let begun = MonotonicClock.now
            try engine.client.commit(rows[start..<start + 100], fresh: fresh + start)
            return MonotonicClock.now - begun
          }
        },
        tail(raw.name, on: bench) { try raw.timedUpdate($0, rowsEach: 100, fresh: $1) },
      ],
      answers: [
        ClaimID(17, "tail"): .value(of: ContestantName.engine), ClaimID(17, "raw"): .value(of: ContestantName.raw),
      ],
      waitsForDisk: true,
      unit: .number
    )
  }

  /// - Parameter update: Changes rows, 100 in a transaction, and returns the duration of each transaction.
  private static func tail(
    _ name: String,
    on bench: Workbench,
    update: @escaping ([UInt32], _ fresh: Int) throws -> [UInt64]
  ) -> Contestant {
    let cursor = RowCursor(bench.dataset.order("written"))
    var done = 0
    return Contestant(name, .fixed(bench.scale.tailCommits)) { commits in
      let times = try update(cursor.take(commits * 100), done).sorted()
      done += commits * 100
      return Double(times[times.count * 99 / 100]) / Double(max(times.median, 1))
    }
  }
}

/// P16: the cost of a long WAL, which a stuck bookmark keeps from restarting.
enum StuckBookmarks: BenchmarkFamily {
  static let targets: Set<TargetName> = [.engine(16)]
  private static let short = "short WAL"
  private static let long = "long WAL"
  /// The number of commits, of about two pages each, after which the bookmark of the short WAL moves.
  private static let step = 100

  static func run(on bench: Workbench) throws {
    let stores = try [
      BookmarkedStore(bench, name: short, bytes: bench.scale.shortWALBytes, isStuck: false),
      BookmarkedStore(bench, name: long, bytes: bench.scale.stuckWALBytes, isStuck: true),
    ]
    try bench.measure(
      "1 row, off, behind a bookmark",
      stores.map { bookmarked in
        let updates = Contestant.updates(bookmarked.store, bench.dataset.order("written"))
        return Contestant(bookmarked.store.name, .fixed(step * 20)) { operations in
          let turns = try (0..<max(operations / step, 1)).map { _ in
            try bookmarked.moveUnlessStuck()
            return try updates.measure(step)
          }
          return turns.reduce(0, +) / Double(turns.count)
        }
      },
      answers: [ClaimID(16, "write"): .ratio(of: long, to: short)]
    )
    let rows = bench.dataset.order("read")
    try bench.measure(
      "row not cached, behind a bookmark",
      stores.map { bookmarked in
        let cursor = RowCursor(rows)
        return .timed(bookmarked.store.name) {
          try bookmarked.moveUnlessStuck()
          return cursor.take($0)
        } body: { rows in
          try bookmarked.reader.readEach(rows)
        }
      },
      answers: [ClaimID(16, "read"): .ratio(of: long, to: short)]
    )
  }

  private final class BookmarkedStore {
    let store: EngineStore
    let reader: EngineClient
    private let bookmark: YapDatabaseConnection
    private let isStuck: Bool

    init(_ bench: Workbench, name: String, bytes: Int, isStuck: Bool) throws {
      store = try bench.engine(name: name)
      reader = try store.newClient(name: "reader")
      bookmark = try store.database.newConnection(name: "bookmark")
      self.isStuck = isStuck
      // A bookmark in a database without a WAL would read the database file alone, and not pin the WAL.
      let cursor = RowCursor(bench.dataset.order("filled"))
      try store.client.commit(cursor.take(1)[...], fresh: 0)
      try bookmark.beginLongLivedReadTransaction()
      var written = 1
      while store.database.statistics.walBytes < bytes {
        let count = min(1_000, bench.dataset.rowCount)
        try store.client.commit(cursor.take(count)[...], fresh: written)
        written += count
      }
    }

    func moveUnlessStuck() throws {
      if !isStuck { try bookmark.beginLongLivedReadTransaction() }
    }
  }
}
