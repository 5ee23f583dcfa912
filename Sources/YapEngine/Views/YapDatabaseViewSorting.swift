public import Foundation

/// Determines the order of two rows of a group. The order must be transitive. A row that is inserted or moved is put
/// after the rows that compare as equal.
///
/// The closure must always return the same order for the same rows. If its behaviour changes, give the view another
/// version tag. It runs inside the transaction that changes a row or registers the view, and may read but not write.
public struct YapDatabaseViewSorting: Sendable {
  public typealias WithKey =
    @Sendable (
      _ transaction: YapDatabaseReadTransaction, _ group: String, _ collection1: String, _ key1: String,
      _ collection2: String, _ key2: String
    ) throws -> ComparisonResult
  public typealias WithObject =
    @Sendable (
      _ transaction: YapDatabaseReadTransaction, _ group: String, _ collection1: String, _ key1: String,
      _ object1: Any, _ collection2: String, _ key2: String, _ object2: Any
    ) throws -> ComparisonResult
  public typealias WithMetadata =
    @Sendable (
      _ transaction: YapDatabaseReadTransaction, _ group: String, _ collection1: String, _ key1: String,
      _ metadata1: Any?, _ collection2: String, _ key2: String, _ metadata2: Any?
    ) throws -> ComparisonResult
  public typealias WithRow =
    @Sendable (
      _ transaction: YapDatabaseReadTransaction, _ group: String, _ collection1: String, _ key1: String,
      _ object1: Any, _ metadata1: Any?, _ collection2: String, _ key2: String, _ object2: Any, _ metadata2: Any?
    ) throws -> ComparisonResult

  typealias Compare =
    @Sendable (YapDatabaseReadTransaction, _ group: String, ViewedRow, ViewedRow) throws -> ComparisonResult

  let parts: RowPart
  let invoke: YapDatabaseBlockInvoke
  let compare: Compare

  init(reading parts: RowPart, invoke: YapDatabaseBlockInvoke?, _ compare: @escaping Compare) {
    self.parts = parts
    self.invoke = invoke ?? .usual(for: parts)
    self.compare = compare
  }

  /// Sorts rows by collection and key.
  ///
  /// `options` are the changes after which a row's position is checked again; nil for none.
  public static func withKeyBlock(options: YapDatabaseBlockInvoke? = nil, _ block: @escaping WithKey) -> Self {
    Self(reading: [], invoke: options) { transaction, group, left, right in
      try block(transaction, group, left.collection.text, left.key, right.collection.text, right.key)
    }
  }

  /// Sorts rows by collection, key and object.
  ///
  /// `options` are the changes after which a row's position is checked again; nil for each time the object is stored or
  /// touched.
  public static func withObjectBlock(options: YapDatabaseBlockInvoke? = nil, _ block: @escaping WithObject) -> Self {
    Self(reading: .object, invoke: options) { transaction, group, left, right in
      try block(
        transaction,
        group,
        left.collection.text,
        left.key,
        left.requestedObject(),
        right.collection.text,
        right.key,
        right.requestedObject()
      )
    }
  }

  /// Sorts rows by collection, key and metadata.
  ///
  /// `options` are the changes after which a row's position is checked again; nil for each time the metadata is stored
  /// or touched.
  public static func withMetadataBlock(
    options: YapDatabaseBlockInvoke? = nil,
    _ block: @escaping WithMetadata
  ) -> Self {
    Self(reading: .metadata, invoke: options) { transaction, group, left, right in
      try block(
        transaction,
        group,
        left.collection.text,
        left.key,
        left.metadata,
        right.collection.text,
        right.key,
        right.metadata
      )
    }
  }

  /// Sorts rows by collection, key, object and metadata.
  ///
  /// `options` are the changes after which a row's position is checked again; nil for each time the object or the
  /// metadata is stored or touched.
  public static func withRowBlock(options: YapDatabaseBlockInvoke? = nil, _ block: @escaping WithRow) -> Self {
    Self(reading: [.object, .metadata], invoke: options) { transaction, group, left, right in
      try block(
        transaction,
        group,
        left.collection.text,
        left.key,
        left.requestedObject(),
        left.metadata,
        right.collection.text,
        right.key,
        right.requestedObject(),
        right.metadata
      )
    }
  }
}
