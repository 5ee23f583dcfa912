internal import CRawSQLite
internal import YapEngine

/// P6 and P7: transactions of one row, at each level of durability. The raw handles but one make SQLite's automatic
/// checkpoints, as a program with default settings does. The engine's checkpointer runs beside its commits.
enum SingleWrites: BenchmarkFamily {
  static let targets: Set<TargetName> = [.engine(6), .engine(7)]
  private static let bare = "raw without checkpoints"
  private static let kept = "engine, WAL kept"

  static func run(on bench: Workbench) throws {
    try measure(
      bench,
      .off,
      name: "1 row, off",
      answers: [
        ClaimID(6, "raw"): .engineToRaw,
        ClaimID(6, "table"): .engineToTable,
        ClaimID(6, "bare"): .ratio(of: ContestantName.engine, to: bare),
        ClaimID(6, "kept"): .ratio(of: kept, to: ContestantName.raw),
        ClaimID(6, "grdb"): .grdbToEngine,
        .instructions(.engine(6)): .engine,
      ]
    )
    try measureLoop(bench)
    for level in [YapDatabaseOptions.Synchronous.normal, .full] {
      let word = level.rawValue
      try measure(
        bench,
        level,
        name: "1 row, \(word.uppercased())",
        answers: [
          ClaimID(7, word): .engineToRaw,
          ClaimID(7, "\(word)Table"): .engineToTable,
          ClaimID(7, "\(word)Kept"): .ratio(of: kept, to: ContestantName.raw),
        ]
      )
    }
  }

  private static func measure(
    _ bench: Workbench,
    _ level: YapDatabaseOptions.Synchronous,
    name: String,
    answers: [ClaimID: Trial.Figure]
  ) throws {
    let rows = bench.dataset.order("written")
    var contestants: [Contestant] = try [
      .updates(followedEngine(bench, level, rows: rows), rows), .updates(bench.raw(synchronous: level), rows),
      .updates(bench.raw(CRAW_NUMBERED, synchronous: level), rows),
      .updates(followedEngine(bench, level, rows: rows, keepsWAL: true), rows),
    ]
    if level == .off {
      contestants.append(try bareUpdates(bench, rows: rows))
      contestants += try bench.grdb().map { .updates($0, rows) }
    }
    try bench.measure(name, contestants, answers: answers, waitsForDisk: level != .off)
  }

  /// Measures long turns, whose times contain all checkpoints of either side.
  private static func measureLoop(_ bench: Workbench) throws {
    let rows = bench.dataset.order("written")
    try bench.measure(
      "1 row, off, in long turns",
      [.updates(followedEngine(bench, .off, rows: rows), rows), .updates(bench.raw(), rows)],
      answers: [ClaimID(6, "loop"): .engineToRaw],
      longTurns: bench.scale.loop
    )
  }

  /// Creates a store with a second connection that follows the commits. This connection has rows in its cache, so it
  /// compares each change set with them.
  /// - Parameter keepsWAL: Whether the WAL is overwritten and never truncated, so that its blocks are already
  ///   allocated.
  private static func followedEngine(
    _ bench: Workbench,
    _ level: YapDatabaseOptions.Synchronous,
    rows: [UInt32],
    keepsWAL: Bool = false
  ) throws -> EngineStore {
    var options = YapDatabaseOptions.synchronous(level)
    if keepsWAL { options.journalSizeLimit = nil }
    let engine = try bench.engine(options, name: keepsWAL ? kept : nil)
    let follower = try engine.newClient(name: "follower")
    _ = try follower.readTogether(Array(rows.prefix(250)))
    engine.follower = follower
    return engine
  }

  /// Creates the contestant with the lowest possible cost of a commit: it checkpoints before the timed part of a turn.
  private static func bareUpdates(_ bench: Workbench, rows: [UInt32]) throws -> Contestant {
    let store = try bench.raw(autocheckpoint: 0, name: bare)
    let updates = Contestant.updates(store, rows)
    return Contestant(bare, updates.batch) { operations in
      try store.checkpoint()
      return try updates.measure(operations)
    }
  }
}

/// P8: transactions of many rows.
enum BatchWrites: BenchmarkFamily {
  static let targets: Set<TargetName> = [.engine(8)]

  static func run(on bench: Workbench) throws {
    let rows = bench.dataset.order("written")
    for (rowsEach, word) in [(100, "hundred"), (bench.scale.largeBatch, "many")] {
      let engine = try bench.engine()
      engine.follower = try engine.newClient(name: "follower")
      let stores: [any RowStore] = try [engine, bench.raw(), bench.raw(CRAW_NUMBERED)]
      try bench.measure(
        "\(rowsEach) rows, off",
        stores.map { store in
          let updates = Contestant.updates(store, rows, rowsEach: rowsEach)
          // A turn consists of whole transactions: several of the smaller ones, or a single one of the larger ones.
          return rowsEach == 100 ? updates : Contestant(store.name, .fixed(rowsEach), measure: updates.measure)
        },
        answers: [ClaimID(8, word): .engineToRaw, ClaimID(8, word + "Table"): .engineToTable].merging(
          rowsEach == 100 ? [.instructions(.engine(8)): .engine] : [:]
        ) { $1 }
      )
    }
  }
}

/// P18: many connections that write concurrently, with each commit synced.
enum JointCommits: BenchmarkFamily {
  static let targets: Set<TargetName> = [.engine(18)]

  static func run(on bench: Workbench) throws {
    let store = try bench.engine(.synchronous(.full))
    let dataset = bench.dataset
    let clients = try (0..<bench.scale.writers).map { _ in try store.newClient() }
    let cursors = clients.indices.map { number in
      RowCursor(dataset.order("writer \(number)") { Int($0) % clients.count == number })
    }
    var done = 0
    let together = Contestant(store.name, .fixed(bench.scale.writerCommits)) { commits in
      let first = done
      let work = cursors.map { $0.take(commits) }
      let bodies = zip(clients, work).map { client, rows -> ThreadCrew.Body in
        { () throws -> Int in
          for (index, row) in rows.enumerated() { try client.commit([row], fresh: first + index) }
          return rows.count
        }
      }
      let (written, took) = try ThreadCrew.run(bodies)
      done += commits
      for rows in work {
        let stamp = try store.readTogether(rows.suffix(1))
        try BenchmarkError.check(stamp, is: Dataset.freshStamp(done - 1), "the row that a writer changed last")
      }
      return Double(took) / Double(written)
    }
    try bench.measure(
      "1 row, FULL, many writers",
      [together, .updates(bench.raw(synchronous: .full), dataset.order("written"))],
      // The figures are nanoseconds per commit, so the inverse quotient is the ratio of commits per second.
      answers: [ClaimID(18, "rate"): .rawToEngine],
      waitsForDisk: true
    )
  }
}
