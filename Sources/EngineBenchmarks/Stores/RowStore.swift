/// The operations that every measured store supports. Used by one thread at a time, except for `GRDBStore`.
protocol RowStore: AnyObject, Sendable {
  /// The name of the contestant that runs the store.
  var name: String { get }
  /// Runs `count` read transactions that read no row of the dataset.
  func readNothing(_ count: Int) throws
  /// Reads rows, all in one transaction.
  /// - Returns: The sum of their stamps.
  func readTogether(_ rows: [UInt32]) throws -> UInt64
  /// Reads each row in its own transaction and returns the sum of the stamps.
  func readEach(_ rows: [UInt32]) throws -> UInt64
  /// Changes rows to the fresh values from number `fresh` on, `rowsEach` per transaction. It must divide `rows.count`.
  func update(_ rows: [UInt32], rowsEach: Int, fresh: Int) throws
  func close() throws
}

/// A store that also inserts rows, and reads ranges of keys.
protocol KeyValueStore: RowStore {
  /// Inserts rows with their initial values, `rowsEach` per transaction. It must divide `rows.count`.
  func insert(_ rows: [UInt32], rowsEach: Int) throws
  /// Removes rows in one transaction.
  func remove(_ rows: [UInt32]) throws
  /// For each row, reads the keys and values from its key on, in its own transaction.
  /// - Returns: The sum of the stamps.
  func scan(from rows: [UInt32], limit: Int) throws -> UInt64
}

/// The names of the contestants.
enum ContestantName {
  static let engine = "engine"
  static let raw = "raw"
  static let table = "C over our table"
  static let grdb = "GRDB"
  static let harness = "harness"
  static let checked = "with checks"
  static let unchecked = "without checks"

  /// The names that `--contestant` accepts. Without jemalloc, those that measure memory are in no trial.
  static var all: [String] {
    let stores = [
      engine, "engine, WAL kept", "engine, borrowed", "engine, plain VFS", raw, "raw by its index",
      "raw without checkpoints", table,
    ]
    let drivers = MeasuredDriver.allCases.filter(\.isBuilt).flatMap { [$0.driverName, $0.loopName] }
    let settings = [
      "1,000 jumps", "100 keys", "2 connections", "a tenth", "both", "copy", "few commits", "idle",
      "removals from a dictionary", "reads from a dictionary", "opened in C",
      "long WAL", "many commits", "many connections", "one jump", "one key", "pooled", "share",
      "short WAL", "some commits", "row changes", "with a view", "without a view", "binary", "JSON", harness,
      checked, unchecked, "raw, row by key", "raw, snapshot row",
    ]
    #if GRDB
      return stores + [grdb] + settings + drivers
    #else
      return stores + settings + drivers
    #endif
  }
}

extension Contestant {
  static func emptyReads(_ store: any RowStore) -> Contestant {
    .timed(store.name, prepare: { $0 }, body: { try store.readNothing($0) })
  }

  /// Creates a contestant that reads rows with their initial values.
  static func reads(
    _ store: any RowStore,
    _ rows: [UInt32],
    together: Bool,
    alsoCheck: @escaping () throws -> Void = {}
  ) -> Contestant {
    let cursor = RowCursor(rows)
    return .timed(store.name, prepare: cursor.take) { rows in
      together ? try store.readTogether(rows) : try store.readEach(rows)
    } check: { rows, sum in
      try BenchmarkError.check(sum, is: Dataset.initialSum(rows), "reads of \(store.name)")
      try alsoCheck()
    }
  }

  /// - Parameter rows: All rows of the store, so that each write changes a value (see `Dataset.freshCount`).
  static func updates(_ store: any RowStore, _ rows: [UInt32], rowsEach: Int = 1) -> Contestant {
    let cursor = RowCursor(rows)
    var done = 0
    return .timed(store.name) { operations in
      let transactions = max(operations / rowsEach, 1)
      return cursor.take(transactions * rowsEach)
    } body: { rows in
      try store.update(rows, rowsEach: rowsEach, fresh: done)
    } check: { rows, _ in
      done += rows.count
      let last = rows.suffix(1)
      try BenchmarkError.check(
        store.readTogether(Array(last)),
        is: Dataset.freshStamp(done - 1),
        "the row that \(store.name) changed last"
      )
    }
  }
}
