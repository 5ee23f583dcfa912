/// What everybody who is measured can do with the rows. Used by one thread at a time.
protocol RowStore: AnyObject, Sendable {
  /// What its figures are called.
  var name: String { get }
  /// Read transactions that read no row.
  func readNothing(_ count: Int) throws
  /// Reads rows, all in one transaction.
  /// - Returns: the sum of their stamps.
  func readTogether(_ rows: [UInt32]) throws -> UInt64
  /// Reads rows, in a transaction each.
  func readEach(_ rows: [UInt32]) throws -> UInt64
  /// Gives rows the fresh values from number `fresh` on, so many rows in a transaction.
  func update(_ rows: [UInt32], rowsEach: Int, fresh: Int) throws
  func close() throws
}

/// Names of those who are measured.
enum ContestantName {
  static let engine = "engine"
  static let raw = "raw"
  static let table = "C over our table"
  static let grdb = "GRDB"

  /// Every name that takes part in a trial of this build, as `--contestant` takes it.
  static var all: [String] {
    let stores = [
      engine, "engine, WAL kept", "engine, mapped", raw, "raw by its index", "raw without checkpoints", table,
    ]
    let settings = [
      "1,000 jumps", "100 keys", "2 connections", "a reader a core", "a tenth", "both", "copy", "few commits", "idle",
      "long WAL", "many commits", "many connections", "one jump", "one key", "one reader", "pooled", "share",
      "short WAL", "some commits",
    ]
    #if GRDB
      return stores + [grdb] + settings
    #else
      return stores + settings
    #endif
  }
}

extension Contestant {
  static func emptyReads(_ store: any RowStore) -> Contestant {
    .timed(store.name, prepare: { $0 }, { try store.readNothing($0) }, check: { _, _ in })
  }

  /// Reads of rows that nobody has changed.
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

  /// - Parameter rows: all rows of the store.
  static func updates(
    _ store: any RowStore,
    _ rows: [UInt32],
    rowsEach: Int = 1,
    name: String? = nil
  ) -> Contestant {
    let cursor = RowCursor(rows)
    var done = 0
    return Contestant.timed(name ?? store.name) { operations in
      let transactions = max(operations / rowsEach, 1)
      return cursor.take(transactions * rowsEach)
    } _: { rows in
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
