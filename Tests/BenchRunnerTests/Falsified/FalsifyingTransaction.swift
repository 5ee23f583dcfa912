import BenchDrivers
import CommitLedger

/// A transaction of a `FalsifyingDatabase`.
struct FalsifyingTransaction: DriverTransaction {
  let transaction: any DriverTransaction
  let connection: FalsifyingConnection
  /// Whether the transaction only reads.
  let isReading: Bool

  private var falsification: Falsification { connection.database.falsification }

  private func answer(_ found: [UInt8]?, at key: String, in collection: String) -> [UInt8]? {
    let row = FalsifyingConnection.Row(collection: collection, key: key)
    return connection.object(found, of: row, isReading: isReading)
  }

  var snapshot: UInt64 { isReading ? connection.snapshot(transaction.snapshot) : transaction.snapshot }

  func object(_ key: String, in collection: String) throws -> [UInt8]? {
    answer(try transaction.object(key, in: collection), at: key, in: collection)
  }

  func row(_ key: String, in collection: String) throws -> (object: [UInt8], metadata: [UInt8]?)? {
    guard let found = try transaction.row(key, in: collection),
      let object = answer(found.object, at: key, in: collection)
    else { return nil }
    return (object, found.metadata)
  }

  func objects(_ keys: [String], in collection: String, _ visit: (Int, [UInt8]?) -> Void) throws {
    try transaction.objects(keys, in: collection) { visit($0, answer($1, at: keys[$0], in: collection)) }
  }

  func scan(_ keys: [String], in collection: String, _ visit: (Int, [UInt8]?) -> Void) throws {
    try transaction.scan(keys, in: collection) { visit($0, answer($1, at: keys[$0], in: collection)) }
  }

  func document(_ key: String, in collection: String) throws -> Document? {
    let row = FalsifyingConnection.Row(collection: collection, key: key)
    return connection.document(try transaction.document(key, in: collection), of: row, isReading: isReading)
  }

  // MARK: Views

  func hasView(_ view: String) throws -> Bool {
    if falsification == .missesLateViews { return false }
    guard isReading, let newest = connection.newest else { return try transaction.hasView(view) }
    var isThere = false
    try newest.read { isThere = try $0.hasView(view) }
    return isThere
  }

  func viewRange(_ view: String, group: String, from index: Int, count: Int, _ body: (String, [UInt8]) -> Void) throws {
    guard isReading, let newest = connection.newest, let collection = connection.database.collections[view] else {
      return try transaction.viewRange(view, group: group, from: index, count: count, body)
    }
    var keys: [String] = []
    try newest.read { try $0.viewRange(view, group: group, from: index, count: count) { key, _ in keys.append(key) } }
    try transaction.objects(keys, in: collection) { index, object in
      if let object { body(keys[index], object) }
    }
  }

  // MARK: Writing

  func set(_ object: [UInt8], metadata: [UInt8]?, _ key: String, in collection: String) throws {
    if falsification == .losesLedgerEntries, collection == LedgerEntry.collection, snapshot % 7 == 0 { return }
    let row = FalsifyingConnection.Row(collection: collection, key: key)
    if try !transaction.exists(key, in: collection), connection.loses(object, of: row) { return }
    try transaction.set(object, metadata: metadata, key, in: collection)
    connection.didStore(object, at: row)
  }

  func replace(_ object: [UInt8], _ key: String, in collection: String) throws {
    try transaction.replace(object, key, in: collection)
    connection.didStore(object, at: FalsifyingConnection.Row(collection: collection, key: key))
  }

  // MARK: Correct answers

  func metadata(_ key: String, in collection: String) throws -> [UInt8]? {
    try transaction.metadata(key, in: collection)
  }

  func exists(_ key: String, in collection: String) throws -> Bool { try transaction.exists(key, in: collection) }

  func storedObject(_ key: String, in collection: String) throws -> [UInt8]? {
    if falsification == .writesOnAnOldSnapshot, !isReading, collection == LedgerEntry.collection { return nil }
    return try transaction.storedObject(key, in: collection)
  }

  func storedMetadata(_ key: String, in collection: String) throws -> [UInt8]? {
    try transaction.storedMetadata(key, in: collection)
  }

  func enumerate(_ collection: String, _ visit: (String, [UInt8]) -> Void) throws {
    try transaction.enumerate(collection, visit)
  }

  func enumerateRows(_ collection: String, _ visit: (String, [UInt8], [UInt8]?) -> Void) throws {
    try transaction.enumerateRows(collection, visit)
  }

  func count(in collection: String) throws -> Int { try transaction.count(in: collection) }

  func setMetadata(_ metadata: [UInt8], _ key: String, in collection: String) throws {
    try transaction.setMetadata(metadata, key, in: collection)
  }

  func touch(_ key: String, in collection: String) throws { try transaction.touch(key, in: collection) }
  func remove(_ key: String, in collection: String) throws { try transaction.remove(key, in: collection) }
  func removeAll(in collection: String) throws { try transaction.removeAll(in: collection) }
}
