internal import SQLiteBinding

/// A transaction on a handle, within its block.
struct SQLiteTransaction: PlainTransaction {
  let snapshot: UInt64
  let isWriting: Bool
  let handle: SQLiteConnectionHandle

  // MARK: Reading

  func object(_ key: String, in collection: String) throws -> [UInt8]? {
    try first(.object, key, in: collection) { rows, found in try rows.payload(found.bytes(at: 0)) }
  }

  func metadata(_ key: String, in collection: String) throws -> [UInt8]? {
    try first(.metadata, key, in: collection) { _, found in Self.metadata(found, at: 0) } ?? nil
  }

  func row(_ key: String, in collection: String) throws -> (object: [UInt8], metadata: [UInt8]?)? {
    try first(.row, key, in: collection) { rows, found in
      (try rows.payload(found.bytes(at: 0)), Self.metadata(found, at: 1))
    }
  }

  func exists(_ key: String, in collection: String) throws -> Bool {
    try first(.exists, key, in: collection) { _, _ in true } ?? false
  }

  func scan(_ keys: [String], in collection: String, _ visit: (Int, [UInt8]?) -> Void) throws {
    guard let first = keys.first, let last = keys.last else { return }
    let rows = try handle.collections.named(collection)
    let statement = try rows.handle[.scan]
    try first.withBytes { first in
      try last.withBytes { last in
        defer { statement.reset() }
        try statement.bindText(first, at: 1)
        try statement.bindText(last, at: 2)
        var merge = ScanMerge(keys)
        while try statement.step() {
          try merge.take(statement.text(at: 0), object: rows.payload(statement.bytes(at: 1)), visit)
        }
        merge.end(visit)
      }
    }
  }

  func enumerate(_ collection: String, _ visit: (String, [UInt8]) -> Void) throws {
    let rows = try handle.collections.named(collection)
    let statement = try rows.handle[.enumerate]
    defer { statement.reset() }
    while try statement.step() { visit(statement.text(at: 0), try rows.payload(statement.bytes(at: 1))) }
  }

  func enumerateRows(_ collection: String, _ visit: (String, [UInt8], [UInt8]?) -> Void) throws {
    let rows = try handle.collections.named(collection)
    let statement = try rows.handle[.enumerateRows]
    defer { statement.reset() }
    while try statement.step() {
      let object = try rows.payload(statement.bytes(at: 1))
      visit(statement.text(at: 0), object, Self.metadata(statement, at: 2))
    }
  }

  func count(in collection: String) throws -> Int {
    let statement = try handle.collections.named(collection).handle[.count]
    defer { statement.reset() }
    return try statement.step() ? Int(statement.integer(at: 0)) : 0
  }

  /// Returns the result of `take` for the row with the key; nil if there is none.
  private func first<Result>(
    _ kind: SQLiteRowStatement,
    _ key: String,
    in collection: String,
    take: (DriverCollection<SQLiteStatements>, SQLiteStatement) throws -> Result
  ) throws -> Result? {
    let rows = try handle.collections.named(collection)
    let statement = try rows.handle[kind]
    return try key.withBytes { key in
      // Before the key's bytes can move.
      defer { statement.reset() }
      try statement.bindText(key, at: 1)
      return try statement.step() ? try take(rows, statement) : nil
    }
  }

  private static func metadata(_ statement: SQLiteStatement, at column: Int32) -> [UInt8]? {
    statement.isNull(at: column) ? nil : [UInt8](statement.bytes(at: column))
  }

  // MARK: Writing

  func set(_ object: [UInt8], metadata: [UInt8]?, _ key: String, in collection: String) throws {
    try change(.set, key, in: collection, object: object, metadata: metadata)
  }

  func setMetadata(_ metadata: [UInt8], _ key: String, in collection: String) throws {
    try change(.setMetadata, key, in: collection, metadata: metadata)
  }

  func replace(_ object: [UInt8], _ key: String, in collection: String) throws {
    try change(.replace, key, in: collection, object: object)
  }

  func remove(_ key: String, in collection: String) throws {
    try change(.remove, key, in: collection)
  }

  func removeAll(in collection: String) throws {
    try checkWriting()
    try handle.collections.named(collection).handle[.removeAll].run()
  }

  private func checkWriting() throws {
    guard isWriting else { throw DriverError.writeInRead }
  }

  private func change(
    _ kind: SQLiteRowStatement,
    _ key: String,
    in collection: String,
    object: [UInt8]? = nil,
    metadata: [UInt8]? = nil
  ) throws {
    try checkWriting()
    let rows = try handle.collections.named(collection)
    let statement = try rows.handle[kind]
    let stored = try object.map(rows.stored)
    try key.withBytes { key in
      try (stored ?? []).withUnsafeBytes { storedBytes in
        try (metadata ?? []).withUnsafeBytes { metadataBytes in
          // Before the bytes can move.
          defer { statement.reset() }
          try statement.bindText(key, at: 1)
          if stored != nil { try statement.bindBlob(storedBytes, at: 2) }
          if metadata != nil {
            try statement.bindBlob(metadataBytes, at: 3)
          } else if kind == .set {
            try statement.bindNull(at: 3)
          }
          while try statement.step() {}
        }
      }
    }
  }
}
