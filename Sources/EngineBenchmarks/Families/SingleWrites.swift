internal import CRawSQLite
internal import YapEngine

/// P6 and P7: transactions of one row, at each level of durability. The raw handles make SQLite's automatic
/// checkpoints, as a program with default settings does. The engine's checkpointer runs beside its commits.
enum SingleWrites: BenchmarkFamily {
  static let targets: Set = [6, 7]
  private static let bare = "raw without checkpoints"
  private static let kept = "engine, WAL kept"

  static func run(on bench: Workbench) throws {
    try measure(
      bench,
      .off,
      "1 row, off",
      [
        ClaimID(6, "raw"): .ratio(of: ContestantName.engine, to: ContestantName.raw),
        ClaimID(6, "table"): .ratio(of: ContestantName.engine, to: ContestantName.table),
        ClaimID(6, "bare"): .ratio(of: ContestantName.engine, to: bare),
        ClaimID(6, "kept"): .ratio(of: kept, to: ContestantName.raw),
        ClaimID(6, "grdb"): .ratio(of: ContestantName.grdb, to: ContestantName.engine),
      ]
    )
    try measure(
      bench,
      .normal,
      "1 row, NORMAL",
      [
        ClaimID(7, "normal"): .ratio(of: ContestantName.engine, to: ContestantName.raw),
        ClaimID(7, "normalTable"): .ratio(of: ContestantName.engine, to: ContestantName.table),
        ClaimID(7, "normalKept"): .ratio(of: kept, to: ContestantName.raw),
      ]
    )
    try measure(
      bench,
      .full,
      "1 row, FULL",
      [
        ClaimID(7, "full"): .ratio(of: ContestantName.engine, to: ContestantName.raw),
        ClaimID(7, "fullTable"): .ratio(of: ContestantName.engine, to: ContestantName.table),
        ClaimID(7, "fullKept"): .ratio(of: kept, to: ContestantName.raw),
      ]
    )
  }

  private static func measure(
    _ bench: Workbench,
    _ level: RawStore.Synchronous,
    _ name: String,
    _ answers: [ClaimID: Trial.Figure]
  ) throws {
    let rows = bench.dataset.order("written")
    var contestants: [Contestant] = try [
      .updates(followedEngine(bench, level, rows), rows), .updates(bench.raw(synchronous: level), rows),
      .updates(bench.raw(CRAW_NUMBERED, synchronous: level), rows),
      .updates(followedEngine(bench, level, rows, keepsWAL: true), rows),
    ]
    if level == .off {
      contestants.append(try bareUpdates(bench, rows))
      contestants += try bench.grdb().map { .updates($0, rows) }
    }
    try bench.measure(Trial(name: name, contestants: contestants, answers: answers, waitsForDisk: level != .off))
  }

  /// Creates a store with a second connection that follows the commits. It has rows in its cache, so it compares each
  /// change set with them.
  /// - Parameter keepsWAL: Whether the WAL is overwritten and never truncated, so that its blocks are already
  ///   allocated.
  private static func followedEngine(
    _ bench: Workbench,
    _ level: RawStore.Synchronous,
    _ rows: [UInt32],
    keepsWAL: Bool = false
  ) throws -> EngineStore {
    var options = YapDatabaseOptions.synchronous(level.ofEngine)
    if keepsWAL { options.journalSizeLimit = nil }
    let engine = try bench.engine(options, name: keepsWAL ? kept : nil)
    let follower = try engine.database.newConnection(name: "follower")
    _ = try EngineStore.readTogether(Array(rows.prefix(250)), on: follower, bench.dataset)
    engine.follower = follower
    return engine
  }

  /// The lowest possible cost of a commit: the WAL is copied between the rounds, outside the timed part.
  private static func bareUpdates(_ bench: Workbench, _ rows: [UInt32]) throws -> Contestant {
    let store = try bench.raw(autocheckpoint: 0, name: bare)
    let updates = Contestant.updates(store, rows)
    return Contestant(bare, updates.batch) { operations in
      try store.checkpoint()
      return try updates.measure(operations)
    }
  }
}

extension RawStore.Synchronous {
  var ofEngine: YapDatabaseOptions.Synchronous {
    switch self {
    case .off: .off
    case .normal: .normal
    case .full: .full
    }
  }
}
