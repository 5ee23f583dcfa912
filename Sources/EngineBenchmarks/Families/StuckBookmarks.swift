internal import ThreadingPrimitives
internal import YapEngine

/// P16: the cost of a long WAL that a bookmark that does not move keeps from restarting.
enum StuckBookmarks: BenchmarkFamily {
  static let targets: Set = [16]
  private static let short = "short WAL"
  private static let long = "long WAL"
  /// The number of commits, of about two pages each, after which the bookmark of the short WAL moves.
  private static let step = 100

  static func run(on bench: Workbench) throws {
    let places = try [
      Place(bench, short, bytes: bench.scale.shortWALBytes, isStuck: false),
      Place(bench, long, bytes: bench.scale.stuckWALBytes, isStuck: true),
    ]
    try bench.measure(
      Trial(
        name: "1 row, off, behind a bookmark",
        contestants: places.map { place in
          let updates = Contestant.updates(place.store, bench.dataset.order("written"))
          return Contestant(place.store.name, .fixed(step * 20)) { operations in
            let turns = try (0..<max(operations / step, 1)).map { _ in
              try place.moveUnlessStuck()
              return try updates.measure(step)
            }
            return turns.reduce(0, +) / Double(turns.count)
          }
        },
        answers: [ClaimID(16, "write"): .ratio(of: long, to: short)]
      )
    )
    let rows = bench.dataset.order("read")
    try bench.measure(
      Trial(
        name: "row not cached, behind a bookmark",
        contestants: places.map { place in
          let cursor = RowCursor(rows)
          return .timed(place.store.name) {
            try place.moveUnlessStuck()
            return cursor.take($0)
          } _: { rows in
            try EngineStore.readEach(rows, on: place.reader, bench.dataset)
          } check: { _, _ in
          }
        },
        answers: [ClaimID(16, "read"): .ratio(of: long, to: short)]
      )
    )
  }

  private final class Place {
    let store: EngineStore
    let reader: YapDatabaseConnection
    private let bookmark: YapDatabaseConnection
    private let isStuck: Bool

    init(_ bench: Workbench, _ name: String, bytes: Int, isStuck: Bool) throws {
      store = try bench.engine(name: name)
      reader = try store.database.newConnection(name: "reader")
      bookmark = try store.database.newConnection(name: "bookmark")
      self.isStuck = isStuck
      // The bookmark needs a WAL to pin: in a database without one it prevents nothing.
      let cursor = RowCursor(bench.dataset.order("filled"))
      try store.commit(cursor.take(1)[...], fresh: 0)
      try bookmark.beginLongLivedReadTransaction()
      var written = 1
      while store.database.statistics.walBytes < bytes {
        let count = min(1_000, bench.dataset.rowCount)
        try store.commit(cursor.take(count)[...], fresh: written)
        written += count
      }
    }

    func moveUnlessStuck() throws {
      if !isStuck { try bookmark.beginLongLivedReadTransaction() }
    }
  }
}
