import SQLiteBinding

@testable import YapEngine

/// Compares a connection's cached values with the values that SQLite reads in the same transaction without caches.
struct CacheCoherence {
  let transaction: YapDatabaseReadTransaction

  func check() throws {
    let caches = transaction.connection.caches
    let handle = try transaction.handle()
    for row in caches.objects.rows {
      guard let cached = caches.objects.peek(row) else { throw Discrepancy("a row without a place in the cache") }
      let stored = try read(handle, .object, row) { try decoded($0, row, transaction.database.objectCodecs) }
      try check(cached, stored, "cached object of \(row)")
    }
    for row in caches.metadata.rows {
      guard let cached = caches.metadata.peek(row) else { throw Discrepancy("a row without a place in the cache") }
      let stored = try read(handle, .metadata, row) { try decoded($0, row, transaction.database.metadataCodecs) }
      guard let stored else { throw Discrepancy("cached metadata of \(row), which is not there") }
      try check(cached, stored, "cached metadata of \(row)")
    }
    for row in caches.rowids.keys {
      let stored = try read(handle, .object, row) { $0.integer(at: 0) }
      try Discrepancy.check(caches.rowids.peek(row), stored, "cached rowid of \(row)")
    }
    try checkLimits(caches)
  }

  /// - Returns: The decoded value; nil for a row without metadata.
  private func decoded(_ statement: SQLiteStatement, _ row: RowKey, _ codecs: CodecTable) throws -> Any? {
    if statement.isNull(at: 1) { return nil }
    guard let collection = transaction.database.names.name(of: row.collection) else {
      throw Discrepancy("a collection without a name")
    }
    return try codecs.decode(statement.bytes(at: 1), forKey: row.key.text, in: collection)
  }

  /// Checks that a cached value has the type and the content of the stored value.
  private func check(_ cached: Any?, _ stored: Any??, _ what: @autoclosure () -> String) throws {
    let stored = stored ?? nil
    try Discrepancy.check(try Keyspace.bytes(in: cached), try Keyspace.bytes(in: stored), what())
    let types = [cached, stored].map { value in value.map { ObjectIdentifier(type(of: $0)) } }
    if types[0] != types[1] { throw Discrepancy("\(what()): \(cached as Any) has another type than \(stored as Any)") }
  }

  private func checkLimits(_ caches: RowCaches) throws {
    let isOverfull = [
      caches.objects.limit > 0 && caches.objects.count > caches.objects.limit,
      caches.metadata.limit > 0 && caches.metadata.count > caches.metadata.limit,
      caches.rowids.limit > 0 && caches.rowids.keys.count > caches.rowids.limit,
      !caches.objects.isEnabled && caches.objects.count > 0,
      !caches.metadata.isEnabled && caches.metadata.count > 0,
    ]
    try Discrepancy.check(isOverfull.contains(true), false, "more cached than the limits allow")
  }

  private func read<Result>(
    _ handle: EngineHandle,
    _ kind: Statement,
    _ row: RowKey,
    _ body: (SQLiteStatement) throws -> Result
  ) throws -> Result? {
    try handle.with(kind, collection: row.collection, key: row.key.text) { try $0.step() ? try body($0) : nil }
  }
}
