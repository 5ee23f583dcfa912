/// Reads of values whose type the caller names. The type must be `Sendable`, because under the policy share, other
/// connections return the same instance on other threads.
extension YapDatabaseReadTransaction {
  /// The object for a key; nil if there is no such row.
  /// - Throws: `typeMismatch` if the codec of the collection returns a value of another type.
  public final func object<Value: Sendable>(
    _ type: Value.Type,
    forKey key: String,
    inCollection collection: String = ""
  ) throws -> Value? {
    try object(forKey: key, inCollection: collection).map { try cast($0, to: type, .object, key, collection) }
  }

  /// The metadata for a key; nil if there is no such row, or it has none.
  /// - Throws: `typeMismatch` if the codec of the collection returns a value of another type.
  public final func metadata<Value: Sendable>(
    _ type: Value.Type,
    forKey key: String,
    inCollection collection: String = ""
  ) throws -> Value? {
    try metadata(forKey: key, inCollection: collection).map { try cast($0, to: type, .metadata, key, collection) }
  }

  /// Object and metadata for a key; nil if there is no such row.
  /// - Throws: `typeMismatch` if a codec of the collection returns a value of another type.
  public final func row<Object: Sendable, Metadata: Sendable>(
    _ type: Object.Type,
    metadata metadataType: Metadata.Type,
    forKey key: String,
    inCollection collection: String = ""
  ) throws -> (object: Object, metadata: Metadata?)? {
    guard let row = try row(forKey: key, inCollection: collection) else { return nil }
    return (
      try cast(row.object, to: type, .object, key, collection),
      try row.metadata.map { try cast($0, to: metadataType, .metadata, key, collection) }
    )
  }

  /// - Throws: `typeMismatch` for a value of another type.
  final func cast<Value>(
    _ value: Any,
    to type: Value.Type,
    _ part: YapDatabaseUndecodableValue.Part,
    _ key: String,
    _ collection: String
  ) throws -> Value {
    if let value = value as? Value { return value }
    throw YapDatabaseError(
      .typeMismatch,
      "the \(part.rawValue) for key \"\(key)\" in collection \"\(collection)\" is of type "
        + "\(Swift.type(of: value)); expected \(type): request the stored type, or give the collection another codec"
    )
  }
}
