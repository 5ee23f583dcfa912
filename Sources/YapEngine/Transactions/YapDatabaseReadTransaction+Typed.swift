/// Reads of values whose type the caller names. The type must be `Sendable`, because under the policy share, other
/// connections return the same instance on other threads.
extension YapDatabaseReadTransaction {
  /// The object for a key; nil if there is no such row.
  /// - Throws: `typeMismatch` if the codec of the collection returns a value of another type.
  @inlinable
  public final func object<Value: Sendable>(
    _ type: Value.Type,
    forKey key: String,
    inCollection collection: String = ""
  ) throws -> Value? {
    guard let object = try object(forKey: key, inCollection: collection) else { return nil }
    return try cast(object, to: type, .object, key: key, in: collection)
  }

  /// The metadata for a key; nil if there is no such row, or it has none.
  /// - Throws: `typeMismatch` if the codec of the collection returns a value of another type.
  @inlinable
  public final func metadata<Value: Sendable>(
    _ type: Value.Type,
    forKey key: String,
    inCollection collection: String = ""
  ) throws -> Value? {
    guard let metadata = try metadata(forKey: key, inCollection: collection) else { return nil }
    return try cast(metadata, to: type, .metadata, key: key, in: collection)
  }

  /// Object and metadata for a key; nil if there is no such row.
  /// - Throws: `typeMismatch` if a codec of the collection returns a value of another type.
  @inlinable
  public final func row<Object: Sendable, Metadata: Sendable>(
    _ type: Object.Type,
    metadata metadataType: Metadata.Type,
    forKey key: String,
    inCollection collection: String = ""
  ) throws -> (object: Object, metadata: Metadata?)? {
    guard let row = try row(forKey: key, inCollection: collection) else { return nil }
    return (
      try cast(row.object, to: type, .object, key: key, in: collection),
      try row.metadata.map { try cast($0, to: metadataType, .metadata, key: key, in: collection) }
    )
  }

  /// - Throws: `typeMismatch` for a value of another type.
  @inlinable
  @inline(__always)
  final func cast<Value>(
    _ value: Any,
    to type: Value.Type,
    _ part: YapDatabaseUndecodableValue.Part,
    key: String,
    in collection: String
  ) throws -> Value {
    if let same = exactly(type, value) { return same }
    return try converted(value, to: type, part, key: key, in: collection)
  }

  // Not inlined, because `cast` would then prepare a conversion for each value.
  @inline(never)
  @usableFromInline
  final func converted<Value>(
    _ value: Any,
    to type: Value.Type,
    _ part: YapDatabaseUndecodableValue.Part,
    key: String,
    in collection: String
  ) throws -> Value {
    if let value = value as? Value { return value }
    throw YapDatabaseError(
      .typeMismatch,
      "the \(part.rawValue) for key \"\(key)\" in collection \"\(collection)\" is of type "
        + "\(Swift.type(of: value)); expected \(type): request the stored type, or give the collection another codec"
    )
  }
}

/// Returns the value if it has exactly that type, as most have. A cast takes several times as long.
@inlinable
@inline(__always)
func exactly<Value>(_ type: Value.Type, _ value: Any) -> Value? {
  func isSame<Found>(_ found: Found) -> Bool { Found.self == type }
  func same<Found>(_ found: Found) -> Value { unsafeBitCast(found, to: Value.self) }
  return isSame(value) ? same(value) : nil
}

/// Enumerations of values whose type the caller names; see the enumerations without a type.
///
/// Each ends with `typeMismatch` at the first value of another type. The handler of undecodable values is not called
/// for such a value, because its codec has decoded it.
extension YapDatabaseReadTransaction {
  /// The `filter` receives the key first; the object of a key that it rejects is neither read nor decoded.
  @inlinable
  public final func enumerateKeysAndObjects<Value: Sendable>(
    _ type: Value.Type,
    inCollection collection: String = "",
    keys: YapDatabaseKeyRange = .all,
    filter: (String) throws -> Bool = { _ in true },
    using block: (_ key: String, _ object: Value, _ stop: inout Bool) throws -> Void
  ) throws {
    try enumerateKeysAndObjects(inCollection: collection, keys: keys, filter: filter) { key, object, stop in
      try block(key, cast(object, to: type, .object, key: key, in: collection), &stop)
    }
  }

  /// The `filter` receives the key first; the metadata of a key that it rejects is neither read nor decoded.
  @inlinable
  public final func enumerateKeysAndMetadata<Value: Sendable>(
    _ type: Value.Type,
    inCollection collection: String = "",
    keys: YapDatabaseKeyRange = .all,
    filter: (String) throws -> Bool = { _ in true },
    using block: (_ key: String, _ metadata: Value?, _ stop: inout Bool) throws -> Void
  ) throws {
    try enumerateKeysAndMetadata(inCollection: collection, keys: keys, filter: filter) { key, metadata, stop in
      try block(key, metadata.map { try cast($0, to: type, .metadata, key: key, in: collection) }, &stop)
    }
  }

  /// The `filter` receives the key first; the row of a key that it rejects is neither read nor decoded.
  @inlinable
  public final func enumerateRows<Object: Sendable, Metadata: Sendable>(
    _ type: Object.Type,
    metadata metadataType: Metadata.Type,
    inCollection collection: String = "",
    keys: YapDatabaseKeyRange = .all,
    filter: (String) throws -> Bool = { _ in true },
    using block: (_ key: String, _ object: Object, _ metadata: Metadata?, _ stop: inout Bool) throws -> Void
  ) throws {
    try enumerateRows(inCollection: collection, keys: keys, filter: filter) { key, object, metadata, stop in
      try block(
        key,
        cast(object, to: type, .object, key: key, in: collection),
        metadata.map { try cast($0, to: metadataType, .metadata, key: key, in: collection) },
        &stop
      )
    }
  }

  /// Objects for several keys, in the keys' order; nil for a key without a row. Keys may repeat.
  @inlinable
  public final func enumerateObjects<Value: Sendable>(
    _ type: Value.Type,
    forKeys keys: some Sequence<String>,
    inCollection collection: String = "",
    using block: (_ index: Int, _ object: Value?, _ stop: inout Bool) throws -> Void
  ) throws {
    let keys = Array(keys)
    try enumerateObjects(forKeys: keys, inCollection: collection) { index, object, stop in
      try block(index, object.map { try cast($0, to: type, .object, key: keys[index], in: collection) }, &stop)
    }
  }

  /// Metadata for several keys, in the keys' order; nil for a key without a row, or a row without metadata.
  @inlinable
  public final func enumerateMetadata<Value: Sendable>(
    _ type: Value.Type,
    forKeys keys: some Sequence<String>,
    inCollection collection: String = "",
    using block: (_ index: Int, _ metadata: Value?, _ stop: inout Bool) throws -> Void
  ) throws {
    let keys = Array(keys)
    try enumerateMetadata(forKeys: keys, inCollection: collection) { index, metadata, stop in
      try block(index, metadata.map { try cast($0, to: type, .metadata, key: keys[index], in: collection) }, &stop)
    }
  }

  /// Rows for several keys, in the keys' order; nil for a key without a row. Keys may repeat.
  @inlinable
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
      let object = try cast(row.object, to: type, .object, key: keys[index], in: collection)
      let metadata = try row.metadata.map {
        try cast($0, to: metadataType, .metadata, key: keys[index], in: collection)
      }
      try block(index, (object, metadata), &stop)
    }
  }

  // MARK: All collections

  /// The `filter` receives collection and key first; the object of a row that it rejects is neither read nor decoded.
  @inlinable
  public final func enumerateKeysAndObjectsInAllCollections<Value: Sendable>(
    _ type: Value.Type,
    filter: (_ collection: String, _ key: String) throws -> Bool = { _, _ in true },
    using block: (_ collection: String, _ key: String, _ object: Value, _ stop: inout Bool) throws -> Void
  ) throws {
    try enumerateKeysAndObjectsInAllCollections(filter: filter) { collection, key, object, stop in
      try block(collection, key, cast(object, to: type, .object, key: key, in: collection), &stop)
    }
  }

  /// The `filter` receives collection and key first; the metadata of a row that it rejects is neither read nor decoded.
  @inlinable
  public final func enumerateKeysAndMetadataInAllCollections<Value: Sendable>(
    _ type: Value.Type,
    filter: (_ collection: String, _ key: String) throws -> Bool = { _, _ in true },
    using block: (_ collection: String, _ key: String, _ metadata: Value?, _ stop: inout Bool) throws -> Void
  ) throws {
    try enumerateKeysAndMetadataInAllCollections(filter: filter) { collection, key, metadata, stop in
      try block(collection, key, metadata.map { try cast($0, to: type, .metadata, key: key, in: collection) }, &stop)
    }
  }

  /// The `filter` receives collection and key first; a row that it rejects is neither read nor decoded.
  @inlinable
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
        cast(object, to: type, .object, key: key, in: collection),
        metadata.map { try cast($0, to: metadataType, .metadata, key: key, in: collection) },
        &stop
      )
    }
  }
}
