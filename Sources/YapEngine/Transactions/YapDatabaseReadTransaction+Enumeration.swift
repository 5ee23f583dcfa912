internal import SQLiteBinding

/// Lists and enumerations. The order is specified only where the caller passes keys, or a sorted range of them
/// (`YapDatabaseKeyRange`).
///
/// Each enumeration passes a flag to its block, with which the block can end it early. Enumerations may be nested. A
/// block that changes rows must set the flag; otherwise the enumeration throws `mutatedDuringEnumeration`. Touching is
/// not a change in this sense. An enumeration for given keys allows changes.
///
/// An object or metadata that cannot be decoded ends an enumeration with the error `codec`, unless
/// `YapDatabaseOptions.undecodableValueHandler` skips the row or replaces the value. Only values that the enumeration
/// passes to its block are decoded.
extension YapDatabaseReadTransaction {
  /// The number of collections that have rows.
  public final func numberOfCollections() throws -> Int { try allCollections().count }

  public final func numberOfKeys(inCollection collection: String = "") throws -> Int {
    let handle = try handle()
    guard let collection = caches.collection(named: collection) else { return 0 }
    return try handle.with(.count) { statement in
      try statement.bind(collection.number, at: 1)
      return try statement.step() ? Int(statement.integer(at: 0)) : 0
    }
  }

  public final func numberOfKeysInAllCollections() throws -> Int {
    try handle().with(.countAll) { try $0.step() ? Int($0.integer(at: 0)) : 0 }
  }

  /// The names of all collections that have rows.
  public final func allCollections() throws -> [String] {
    try handle().with(.collections) { try collectionNames($0) }
  }

  /// The names of all collections that have a row for `key`.
  public final func collections(withKey key: String) throws -> [String] {
    let handle = try handle()
    return try handle.with(.collectionsWithKey) { statement in
      try key.withUTF8Bytes { bytes in
        try statement.bindText(bytes, at: 1)
        return try collectionNames(statement)
      }
    }
  }

  public final func allKeys(inCollection collection: String = "") throws -> [String] {
    var keys: [String] = []
    try enumerateKeys(inCollection: collection) { key, _ in keys.append(key) }
    return keys
  }

  public final func enumerateKeys(
    inCollection collection: String = "",
    keys: YapDatabaseKeyRange = .all,
    using block: (_ key: String, _ stop: inout Bool) throws -> Void
  ) throws {
    try enumerate(.keys, keys: keys, inCollection: collection) { key, _, _, stop in
      try block(String(decoding: key, as: UTF8.self), &stop)
    }
  }

  /// The `filter` receives the key first; the object of a key that it rejects is neither read nor decoded.
  public final func enumerateKeysAndObjects(
    inCollection collection: String = "",
    keys: YapDatabaseKeyRange = .all,
    filter: (String) throws -> Bool = { _ in true },
    using block: (_ key: String, _ object: Any, _ stop: inout Bool) throws -> Void
  ) throws {
    try enumerateObjects(.objects, keys: keys, inCollection: collection, filter: filter) {
      key,
      object,
      _,
      _,
      stop in
      try block(key, object, &stop)
    }
  }

  public final func enumerateKeysAndMetadata(
    inCollection collection: String = "",
    keys: YapDatabaseKeyRange = .all,
    filter: (String) throws -> Bool = { _ in true },
    using block: (_ key: String, _ metadata: Any?, _ stop: inout Bool) throws -> Void
  ) throws {
    try enumerate(.metadatas, keys: keys, inCollection: collection) { utf8, row, collection, stop in
      let key = String(decoding: utf8, as: UTF8.self)
      guard try filter(key),
        case .value(let metadata) = try enumeratedMetadata(row, at: 1, key: key, in: collection)
      else { return }
      try block(key, metadata, &stop)
    }
  }

  public final func enumerateRows(
    inCollection collection: String = "",
    keys: YapDatabaseKeyRange = .all,
    filter: (String) throws -> Bool = { _ in true },
    using block: (_ key: String, _ object: Any, _ metadata: Any?, _ stop: inout Bool) throws -> Void
  ) throws {
    try enumerateObjects(.rows, keys: keys, inCollection: collection, filter: filter) {
      key,
      object,
      row,
      collection,
      stop in
      guard case .value(let metadata) = try enumeratedMetadata(row, at: 2, key: key, in: collection) else { return }
      try block(key, object, metadata, &stop)
    }
  }

  /// Objects for several keys, in the keys' order; nil for a key without a row. Keys may repeat. `block` is not called
  /// for a row that `YapDatabaseOptions.undecodableValueHandler` skips.
  public final func enumerateObjects(
    forKeys keys: some Sequence<String>,
    inCollection collection: String = "",
    using block: (_ index: Int, _ object: Any?, _ stop: inout Bool) throws -> Void
  ) throws {
    try enumerate(keys, reading: { try handledObject(forKey: $0, inCollection: collection) }, block)
  }

  public final func enumerateMetadata(
    forKeys keys: some Sequence<String>,
    inCollection collection: String = "",
    using block: (_ index: Int, _ metadata: Any?, _ stop: inout Bool) throws -> Void
  ) throws {
    try enumerate(keys, reading: { try handledMetadata(forKey: $0, inCollection: collection) }, block)
  }

  /// Rows for several keys. See `enumerateObjects(forKeys:inCollection:using:)`.
  public final func enumerateRows(
    forKeys keys: some Sequence<String>,
    inCollection collection: String = "",
    using block: (_ index: Int, _ row: (object: Any, metadata: Any?)?, _ stop: inout Bool) throws -> Void
  ) throws {
    try enumerate(keys, reading: { try handledRow(forKey: $0, inCollection: collection) }, block)
  }

  /// Enumerates rows of a collection with their objects.
  @inline(__always)
  private final func enumerateObjects(
    _ columns: EnumeratedColumns,
    keys: YapDatabaseKeyRange,
    inCollection collection: String,
    filter: (String) throws -> Bool,
    _ visit: (
      _ key: String, _ object: Any, _ row: SQLiteStatement, _ collection: CollectionName, _ stop: inout Bool
    ) throws -> Void
  ) throws {
    let decode = database.objectCodecs.decoder(for: ByteString(collection))
    var hasRoom = caches.objects.hasRoom
    try enumerate(columns, keys: keys, inCollection: collection) { utf8, row, collection, stop in
      let key = String(decoding: utf8, as: UTF8.self)
      guard try filter(key),
        let object = try enumeratedObject(
          row,
          utf8: utf8,
          key: key,
          in: collection,
          decode: decode,
          hasRoom: &hasRoom
        )
      else { return }
      try visit(key, object, row, collection, &stop)
    }
  }

  /// Reads each key individually. With a compiled statement, this is as fast as one statement with many parameters, and
  /// the number of keys needs no limit.
  @inline(__always)
  private final func enumerate<Value>(
    _ keys: some Sequence<String>,
    reading read: (_ key: String) throws -> Handled<Value>,
    _ block: (_ index: Int, _ value: Value, _ stop: inout Bool) throws -> Void
  ) throws {
    try checkMayBeUsed()
    var stop = false
    for (index, key) in keys.enumerated() where !stop {
      guard case .value(let value) = try read(key) else { continue }
      try block(index, value, &stop)
    }
  }

  private final func collectionNames(_ statement: SQLiteStatement) throws -> [String] {
    var names: [String] = []
    while try statement.step() {
      if let name = caches.names.name(of: statement.integer(at: 0)) { names.append(name.text) }
    }
    return names
  }
}

/// Enumerations of all rows, collection by collection, and of the collections. The order of the collections, and of the
/// keys within them, is not specified.
///
/// As in an enumeration of one collection, a block that changes rows must end an enumeration of rows.
extension YapDatabaseReadTransaction {
  public final func enumerateCollections(using block: (_ collection: String, _ stop: inout Bool) throws -> Void) throws
  {
    var stop = false
    for collection in try allCollections() where !stop { try block(collection, &stop) }
  }

  public final func enumerateKeysInAllCollections(
    using block: (_ collection: String, _ key: String, _ stop: inout Bool) throws -> Void
  ) throws {
    try enumerateCollections { collection, stop in
      try enumerateKeys(inCollection: collection) { key, isEnd in
        try block(collection, key, &isEnd)
        stop = isEnd
      }
    }
  }

  /// The `filter` receives collection and key first; the object of a row that it rejects is neither read nor decoded.
  public final func enumerateKeysAndObjectsInAllCollections(
    filter: (_ collection: String, _ key: String) throws -> Bool = { _, _ in true },
    using block: (_ collection: String, _ key: String, _ object: Any, _ stop: inout Bool) throws -> Void
  ) throws {
    try enumerateCollections { collection, stop in
      try enumerateKeysAndObjects(inCollection: collection, filter: { try filter(collection, $0) }) {
        try block(collection, $0, $1, &$2)
        stop = $2
      }
    }
  }

  public final func enumerateKeysAndMetadataInAllCollections(
    filter: (_ collection: String, _ key: String) throws -> Bool = { _, _ in true },
    using block: (_ collection: String, _ key: String, _ metadata: Any?, _ stop: inout Bool) throws -> Void
  ) throws {
    try enumerateCollections { collection, stop in
      try enumerateKeysAndMetadata(inCollection: collection, filter: { try filter(collection, $0) }) {
        try block(collection, $0, $1, &$2)
        stop = $2
      }
    }
  }

  public final func enumerateRowsInAllCollections(
    filter: (_ collection: String, _ key: String) throws -> Bool = { _, _ in true },
    using block: (_ collection: String, _ key: String, _ object: Any, _ metadata: Any?, _ stop: inout Bool) throws ->
      Void
  ) throws {
    try enumerateCollections { collection, stop in
      try enumerateRows(inCollection: collection, filter: { try filter(collection, $0) }) {
        try block(collection, $0, $1, $2, &$3)
        stop = $3
      }
    }
  }
}
