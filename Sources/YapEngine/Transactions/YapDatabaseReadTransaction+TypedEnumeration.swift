/// Enumerations of values whose type the caller names; see the enumerations without a type.
///
/// Each ends with `typeMismatch` at the first value of another type. The handler of undecodable values is not asked
/// about such values: they could be decoded.
extension YapDatabaseReadTransaction {
  /// The `filter` receives the key first; the object of a key that it rejects is neither read nor decoded.
  public final func enumerateKeysAndObjects<Value: Sendable>(
    _ type: Value.Type,
    inCollection collection: String = "",
    filter: (String) throws -> Bool = { _ in true },
    using block: (_ key: String, _ object: Value, _ stop: inout Bool) throws -> Void
  ) throws {
    try enumerateKeysAndObjects(inCollection: collection, filter: filter) { key, object, stop in
      try block(key, cast(object, to: type, .object, key, collection), &stop)
    }
  }

  /// The `filter` receives the key first; the metadata of a key that it rejects is neither read nor decoded.
  public final func enumerateKeysAndMetadata<Value: Sendable>(
    _ type: Value.Type,
    inCollection collection: String = "",
    filter: (String) throws -> Bool = { _ in true },
    using block: (_ key: String, _ metadata: Value?, _ stop: inout Bool) throws -> Void
  ) throws {
    try enumerateKeysAndMetadata(inCollection: collection, filter: filter) { key, metadata, stop in
      try block(key, metadata.map { try cast($0, to: type, .metadata, key, collection) }, &stop)
    }
  }

  /// The `filter` receives the key first; the row of a key that it rejects is neither read nor decoded.
  public final func enumerateRows<Object: Sendable, Metadata: Sendable>(
    _ type: Object.Type,
    metadata metadataType: Metadata.Type,
    inCollection collection: String = "",
    filter: (String) throws -> Bool = { _ in true },
    using block: (_ key: String, _ object: Object, _ metadata: Metadata?, _ stop: inout Bool) throws -> Void
  ) throws {
    try enumerateRows(inCollection: collection, filter: filter) { key, object, metadata, stop in
      try block(
        key,
        cast(object, to: type, .object, key, collection),
        metadata.map { try cast($0, to: metadataType, .metadata, key, collection) },
        &stop
      )
    }
  }

  /// Objects for several keys, in the keys' order; nil for a key without a row. Keys may repeat.
  public final func enumerateObjects<Value: Sendable>(
    _ type: Value.Type,
    forKeys keys: some Sequence<String>,
    inCollection collection: String = "",
    using block: (_ index: Int, _ object: Value?, _ stop: inout Bool) throws -> Void
  ) throws {
    let keys = Array(keys)
    try enumerateObjects(forKeys: keys, inCollection: collection) { index, object, stop in
      try block(index, object.map { try cast($0, to: type, .object, keys[index], collection) }, &stop)
    }
  }

  /// Metadata for several keys, in the keys' order; nil for a key without a row, or a row without metadata.
  public final func enumerateMetadata<Value: Sendable>(
    _ type: Value.Type,
    forKeys keys: some Sequence<String>,
    inCollection collection: String = "",
    using block: (_ index: Int, _ metadata: Value?, _ stop: inout Bool) throws -> Void
  ) throws {
    let keys = Array(keys)
    try enumerateMetadata(forKeys: keys, inCollection: collection) { index, metadata, stop in
      try block(index, metadata.map { try cast($0, to: type, .metadata, keys[index], collection) }, &stop)
    }
  }

  /// Rows for several keys, in the keys' order; nil for a key without a row. Keys may repeat.
  public final func enumerateRows<Object: Sendable, Metadata: Sendable>(
    _ type: Object.Type,
    metadata metadataType: Metadata.Type,
    forKeys keys: some Sequence<String>,
    inCollection collection: String = "",
    using block: (_ index: Int, _ row: (object: Object, metadata: Metadata?)?, _ stop: inout Bool) throws -> Void
  ) throws {
    let keys = Array(keys)
    try enumerateRows(forKeys: keys, inCollection: collection) { index, row, stop in
      guard let row else { return try block(index, nil, &stop) }
      let object = try cast(row.object, to: type, .object, keys[index], collection)
      let metadata = try row.metadata.map { try cast($0, to: metadataType, .metadata, keys[index], collection) }
      try block(index, (object, metadata), &stop)
    }
  }

  // MARK: All collections

  /// The `filter` receives collection and key first; an object that it rejects is neither read nor decoded.
  public final func enumerateKeysAndObjectsInAllCollections<Value: Sendable>(
    _ type: Value.Type,
    filter: (_ collection: String, _ key: String) throws -> Bool = { _, _ in true },
    using block: (_ collection: String, _ key: String, _ object: Value, _ stop: inout Bool) throws -> Void
  ) throws {
    try enumerateKeysAndObjectsInAllCollections(filter: filter) { collection, key, object, stop in
      try block(collection, key, cast(object, to: type, .object, key, collection), &stop)
    }
  }

  /// The `filter` receives collection and key first; metadata that it rejects is neither read nor decoded.
  public final func enumerateKeysAndMetadataInAllCollections<Value: Sendable>(
    _ type: Value.Type,
    filter: (_ collection: String, _ key: String) throws -> Bool = { _, _ in true },
    using block: (_ collection: String, _ key: String, _ metadata: Value?, _ stop: inout Bool) throws -> Void
  ) throws {
    try enumerateKeysAndMetadataInAllCollections(filter: filter) { collection, key, metadata, stop in
      try block(collection, key, metadata.map { try cast($0, to: type, .metadata, key, collection) }, &stop)
    }
  }

  /// The `filter` receives collection and key first; a row that it rejects is neither read nor decoded.
  public final func enumerateRowsInAllCollections<Object: Sendable, Metadata: Sendable>(
    _ type: Object.Type,
    metadata metadataType: Metadata.Type,
    filter: (_ collection: String, _ key: String) throws -> Bool = { _, _ in true },
    using block: (
      _ collection: String, _ key: String, _ object: Object, _ metadata: Metadata?, _ stop: inout Bool
    ) throws -> Void
  ) throws {
    try enumerateRowsInAllCollections(filter: filter) { collection, key, object, metadata, stop in
      try block(
        collection,
        key,
        cast(object, to: type, .object, key, collection),
        metadata.map { try cast($0, to: metadataType, .metadata, key, collection) },
        &stop
      )
    }
  }
}
