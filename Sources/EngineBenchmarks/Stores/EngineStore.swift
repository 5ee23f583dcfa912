internal import ThreadingPrimitives
internal import YapEngine

/// The engine as a typical program uses it: strings as keys, `[UInt8]` as values.
// Used by one thread at a time. Concurrent threads have their own connections.
final class EngineStore: RowStore, @unchecked Sendable {
  let name: String
  let database: YapDatabase
  let connection: YapDatabaseConnection
  /// A second connection, which follows the commits of the first once at the end of each update; nil for none.
  var follower: YapDatabaseConnection?
  /// Unused connections that are kept alive.
  var keptConnections: [YapDatabaseConnection] = []
  private let dataset: Dataset

  init(path: String, _ dataset: Dataset, options: YapDatabaseOptions, name: String? = nil) throws {
    self.name = name ?? ContestantName.engine
    self.dataset = dataset
    database = try YapDatabase(path: path, options: options)
    connection = try database.newConnection(name: "first")
  }

  func close() throws { try database.close() }

  func load() throws {
    for start in stride(from: 0, to: dataset.rowCount, by: 10_000) {
      try connection.readWrite { transaction in
        for row in start..<min(start + 10_000, dataset.rowCount) {
          let value = dataset.initialValue(of: row)
          try transaction.setObject(value, forKey: dataset.keys[row], inCollection: Dataset.collection)
        }
      }
    }
  }

  func readNothing(_ count: Int) throws {
    for _ in 0..<count { try connection.read { _ in } }
  }

  func readTogether(_ rows: [UInt32]) throws -> UInt64 { try Self.readTogether(rows, on: connection, dataset) }

  func readEach(_ rows: [UInt32]) throws -> UInt64 { try Self.readEach(rows, on: connection, dataset) }

  func update(_ rows: [UInt32], rowsEach: Int, fresh: Int) throws {
    for start in stride(from: 0, to: rows.count, by: rowsEach) {
      try commit(rows[start..<start + rowsEach], fresh: fresh + start)
    }
    try follower?.read { _ in }
  }

  /// Changes rows to the fresh values from number `fresh` on, in one transaction.
  func commit(_ rows: ArraySlice<UInt32>, fresh: Int) throws {
    try Self.commit(rows, fresh: fresh, on: connection, dataset)
  }

  static func commit(
    _ rows: ArraySlice<UInt32>,
    fresh: Int,
    on connection: YapDatabaseConnection,
    _ dataset: Dataset
  ) throws {
    try connection.readWrite { transaction in
      var number = fresh
      for row in rows {
        let value = dataset.fresh[number % Dataset.freshCount]
        try transaction.setObject(value, forKey: dataset.keys[Int(row)], inCollection: Dataset.collection)
        number += 1
      }
    }
  }

  static func readTogether(
    _ rows: [UInt32],
    on connection: YapDatabaseConnection,
    _ dataset: Dataset
  ) throws -> UInt64 {
    try connection.read { transaction in
      var sum: UInt64 = 0
      for row in rows { sum &+= try stamp(of: row, transaction, dataset) }
      return sum
    }
  }

  static func readEach(_ rows: [UInt32], on connection: YapDatabaseConnection, _ dataset: Dataset) throws -> UInt64 {
    var sum: UInt64 = 0
    for row in rows { sum &+= try connection.read { try stamp(of: row, $0, dataset) } }
    return sum
  }

  /// - Returns: The number of rows, and the sum of their stamps.
  func scan() throws -> (count: UInt64, sum: UInt64) {
    try connection.read { transaction in
      var count: UInt64 = 0
      var sum: UInt64 = 0
      try transaction.enumerateKeysAndObjects(inCollection: Dataset.collection) { _, object, _ in
        count += 1
        sum &+= Self.stamp(in: object)
      }
      return (count, sum)
    }
  }

  /// The counters of the connection's object cache.
  func objectCounters(of connection: YapDatabaseConnection) throws -> YapDatabaseStatistics.Caches.Values {
    let found = database.statistics.connections.first { $0.name == connection.name }
    guard let found else { throw BenchmarkError(.failed, "the connection \"\(connection.name)\" does not exist") }
    return found.caches.objects
  }

  @inline(__always)
  private static func stamp(
    of row: UInt32,
    _ transaction: YapDatabaseReadTransaction,
    _ dataset: Dataset
  ) throws -> UInt64 {
    stamp(in: try transaction.object(forKey: dataset.keys[Int(row)], inCollection: Dataset.collection))
  }

  /// The cast is part of the read, because the object is unusable without it.
  @inline(__always)
  private static func stamp(in object: Any?) -> UInt64 {
    guard let bytes = object as? [UInt8], bytes.count >= 8 else { return .max }
    return bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
  }
}

extension YapDatabaseOptions {
  static func synchronous(_ level: Synchronous) -> YapDatabaseOptions {
    var options = YapDatabaseOptions()
    options.synchronous = level
    // Values are stored unchanged, as in the C loops.
    options.defaultObjectCodec = .bytes
    options.defaultMetadataCodec = .bytes
    return options
  }
}
