public import Foundation

/// Calls that return values of a type given by the caller; see the calls without a type.
///
/// Each throws `typeMismatch` for a value of another type. The error's message names the row's key and collection.
extension YapDatabaseViewTransaction {
  public func object<Value: Sendable>(_ type: Value.Type, atIndex index: Int, inGroup group: String) throws -> Value? {
    guard let row = try row(at: index, inGroup: group, .object) else { return nil }
    return try object(type, of: row)
  }

  /// Returns the metadata of a row; nil also for a row without metadata.
  public func metadata<Value: Sendable>(
    _ type: Value.Type,
    atIndex index: Int,
    inGroup group: String
  ) throws -> Value? {
    guard let row = try row(at: index, inGroup: group, .metadata) else { return nil }
    return try metadata(type, of: row)
  }

  /// Collection, key, object and metadata of a row.
  public func row<Object: Sendable, Metadata: Sendable>(
    _ type: Object.Type,
    metadata metadataType: Metadata.Type,
    atIndex index: Int,
    inGroup group: String
  ) throws -> (collection: String, key: String, object: Object, metadata: Metadata?)? {
    guard let row = try row(at: index, inGroup: group, [.object, .metadata]) else { return nil }
    return (row.collection.text, row.key, try object(type, of: row), try metadata(metadataType, of: row))
  }

  public func firstObject<Value: Sendable>(_ type: Value.Type, inGroup group: String) throws -> Value? {
    try object(type, atIndex: 0, inGroup: group)
  }

  public func lastObject<Value: Sendable>(_ type: Value.Type, inGroup group: String) throws -> Value? {
    try object(type, atIndex: numberOfItems(inGroup: group) - 1, inGroup: group)
  }

  // MARK: Enumerations

  /// Enumerates keys and objects. The object of a row for which `filter` returns false is neither read nor decoded.
  public func enumerateKeysAndObjects<Value: Sendable>(
    _ type: Value.Type,
    inGroup group: String,
    range: Range<Int>? = nil,
    reversed: Bool = false,
    filter: ((_ index: Int, _ collection: String, _ key: String) throws -> Bool)? = nil,
    using block: (_ collection: String, _ key: String, _ object: Value, _ index: Int, _ stop: inout Bool) throws -> Void
  ) throws {
    try enumerate(group, in: range, reversed: reversed, reading: .object, where: filter) { row, index, stop in
      try block(row.collection.text, row.key, object(type, of: row), index, &stop)
    }
  }

  public func enumerateKeysAndMetadata<Value: Sendable>(
    _ type: Value.Type,
    inGroup group: String,
    range: Range<Int>? = nil,
    reversed: Bool = false,
    filter: ((_ index: Int, _ collection: String, _ key: String) throws -> Bool)? = nil,
    using block: (
      _ collection: String, _ key: String, _ metadata: Value?, _ index: Int, _ stop: inout Bool
    ) throws -> Void
  ) throws {
    try enumerate(group, in: range, reversed: reversed, reading: .metadata, where: filter) { row, index, stop in
      try block(row.collection.text, row.key, metadata(type, of: row), index, &stop)
    }
  }

  public func enumerateRows<Object: Sendable, Metadata: Sendable>(
    _ type: Object.Type,
    metadata metadataType: Metadata.Type,
    inGroup group: String,
    range: Range<Int>? = nil,
    reversed: Bool = false,
    filter: ((_ index: Int, _ collection: String, _ key: String) throws -> Bool)? = nil,
    using block: (
      _ collection: String, _ key: String, _ object: Object, _ metadata: Metadata?, _ index: Int, _ stop: inout Bool
    ) throws -> Void
  ) throws {
    try enumerate(group, in: range, reversed: reversed, reading: [.object, .metadata], where: filter) {
      row,
      index,
      stop in
      try block(row.collection.text, row.key, object(type, of: row), metadata(metadataType, of: row), index, &stop)
    }
  }

  // MARK: Searches

  /// Finds the rows of a group for whose objects `block` returns `.orderedSame`, by binary search.
  /// - Returns: The indexes of the rows; nil if there are none.
  public func findRange<Value: Sendable>(
    _ type: Value.Type,
    inGroup group: String,
    usingObject block: (_ collection: String, _ key: String, _ object: Value) throws -> ComparisonResult
  ) throws -> Range<Int>? {
    try findRange(
      inGroup: group,
      usingObject: { collection, key, object in
        try block(collection, key, transaction.cast(object, to: type, .object, key: key, in: collection))
      }
    )
  }

  /// Finds rows as `findRange(_:inGroup:usingObject:)` does, with a closure that receives the metadata.
  public func findRange<Value: Sendable>(
    _ type: Value.Type,
    inGroup group: String,
    usingMetadata block: (_ collection: String, _ key: String, _ metadata: Value?) throws -> ComparisonResult
  ) throws -> Range<Int>? {
    try findRange(
      inGroup: group,
      usingMetadata: { collection, key, metadata in
        try block(
          collection,
          key,
          metadata.map { try transaction.cast($0, to: type, .metadata, key: key, in: collection) }
        )
      }
    )
  }

  // MARK: Index paths

  /// Returns an object; nil if there is no row at the path. The mappings must stand on the transaction's snapshot.
  public func object<Value: Sendable>(
    _ type: Value.Type,
    atIndexPath path: IndexPath,
    withMappings mappings: YapDatabaseViewMappings
  ) throws -> Value? {
    try mappings.position(at: path).flatMap { try object(type, atIndex: $0.index, inGroup: $0.group) }
  }

  /// Returns the metadata of a row; nil if there is no row at the path, and for a row without metadata. The mappings
  /// must stand on the transaction's snapshot.
  public func metadata<Value: Sendable>(
    _ type: Value.Type,
    atIndexPath path: IndexPath,
    withMappings mappings: YapDatabaseViewMappings
  ) throws -> Value? {
    try mappings.position(at: path).flatMap { try metadata(type, atIndex: $0.index, inGroup: $0.group) }
  }

  /// Returns a row; nil if there is no row at the path. The mappings must stand on the transaction's snapshot.
  public func row<Object: Sendable, Metadata: Sendable>(
    _ type: Object.Type,
    metadata metadataType: Metadata.Type,
    atIndexPath path: IndexPath,
    withMappings mappings: YapDatabaseViewMappings
  ) throws -> (collection: String, key: String, object: Object, metadata: Metadata?)? {
    try mappings.position(at: path).flatMap {
      try row(type, metadata: metadataType, atIndex: $0.index, inGroup: $0.group)
    }
  }

  private func object<Value>(_ type: Value.Type, of row: ViewedRow) throws -> Value {
    try transaction.cast(row.requestedObject(), to: type, .object, key: row.key, in: row.collection.text)
  }

  private func metadata<Value>(_ type: Value.Type, of row: ViewedRow) throws -> Value? {
    try row.metadata.map { try transaction.cast($0, to: type, .metadata, key: row.key, in: row.collection.text) }
  }
}
