internal import BenchResults
internal import ThreadingPrimitives
internal import YapEngine

/// P11: B has cached a row, A commits another value, and B reads the row.
enum HandOvers: BenchmarkFamily {
  static let targets: Set<TargetName> = [.engine(11)]

  static func run(on bench: Workbench) throws {
    let pairs = try [YapDatabasePolicy.share, .copy].map { try Pair(bench, policy: $0) }
    let raws = try [false, true].map { try RawPair(bench, readsRow: $0) }
    let engines = pairs.map { ($0.name, $0.handOver) }
    try bench.measure(
      "first read after a commit elsewhere",
      (engines + raws.map { ($0.name, $0.handOver) }).map { name, handOver in
        Contestant(name, .fixed(bench.scale.handOvers)) { count in
          Double(try handOver(count).median)
        }
      },
      answers: Dictionary(
        uniqueKeysWithValues: pairs.flatMap { pair in
          raws.map { (ClaimID(11, pair.name + ($0.readsRow ? "-row" : "")), .ratio(of: pair.name, to: $0.name)) }
        }
      )
    )
    try bench.measure(
      "decodes after a commit elsewhere",
      Contestant("both", .fixed(bench.scale.handOvers)) { count in
        var decodes = 0
        for pair in pairs {
          let before = try pair.decodes()
          _ = try pair.handOver(count)
          decodes += try pair.decodes() - before
        }
        return Double(decodes) / Double(2 * count)
      },
      as: ClaimID(11, "decodes"),
      unit: .count
    )
  }

  private final class Pair {
    let name: String
    private let store: EngineStore
    private let reader: EngineClient
    private let cursor: RowCursor
    private var done = 0

    init(_ bench: Workbench, policy: YapDatabasePolicy) throws {
      name = policy.rawValue
      var options = YapDatabaseOptions.synchronous(.off)
      options.defaultObjectPolicy = policy
      store = try bench.engine(options, name: name)
      reader = try store.newClient(name: "reader")
      let rows = Array(bench.dataset.order("handed over").prefix(100))
      cursor = RowCursor(rows)
      _ = try reader.readTogether(rows)
    }

    /// - Returns: The duration in nanoseconds of each read that followed a commit.
    func handOver(_ count: Int) throws -> [UInt64] {
      var times: [UInt64] = []
      for row in cursor.take(count) {
        try store.client.commit([row], fresh: done)
        let begun = MonotonicClock.now
        let stamp = try reader.readEach([row])
        times.append(MonotonicClock.now - begun)
        try BenchmarkError.check(stamp, is: Dataset.freshStamp(done), "a row that was just handed over")
        done += 1
      }
      return times
    }

    func decodes() throws -> Int { try store.objectCounters(of: reader).decoded }
  }

  /// The same in C, with two handles of one file.
  private final class RawPair {
    let name: String
    let readsRow: Bool
    private let writer: RawStore
    private let reader: RawStore
    private let cursor: RowCursor
    private var done = 0

    init(_ bench: Workbench, readsRow: Bool) throws {
      self.readsRow = readsRow
      name = readsRow ? "raw, row by key" : "raw, snapshot row"
      let stores = try bench.raws(2)
      (writer, reader) = (stores[0], stores[1])
      cursor = RowCursor(Array(bench.dataset.order("handed over").prefix(100)))
    }

    /// - Returns: The duration in nanoseconds of each step that followed a commit.
    func handOver(_ count: Int) throws -> [UInt64] {
      let (times, sum) = try writer.handOver(cursor.take(count), to: reader, readsRow: readsRow, fresh: done)
      let stamps = (done..<done + count).reduce(UInt64(0)) { $0 &+ Dataset.freshStamp($1) }
      try BenchmarkError.check(sum, is: readsRow ? stamps : 0, "the rows that were just handed over")
      done += count
      return times
    }
  }
}

/// P12: a bookmark moves over commits that changed rows cached by its connection.
enum Jumps: BenchmarkFamily {
  static let targets: Set<TargetName> = [.engine(12)]
  private static let dictionary = "removals from a dictionary"

  static func run(on bench: Workbench) throws {
    let keys = bench.scale.jumpKeys
    let jumper = try Jumper(bench, cached: keys * 10)
    func jump(_ name: String, over commits: Int, of keys: Int) -> Contestant {
      Contestant(name, .fixed(commits * keys)) { changed in
        try Double(jumper.jump(over: commits, of: keys)) / Double(changed)
      }
    }
    try bench.measure(
      "jump over many keys",
      [
        jump("few commits", over: 10, of: keys), jump("some commits", over: 100, of: keys / 10),
        jump("many commits", over: 1_000, of: keys / 100), jump("a tenth", over: 10, of: keys / 10),
        removals(bench, count: keys * 10),
      ],
      answers: [
        ClaimID(12, "few"): .ratio(of: "few commits", to: dictionary),
        ClaimID(12, "some"): .ratio(of: "some commits", to: dictionary),
        ClaimID(12, "many"): .ratio(of: "many commits", to: dictionary),
        ClaimID(12, "linear"): .ratio(of: "some commits", to: "a tenth"),
      ]
    )
    try bench.measure(
      "one jump and a thousand",
      [
        jump("one jump", over: 1_000, of: 1),
        Contestant("1,000 jumps", .fixed(1_000)) { commits in
          var took: UInt64 = 0
          for _ in 0..<commits { took += try jumper.jump(over: 1, of: 1) }
          return Double(took) / Double(commits)
        },
      ],
      answers: [ClaimID(12, "once"): .ratio(of: "1,000 jumps", to: "one jump")]
    )
    // The memory is measured last, because that leaves the heap in a state that would affect the jumps.
    try measureMemory(bench)
  }

  /// The least that a jump does: it finds and removes each changed row. A dictionary has as many rows as the cache.
  private static func removals(_ bench: Workbench, count: Int) -> Contestant {
    let rows = Array(bench.dataset.order("removed").prefix(count))
    var values: [String: [UInt8]] = [:]
    return .timed(dictionary, .fixed(rows.count)) { _ in
      for row in rows { values[bench.dataset.keys[Int(row)]] = bench.dataset.initialValue(of: Int(row)) }
    } body: { _ in
      for row in rows { values[bench.dataset.keys[Int(row)]] = nil }
    } check: { _, _ in
      try BenchmarkError.check(values.count, is: 0, "rows in a dictionary after their removal")
    }
  }

  /// Measures the memory of commits that a bookmark has not passed yet.
  private static func measureMemory(_ bench: Workbench) throws {
    guard BuildTraits.hasJemalloc else { return }
    let store = try bench.engine()
    let bookmark = try store.database.newConnection(name: "bookmark")
    let rows = Array(bench.dataset.order("waiting").prefix(100))
    func waiting(_ name: String, of rows: [UInt32]) -> Contestant {
      Contestant(name, .fixed(bench.scale.waitingCommits)) { commits in
        try bookmark.beginLongLivedReadTransaction()
        let before = BuildTraits.allocatedBytes
        for number in 0..<commits {
          let row = number % rows.count
          try store.client.commit(rows[row...row], fresh: number)
        }
        let bytes = BuildTraits.allocatedBytes - before
        let jumped = try bookmark.endLongLivedReadTransaction()
        try BenchmarkError.check(jumped?.count ?? 0, is: commits, "commits behind the bookmark")
        return Double(bytes) / Double(commits)
      }
    }
    try bench.measure(
      "memory behind a bookmark",
      [waiting("one key", of: Array(rows.prefix(1))), waiting("100 keys", of: rows)],
      answers: [ClaimID(12, "memory"): .value(of: "one key"), ClaimID(12, "memory-keys"): .value(of: "100 keys")],
      unit: .bytes
    )
  }

  private final class Jumper {
    private let store: EngineStore
    private let bookmark: EngineClient
    private let cursor: RowCursor
    private var done = 0

    init(_ bench: Workbench, cached: Int) throws {
      store = try bench.engine()
      bookmark = try store.newClient(name: "bookmark")
      bookmark.connection.objectCacheLimit = cached
      cursor = RowCursor(Array(bench.dataset.order("jumped over").prefix(cached)))
      try bookmark.connection.beginLongLivedReadTransaction()
    }

    /// - Returns: The duration of the jump in nanoseconds.
    func jump(over commits: Int, of keys: Int) throws -> UInt64 {
      let rows = cursor.take(commits * keys)
      // Caches the rows, so that the jump finds each changed row in the cache.
      _ = try bookmark.readTogether(rows)
      for start in stride(from: 0, to: rows.count, by: keys) {
        try store.client.commit(rows[start..<start + keys], fresh: done + start)
      }
      let (jumped, took) = try RunQueue.timed { try bookmark.connection.beginLongLivedReadTransaction() }
      done += rows.count
      try BenchmarkError.check(jumped.count, is: commits, "commits that the jump returns")
      let last = try bookmark.readTogether(rows.suffix(1))
      try BenchmarkError.check(last, is: Dataset.freshStamp(done - 1), "a row after the jump")
      return took
    }
  }
}
