internal import SQLiteBinding

/// A transaction on a handle, within its block.
final class SQLiteTransaction: DriverTransaction {
  let snapshot: UInt64
  /// Whether the transaction has changed a row, so that it has to be committed.
  private(set) var hasChanged = false
  private let isWriting: Bool
  private let handle: SQLiteConnectionHandle
  private let collections: SQLiteCollections

  init(snapshot: UInt64, isWriting: Bool, _ handle: SQLiteConnectionHandle, _ collections: SQLiteCollections) {
    self.snapshot = snapshot
    self.isWriting = isWriting
    self.handle = handle
    self.collections = collections
  }

  // MARK: Reading

  func object(_ key: String, in collection: String) throws -> [UInt8]? {
    try first("SELECT object FROM \(SQLiteCollections.table(collection)) WHERE key = ?1", key: key) { statement in
      try collections.objects.payload(statement.bytes(at: 0), of: collection)
    }
  }

  func metadata(_ key: String, in collection: String) throws -> [UInt8]? {
    let found = try first("SELECT metadata FROM \(SQLiteCollections.table(collection)) WHERE key = ?1", key: key) {
      Self.metadata($0, at: 0)
    }
    return found ?? nil
  }

  func row(_ key: String, in collection: String) throws -> (object: [UInt8], metadata: [UInt8]?)? {
    let sql = "SELECT object, metadata FROM \(SQLiteCollections.table(collection)) WHERE key = ?1"
    return try first(sql, key: key) { statement in
      (try collections.objects.payload(statement.bytes(at: 0), of: collection), Self.metadata(statement, at: 1))
    }
  }

  func exists(_ key: String, in collection: String) throws -> Bool {
    try first("SELECT 1 FROM \(SQLiteCollections.table(collection)) WHERE key = ?1", key: key) { _ in true } ?? false
  }

  func storedObject(_ key: String, in collection: String) throws -> [UInt8]? { try object(key, in: collection) }
  func storedMetadata(_ key: String, in collection: String) throws -> [UInt8]? { try metadata(key, in: collection) }
  /// Returns nil, because the driver returns objects only as bytes.
  func document(_ key: String, in collection: String) -> Document? { nil }

  func objects(_ keys: [String], in collection: String, _ visit: (Int, [UInt8]?) -> Void) throws {
    for (index, key) in keys.enumerated() { visit(index, try object(key, in: collection)) }
  }

  func scan(_ keys: [String], in collection: String, _ visit: (Int, [UInt8]?) -> Void) throws {
    guard let first = keys.first, let last = keys.last else { return }
    let sql =
      "SELECT key, object FROM \(SQLiteCollections.table(collection)) WHERE key BETWEEN ?1 AND ?2 ORDER BY key"
    var index = 0
    try handle.with(sql) { statement in
      try bound(statement, to: first, and: last) {
        while try statement.step() {
          let key = statement.text(at: 0)
          // Report missing rows as nil.
          while index < keys.count, keys[index] != key {
            visit(index, nil)
            index += 1
          }
          guard index < keys.count else {
            throw SQLiteDriverError("a scan returned the key \"\(key)\"; expected only requested keys, sorted")
          }
          visit(index, try collections.objects.payload(statement.bytes(at: 1), of: collection))
          index += 1
        }
      }
    }
    while index < keys.count {
      visit(index, nil)
      index += 1
    }
  }

  func enumerate(_ collection: String, _ visit: (String, [UInt8]) -> Void) throws {
    try handle.with("SELECT key, object FROM \(SQLiteCollections.table(collection))") { statement in
      while try statement.step() {
        visit(statement.text(at: 0), try collections.objects.payload(statement.bytes(at: 1), of: collection))
      }
    }
  }

  func enumerateRows(_ collection: String, _ visit: (String, [UInt8], [UInt8]?) -> Void) throws {
    try handle.with("SELECT key, object, metadata FROM \(SQLiteCollections.table(collection))") { statement in
      while try statement.step() {
        let object = try collections.objects.payload(statement.bytes(at: 1), of: collection)
        visit(statement.text(at: 0), object, Self.metadata(statement, at: 2))
      }
    }
  }

  func viewRange(_ view: String, group: String, from index: Int, count: Int, _ body: (String, [UInt8]) -> Void) throws {
    throw SQLiteDriverError("SQLite has no views whose rows are looked up by position")
  }

  func count(in collection: String) throws -> Int {
    try handle.with("SELECT count(*) FROM \(SQLiteCollections.table(collection))") { statement in
      try statement.step() ? Int(statement.integer(at: 0)) : 0
    }
  }

  // MARK: Writing

  func set(_ object: [UInt8], metadata: [UInt8]?, _ key: String, in collection: String) throws {
    let sql =
      "INSERT INTO \(SQLiteCollections.table(collection)) VALUES (?1, ?2, ?3) "
      + "ON CONFLICT(key) DO UPDATE SET object = excluded.object, metadata = excluded.metadata"
    try change(
      sql,
      key,
      object: try collections.objects.stored(object, of: collection),
      metadata: metadata,
      hasMetadata: true
    )
  }

  func setMetadata(_ metadata: [UInt8], _ key: String, in collection: String) throws {
    let sql = "UPDATE \(SQLiteCollections.table(collection)) SET metadata = ?3 WHERE key = ?1"
    try change(sql, key, metadata: metadata, hasMetadata: true)
  }

  func replace(_ object: [UInt8], _ key: String, in collection: String) throws {
    let sql = "UPDATE \(SQLiteCollections.table(collection)) SET object = ?2 WHERE key = ?1"
    try change(sql, key, object: try collections.objects.stored(object, of: collection))
  }

  func touch(_ key: String, in collection: String) throws {
    throw SQLiteDriverError("SQLite reports no changes of rows, so a touch has no effect")
  }

  func remove(_ key: String, in collection: String) throws {
    try change("DELETE FROM \(SQLiteCollections.table(collection)) WHERE key = ?1", key)
  }

  func removeAll(in collection: String) throws {
    try checkWriting()
    // Without a WHERE clause SQLite clears the whole table at once, but still counts its rows.
    try handle.run("DELETE FROM \(SQLiteCollections.table(collection))")
    if handle.sqlite.changes > 0 { hasChanged = true }
  }

  private func checkWriting() throws {
    guard isWriting else { throw SQLiteDriverError("a read cannot change rows; use a read-write transaction") }
  }

  /// Runs a statement. Binds the key as ?1, the object, if any, as ?2, and, if the statement sets metadata, the
  /// metadata or NULL as ?3.
  private func change(
    _ sql: String,
    _ key: String,
    object: [UInt8]? = nil,
    metadata: [UInt8]? = nil,
    hasMetadata: Bool = false
  ) throws {
    try checkWriting()
    try handle.with(sql) { statement in
      try Self.withBytes(object) { object in
        if let object { try statement.bindBlob(object, at: 2) }
        try Self.withBytes(metadata) { metadata in
          if let metadata {
            try statement.bindBlob(metadata, at: 3)
          } else if hasMetadata {
            try statement.bindNull(at: 3)
          }
          try bound(statement, to: key) { while try statement.step() {} }
        }
      }
    }
    if handle.sqlite.changes > 0 { hasChanged = true }
  }

  private static func withBytes(_ bytes: [UInt8]?, _ body: (UnsafeRawBufferPointer?) throws -> Void) throws {
    guard let bytes else { return try body(nil) }
    try bytes.withUnsafeBytes { try body($0) }
  }

  // MARK: Statements

  private static func metadata(_ statement: SQLiteStatement, at column: Int32) -> [UInt8]? {
    statement.isNull(at: column) ? nil : [UInt8](statement.bytes(at: column))
  }

  /// Returns the result of `take` for the first row; nil if there is no row.
  private func first<Result>(_ sql: String, key: String, _ take: (SQLiteStatement) throws -> Result) throws -> Result? {
    try handle.with(sql) { statement in
      try bound(statement, to: key) { try statement.step() ? try take(statement) : nil }
    }
  }

  /// Runs `body` with `key` bound as ?1 and `second`, if any, as ?2. Resets the statement before the texts can move.
  private func bound<Result>(
    _ statement: SQLiteStatement,
    to key: String,
    and second: String? = nil,
    _ body: () throws -> Result
  ) throws -> Result {
    var key = key
    return try key.withUTF8 { bytes in
      try statement.bindText(bytes, at: 1)
      defer { statement.reset() }
      guard var second else { return try body() }
      return try second.withUTF8 { bytes in
        try statement.bindText(bytes, at: 2)
        defer { statement.reset() }
        return try body()
      }
    }
  }
}
