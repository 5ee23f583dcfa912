internal import Glibc

/// A transaction of a driver without tables, which stores each row as a `StoredRow` under its key.
protocol StoredRowTransaction: PlainTransaction {
  /// The engine's reference to a collection's rows.
  associatedtype Handle
  var collections: DriverCollections<Handle> { get }
  /// Returns the result of `take` for the row; nil without such a row. The row is valid only within `take`.
  func found<Result>(
    _ key: String,
    in rows: DriverCollection<Handle>,
    _ take: (StoredRow) throws -> Result
  ) throws -> Result?
  /// Visits rows in the order of their keys' bytes, until `body` returns false. Key and row are valid only within
  /// `body`.
  /// - Parameter first: The least key to visit; nil for all rows.
  func walk(
    _ rows: DriverCollection<Handle>,
    from first: String?,
    _ body: (_ key: UnsafeRawBufferPointer, _ row: StoredRow) throws -> Bool
  ) throws
}

extension StoredRowTransaction {
  func object(_ key: String, in collection: String) throws -> [UInt8]? {
    let rows = try collections.named(collection)
    return try found(key, in: rows) { try rows.payload($0.object) }
  }

  func metadata(_ key: String, in collection: String) throws -> [UInt8]? {
    try found(key, in: collections.named(collection)) { $0.metadata.map { [UInt8]($0) } } ?? nil
  }

  func row(_ key: String, in collection: String) throws -> (object: [UInt8], metadata: [UInt8]?)? {
    let rows = try collections.named(collection)
    return try found(key, in: rows) { (try rows.payload($0.object), $0.metadata.map { [UInt8]($0) }) }
  }

  func scan(_ keys: [String], in collection: String, _ visit: (Int, [UInt8]?) -> Void) throws {
    guard let first = keys.first else { return }
    let rows = try collections.named(collection)
    var index = 0
    try walk(rows, from: first) { key, row in
      var order = keys[index].order(relativeTo: key)
      while order < 0 {
        // This row is missing.
        visit(index, nil)
        index += 1
        if index == keys.count { return false }
        order = keys[index].order(relativeTo: key)
      }
      guard order == 0 else { throw DriverError.unexpectedKey(String(decoding: key, as: UTF8.self)) }
      visit(index, try rows.payload(row.object))
      index += 1
      return index < keys.count
    }
    for missing in index..<keys.count { visit(missing, nil) }
  }

  func enumerate(_ collection: String, _ visit: (String, [UInt8]) -> Void) throws {
    let rows = try collections.named(collection)
    try walk(rows, from: nil) { key, row in
      visit(String(decoding: key, as: UTF8.self), try rows.payload(row.object))
      return true
    }
  }

  func enumerateRows(_ collection: String, _ visit: (String, [UInt8], [UInt8]?) -> Void) throws {
    let rows = try collections.named(collection)
    try walk(rows, from: nil) { key, row in
      let object = try rows.payload(row.object)
      visit(String(decoding: key, as: UTF8.self), object, row.metadata.map { [UInt8]($0) })
      return true
    }
  }
}

extension String {
  /// Compares the text's bytes in UTF-8 with others, as the engines order keys.
  /// - Returns: A negative number if the text comes first, 0 if both are equal, and otherwise a positive one.
  fileprivate func order(relativeTo other: UnsafeRawBufferPointer) -> Int {
    withBytes { own in
      let common = min(own.count, other.count)
      guard common > 0, let left = own.baseAddress, let right = other.baseAddress else {
        return own.count - other.count
      }
      let order = memcmp(left, right, common)
      return order != 0 ? Int(order) : own.count - other.count
    }
  }
}
