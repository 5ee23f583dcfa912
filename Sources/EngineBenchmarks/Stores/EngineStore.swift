internal import YapEngine

/// The engine as a typical program uses it: strings as keys, `[UInt8]` as values.
// Used by one thread at a time. Concurrent threads have their own clients.
final class EngineStore: KeyValueStore, @unchecked Sendable {
  let name: String
  let database: YapDatabase
  let client: EngineClient
  /// A second client, which follows the first one's commits once, at the end of each call of `update`; nil for none.
  var follower: EngineClient?
  /// Clients that have to stay alive, most of them idle.
  var keptClients: [EngineClient] = []
  private let dataset: Dataset

  init(path: String, dataset: Dataset, options: YapDatabaseOptions, name: String? = nil) throws {
    self.name = name ?? ContestantName.engine
    self.dataset = dataset
    database = try YapDatabase(path: path, options: options)
    client = EngineClient(try database.newConnection(name: "first"), dataset)
  }

  func close() throws { try database.close() }

  func newClient(name: String? = nil) throws -> EngineClient {
    EngineClient(try database.newConnection(name: name), dataset)
  }

  func load() throws {
    for start in stride(from: 0, to: dataset.rowCount, by: 10_000) {
      try client.connection.readWrite { transaction in
        for row in start..<min(start + 10_000, dataset.rowCount) {
          let value = dataset.initialValue(of: row)
          try transaction.setObject(value, forKey: dataset.keys[row], inCollection: Dataset.collection)
        }
      }
    }
  }

  func readNothing(_ count: Int) throws {
    for _ in 0..<count { try client.connection.read { _ in } }
  }

  func readTogether(_ rows: [UInt32]) throws -> UInt64 { try client.readTogether(rows) }

  func readEach(_ rows: [UInt32]) throws -> UInt64 { try client.readEach(rows) }

  func update(_ rows: [UInt32], rowsEach: Int, fresh: Int) throws {
    for start in stride(from: 0, to: rows.count, by: rowsEach) {
      try client.commit(rows[start..<start + rowsEach], fresh: fresh + start)
    }
    try follower?.connection.read { _ in }
  }

  func insert(_ rows: [UInt32], rowsEach: Int) throws {
    for start in stride(from: 0, to: rows.count, by: rowsEach) {
      try client.connection.readWrite { transaction in
        for row in rows[start..<start + rowsEach] {
          let (key, value) = (dataset.keys[Int(row)], dataset.initialValue(of: Int(row)))
          try transaction.setObject(value, forKey: key, inCollection: Dataset.collection)
        }
      }
    }
  }

  func remove(_ rows: [UInt32]) throws {
    try client.connection.readWrite { transaction in
      try transaction.removeObjects(forKeys: rows.map { dataset.keys[Int($0)] }, inCollection: Dataset.collection)
    }
  }

  func scan(from rows: [UInt32], limit: Int) throws -> UInt64 {
    var sum: UInt64 = 0
    for row in rows {
      try client.connection.read { transaction in
        let keys = YapDatabaseKeyRange.range(dataset.keys[Int(row)]..., limit: limit)
        try transaction.enumerateKeysAndObjects([UInt8].self, inCollection: Dataset.collection, keys: keys) {
          _,
          object,
          _ in
          sum &+= object.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
        }
      }
    }
    return sum
  }

  /// - Returns: The number of rows, and the sum of their stamps.
  func scan() throws -> (count: UInt64, sum: UInt64) {
    try client.connection.read { transaction in
      var count: UInt64 = 0
      var sum: UInt64 = 0
      try transaction.enumerateKeysAndObjects([UInt8].self, inCollection: Dataset.collection) { _, object, _ in
        count += 1
        sum &+= object.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
      }
      return (count, sum)
    }
  }

  /// The same without copies of keys and values.
  func scanBorrowed() throws -> (count: UInt64, sum: UInt64) {
    try client.connection.read { transaction in
      var count: UInt64 = 0
      var sum: UInt64 = 0
      try transaction.enumerateKeysAndSerializedObjects(inCollection: Dataset.collection) { _, object, _ in
        count += 1
        sum &+= object.unsafeLoadUnaligned(as: UInt64.self)
      }
      return (count, sum)
    }
  }

  /// The counters of the client's object cache.
  func objectCounters(of client: EngineClient) throws -> YapDatabaseStatistics.Caches.Values {
    let name = client.connection.name
    let found = database.statistics.connections.first { $0.name == name }
    guard let found else { throw BenchmarkError(.failed, "the connection \"\(name)\" does not exist") }
    return found.caches.objects
  }
}

/// A connection of the engine that reads and changes the dataset's rows.
struct EngineClient {
  let connection: YapDatabaseConnection
  let dataset: Dataset
  private(set) var keys: [String]

  init(_ connection: YapDatabaseConnection, _ dataset: Dataset) {
    self.connection = connection
    self.dataset = dataset
    keys = dataset.keys
  }

  /// Returns the same client with texts of its own as keys, so that threads do not count references to the same texts.
  func withOwnKeys() -> Self {
    var client = self
    client.keys = keys.map { String(decoding: Array($0.utf8), as: UTF8.self) }
    return client
  }

  /// Changes rows to the fresh values from number `fresh` on, in one transaction.
  func commit(_ rows: ArraySlice<UInt32>, fresh: Int) throws {
    try connection.readWrite { transaction in
      var number = fresh
      for row in rows {
        let value = dataset.fresh[number % dataset.fresh.count]
        try transaction.setObject(value, forKey: keys[Int(row)], inCollection: Dataset.collection)
        number += 1
      }
    }
  }

  /// Reads rows, all in one transaction.
  /// - Returns: The sum of their stamps.
  func readTogether(_ rows: [UInt32]) throws -> UInt64 {
    try connection.read { transaction in
      var sum: UInt64 = 0
      for row in rows { sum &+= try stamp(of: row, in: transaction) }
      return sum
    }
  }

  /// Reads each row in its own transaction and returns the sum of the stamps.
  func readEach(_ rows: [UInt32]) throws -> UInt64 {
    var sum: UInt64 = 0
    for row in rows { sum &+= try connection.read { try stamp(of: row, in: $0) } }
    return sum
  }

  /// Returns the stamp of a value; `.max` if it has none. The cast is part of a read: an `Any` is unusable without it.
  @inline(__always)
  private func stamp(of row: UInt32, in transaction: YapDatabaseReadTransaction) throws -> UInt64 {
    let object = try transaction.object(forKey: keys[Int(row)], inCollection: Dataset.collection)
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
