internal import BenchResults

/// A performance target of the engine or of a driver, and the figures that decide whether it is met.
package struct PerformanceTarget: Sendable {
  package let name: TargetName
  package let text: String
  package let claims: [Claim]

  /// One claim of a target, without the target's number.
  struct Row {
    let word: String
    let what: String
    let limit: Limit?
    var unit = FigureUnit.number
    var need = Claim.Need.nothing
    var countedOperations: Int?
  }

  init(_ name: TargetName, _ text: String, @RowBuilder rows: () -> [Row]) {
    self.name = name
    self.text = text
    claims = rows().map { row in
      Claim(
        id: ClaimID(name, row.word),
        what: row.what,
        unit: row.unit,
        limit: row.limit,
        need: row.need,
        countedOperations: row.countedOperations
      )
    }
  }

  private init(_ number: Int, _ text: String, @RowBuilder rows: () -> [Row]) {
    self.init(.engine(number), text, rows: rows)
  }

  /// Collects rows that are stated one after the other, also in loops.
  @resultBuilder enum RowBuilder {
    static func buildExpression(_ row: Row) -> [Row] { [row] }
    static func buildBlock(_ parts: [Row]...) -> [Row] { parts.flatMap(\.self) }
    static func buildArray(_ parts: [[Row]]) -> [Row] { parts.flatMap(\.self) }
  }

  /// The claims of all targets, in order.
  package static var allClaims: [Claim] { all.flatMap(\.claims) }
}

extension PerformanceTarget {
  package static let all: [PerformanceTarget] = engine + harness + MeasuredDriver.allCases.map(\.performanceTarget)

  /// The targets of the engine. "Raw" is the C loop over YapDatabase's own table, and "our table" the same loop over
  /// the engine's table. A ratio divides two figures of the same round. The ratios of P2 and P3 divide reads of cached
  /// rows by reads of loops without a cache, or the reverse.
  private static let engine: [PerformanceTarget] = reads + writes + threads + following + longRunning

  private static let reads: [PerformanceTarget] = [
    PerformanceTarget(1, "an empty read when nothing was committed since") {
      Row(word: "raw", what: "empty read: engine / raw", limit: .atMost(0.15))
      Row(word: "grdb", what: "empty read: GRDB / engine", limit: .atLeast(40), need: .grdb)
      Row(word: "instructions", what: "instructions of an empty read", limit: .atMost(490), countedOperations: 10_000)
    },
    PerformanceTarget(2, "read and object from the cache, random over 10,000") {
      Row(word: "raw", what: "read of a cached row, a transaction each: engine / raw uncached", limit: .atMost(0.08))
      Row(word: "grdb", what: "the same: GRDB uncached / engine", limit: .atLeast(50), need: .grdb)
      Row(
        word: "instructions",
        what: "instructions of a read of a cached row",
        limit: .atMost(1_340),
        countedOperations: 10_000
      )
    },
    PerformanceTarget(3, "object from the cache inside one transaction, random over 1,000") {
      Row(word: "raw", what: "cached row in one transaction: engine / raw's hot row uncached", limit: .atMost(0.2))
      Row(word: "grdb", what: "the same: GRDB's hot row / engine", limit: .atLeast(12), need: .grdb)
    },
    PerformanceTarget(4, "object that is not cached, in one transaction, random over 100,000") {
      Row(word: "raw", what: "row not cached, one transaction: engine / raw", limit: .atMost(1.0))
      Row(word: "table", what: "the same: engine / C over our table", limit: .atMost(1.0))
      Row(word: "plain", what: "the same: engine without its VFS / raw", limit: nil)
      Row(word: "grdb", what: "the same: GRDB / engine", limit: .atLeast(1.3), need: .grdb)
      Row(
        word: "instructions",
        what: "instructions outside SQLite of a read of a row that is not cached",
        limit: .atMost(1_690),
        countedOperations: 10_000
      )
    },
    PerformanceTarget(5, "read and object that is not cached, a transaction each") {
      Row(word: "raw", what: "row not cached, a transaction each: engine / raw", limit: .atMost(0.7))
      Row(word: "table", what: "the same: engine / C over our table", limit: .atMost(0.7))
      Row(word: "plain", what: "the same: engine without its VFS / raw", limit: nil)
      Row(word: "grdb", what: "the same: GRDB / engine", limit: .atLeast(4), need: .grdb)
    },
  ]

  private static let writes: [PerformanceTarget] = [
    PerformanceTarget(
      6,
      "readWrite of 1 row, no sync, with commit number, change set and hand-over to another connection"
    ) {
      Row(word: "raw", what: "1 row, off: engine / raw with the snapshot row", limit: .atMost(1.1))
      Row(word: "table", what: "the same: engine / C over our table", limit: .atMost(1.1))
      Row(word: "loop", what: "the same in turns of 10 s: engine / raw, mean", limit: .atMost(1.1))
      Row(word: "bare", what: "the same: engine / raw that never checkpoints", limit: nil)
      Row(word: "kept", what: "the same: engine whose WAL file is kept / raw", limit: nil)
      Row(word: "grdb", what: "the same: GRDB without a snapshot row / engine", limit: .atLeast(0.95), need: .grdb)
      Row(
        word: "instructions",
        what: "instructions outside SQLite of a commit of 1 row",
        limit: .atMost(8_100),
        countedOperations: 2_000
      )
    },
    PerformanceTarget(7, "the same with NORMAL, and with FULL") {
      for word in ["normal", "full"] {
        Row(word: word, what: "1 row, \(word.uppercased()): engine / raw with the snapshot row", limit: .atMost(1.1))
        Row(word: "\(word)Table", what: "the same: engine / C over our table", limit: .atMost(1.2))
        Row(word: "\(word)Kept", what: "the same: engine whose WAL file is kept / raw", limit: nil)
      }
    },
    PerformanceTarget(8, "readWrite of 100 and of 10,000 rows, per row") {
      Row(word: "hundred", what: "100 rows, off: engine / raw with the snapshot row", limit: .atMost(0.9))
      Row(word: "hundredTable", what: "the same: engine / C over our table", limit: .atMost(0.9))
      Row(word: "many", what: "10,000 rows, off: engine / raw with the snapshot row", limit: .atMost(0.75))
      Row(word: "manyTable", what: "the same: engine / C over our table", limit: .atMost(0.75))
      Row(
        word: "instructions",
        what: "instructions outside SQLite of a row in a commit of 100",
        limit: .atMost(2_600),
        countedOperations: 10_000
      )
    },
    PerformanceTarget(9, "enumeration of a collection, raw codec, per row") {
      Row(word: "raw", what: "enumeration: engine / raw's scan of the table", limit: .atMost(2.5))
      Row(word: "borrowed", what: "the same: engine, keys and values borrowed / raw's scan", limit: .atMost(1.5))
      Row(word: "index", what: "the same: engine / raw's scan of the collection by its index", limit: nil)
      Row(word: "table", what: "the same: engine / C over our table, by its index", limit: .atMost(1.2))
      Row(
        word: "instructions",
        what: "instructions outside SQLite of an enumerated row",
        limit: .atMost(1_700),
        countedOperations: 10_000
      )
    },
  ]

  private static let threads: [PerformanceTarget] = [
    PerformanceTarget(10, "1 to 4 readers, alone and beside a writer") {
      for count in 1...4 {
        Row(word: "alone\(count)", what: "\(readers(count)), not cached: reads/s, engine / raw", limit: .atLeast(0.9))
      }
      for count in 1...4 {
        Row(
          word: "beside\(count)",
          what: "\(readers(count)) beside a writer: reads/s, engine / raw",
          limit: .atLeast(0.9)
        )
      }
      Row(word: "grdb", what: "4 readers beside a writer: reads/s, engine / GRDB", limit: .atLeast(8), need: .grdb)
      Row(
        word: "cores",
        what: "cached reads, slowdown of one reader per core (at most 4): dictionaries / engine",
        limit: .atLeast(0.6)
      )
    }
  ]

  private static func readers(_ count: Int) -> String { count == 1 ? "1 reader" : "\(count) readers" }

  private static let following: [PerformanceTarget] = [
    PerformanceTarget(11, "from a commit on A to a cached read of the new value on B") {
      Row(word: "share", what: "first read after the commit: share / raw's snapshot row", limit: .atMost(0.9))
      Row(word: "share-row", what: "the same: share / raw's row by key", limit: .atMost(0.5))
      Row(word: "copy", what: "the same: copy / raw's snapshot row", limit: .atMost(0.9))
      Row(word: "copy-row", what: "the same: copy / raw's row by key", limit: .atMost(0.5))
      Row(word: "decodes", what: "decodes in a read, under both", limit: .atMost(0), unit: .count)
    },
    PerformanceTarget(12, "the jump of a long-lived read over k commits of m changed keys") {
      Row(word: "few", what: "10 commits of 1,000 keys, a key: jump / removal from a dictionary", limit: .atMost(0.8))
      Row(word: "some", what: "100 commits of 100 keys, a key: jump / removal from a dictionary", limit: .atMost(0.8))
      Row(word: "many", what: "1,000 commits of 10 keys, a key: jump / removal from a dictionary", limit: .atMost(0.8))
      Row(word: "linear", what: "a key of 100 commits / a key of 10 commits, of 100 keys", limit: .atMost(1.2))
      Row(word: "once", what: "1,000 jumps over a commit / one jump over 1,000", limit: .atLeast(20))
      Row(
        word: "memory",
        what: "memory of a one-key commit behind a bookmark, one key",
        limit: .atMost(120),
        unit: .bytes,
        need: .jemalloc
      )
      Row(
        word: "memory-keys",
        what: "memory of a one-key commit behind a bookmark, 100 keys in turn",
        limit: .atMost(120),
        unit: .bytes,
        need: .jemalloc
      )
    },
    PerformanceTarget(13, "an idle connection") {
      Row(
        word: "memory",
        what: "memory of a connection that has read once",
        limit: .atMost(200 * 1_024),
        unit: .bytes,
        need: .jemalloc
      )
      Row(word: "making", what: "making one whose handle is pooled / opening a handle in C", limit: .atMost(0.05))
    },
    PerformanceTarget(14, "views: upkeep of one insert into 100,000 rows; row changes for 7,000 updates") {
      Row(
        word: "upkeep",
        what: "insert with a view / insert",
        limit: .atMost(3.6)
      )
      Row(
        word: "changes",
        what: "row changes for 7,000 updates",
        limit: .atMost(50_000_000),
        unit: .nanoseconds
      )
    },
  ]

  private static let longRunning: [PerformanceTarget] = [
    PerformanceTarget(15, "64 connections, 63 of them idle") {
      Row(word: "read", what: "empty read: with 64 connections / with 2", limit: .atMost(1.2))
      Row(word: "write", what: "1 row, off: with 64 connections / with 2", limit: .atMost(1.2))
    },
    PerformanceTarget(16, "a stuck bookmark, WAL of 1 MiB and of 1 GiB") {
      Row(word: "write", what: "1 row, off: behind a long WAL / behind 1 MiB", limit: .atMost(1.5))
      Row(word: "read", what: "row not cached: behind a long WAL / behind 1 MiB", limit: .atMost(3.2))
    },
    PerformanceTarget(17, "commits of 100 rows beside our own checkpoints, nothing pinned") {
      Row(word: "tail", what: "100 rows, NORMAL: p99 / p50", limit: .atMost(8))
      Row(word: "raw", what: "the same of raw with automatic checkpoints", limit: nil)
    },
    PerformanceTarget(18, "16 connections that write 1 row each at once, with FULL") {
      Row(word: "rate", what: "1 row, FULL: commits/s, 16 connections / raw's one", limit: .atLeast(1.9))
    },
    PerformanceTarget(19, "the codec of Codable values with ten fields, binary and JSON") {
      Row(word: "encode", what: "encoding of ten fields: JSON / binary", limit: .atLeast(2))
      Row(word: "decode", what: "decoding of ten fields: JSON / binary", limit: .atLeast(2))
    },
    PerformanceTarget(20, "1,000 inserts a transaction, per row") {
      for (word, most) in [("sequential", 1.2), ("random", 0.7)] {
        Row(word: word, what: "1,000 new rows, \(word) keys: engine / raw with the snapshot row", limit: .atMost(most))
        Row(word: "\(word)Table", what: "the same: engine / C over our table", limit: .atMost(most + 0.15))
      }
      Row(
        word: "instructions",
        what: "instructions outside SQLite of a new row in a commit of 1,000",
        limit: .atMost(2_600),
        countedOperations: 10_000
      )
    },
    PerformanceTarget(21, "YCSB's mix B on one connection: 95 % reads, 5 % updates, zipfian over 100,000") {
      Row(word: "raw", what: "95 % reads, 5 % updates: engine / raw with the snapshot row", limit: .atMost(0.8))
      Row(word: "table", what: "the same: engine / C over our table", limit: .atMost(0.8))
      Row(word: "grdb", what: "the same: GRDB / engine", limit: .atLeast(2), need: .grdb)
    },
    PerformanceTarget(22, "ranges of 100 rows, a transaction each") {
      Row(word: "raw", what: "100 rows from a key: engine / raw", limit: .atMost(0.9))
      Row(word: "table", what: "the same: engine / C over our table", limit: .atMost(0.9))
    },
    PerformanceTarget(23, "values of 100 KB") {
      Row(word: "update", what: "update of 100 KB, off: engine / C over our table", limit: .atMost(0.8))
      Row(word: "read", what: "100 KB not cached, a transaction each: engine / C over our table", limit: .atMost(0.8))
    },
    PerformanceTarget(24, "a writer beside a bookmark that stays") {
      Row(word: "p99", what: "p99 of 1 row, off: engine beside a bookmark / raw beside a reader", limit: .atMost(1.5))
    },
  ]
}
