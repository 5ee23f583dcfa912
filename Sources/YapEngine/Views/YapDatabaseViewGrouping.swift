/// Determines the group of a view to which a row belongs. A row for which the closure returns nil is not in the view.
///
/// The closure must always return the same group for the same row. If its behaviour changes, give the view another
/// version tag. It runs inside the transaction that changes the row or registers the view, and may read but not write.
public struct YapDatabaseViewGrouping: Sendable {
  public typealias WithKey =
    @Sendable (_ transaction: YapDatabaseReadTransaction, _ collection: String, _ key: String) throws -> String?
  public typealias WithObject =
    @Sendable (
      _ transaction: YapDatabaseReadTransaction, _ collection: String, _ key: String, _ object: Any
    ) throws -> String?
  public typealias WithMetadata =
    @Sendable (
      _ transaction: YapDatabaseReadTransaction, _ collection: String, _ key: String, _ metadata: Any?
    ) throws -> String?
  public typealias WithRow =
    @Sendable (
      _ transaction: YapDatabaseReadTransaction, _ collection: String, _ key: String, _ object: Any, _ metadata: Any?
    ) throws -> String?

  let parts: RowPart
  let invoke: YapDatabaseBlockInvoke
  let group: @Sendable (YapDatabaseReadTransaction, ViewedRow) throws -> String?

  init(
    reading parts: RowPart,
    invoke: YapDatabaseBlockInvoke?,
    _ group: @escaping @Sendable (YapDatabaseReadTransaction, ViewedRow) throws -> String?
  ) {
    self.parts = parts
    self.invoke = invoke ?? .usual(for: parts)
    self.group = group
  }

  /// Groups rows by collection and key.
  ///
  /// `options` are the changes after which the closure is called again; nil for none.
  public static func withKeyBlock(options: YapDatabaseBlockInvoke? = nil, _ block: @escaping WithKey) -> Self {
    Self(reading: [], invoke: options) { transaction, row in try block(transaction, row.collection.text, row.key) }
  }

  /// Groups rows by collection, key and object.
  ///
  /// `options` are the changes after which the closure is called again; nil for each time the object is stored or
  /// touched.
  public static func withObjectBlock(options: YapDatabaseBlockInvoke? = nil, _ block: @escaping WithObject) -> Self {
    Self(reading: .object, invoke: options) { transaction, row in
      try block(transaction, row.collection.text, row.key, row.requestedObject())
    }
  }

  /// Groups rows by collection, key and metadata.
  ///
  /// `options` are the changes after which the closure is called again; nil for each time the metadata is stored or
  /// touched.
  public static func withMetadataBlock(
    options: YapDatabaseBlockInvoke? = nil,
    _ block: @escaping WithMetadata
  ) -> Self {
    Self(reading: .metadata, invoke: options) { transaction, row in
      try block(transaction, row.collection.text, row.key, row.metadata)
    }
  }

  /// Groups rows by collection, key, object and metadata.
  ///
  /// `options` are the changes after which the closure is called again; nil for each time the object or the metadata is
  /// stored or touched.
  public static func withRowBlock(options: YapDatabaseBlockInvoke? = nil, _ block: @escaping WithRow) -> Self {
    Self(reading: [.object, .metadata], invoke: options) { transaction, row in
      try block(transaction, row.collection.text, row.key, row.requestedObject(), row.metadata)
    }
  }
}
