/// Says which group of a view a row belongs to, if any: nil leaves the row out.
///
/// The closure must give the same answer for the same row, whenever it is asked; when what it does changes, give the
/// view another version tag. It runs inside the transaction that changes the row, and may read from it, not write.
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

  let parts: RowParts
  let invoke: YapDatabaseBlockInvoke
  let group: @Sendable (YapDatabaseReadTransaction, ViewedRow) throws -> String?

  private init(
    _ parts: RowParts,
    _ invoke: YapDatabaseBlockInvoke?,
    _ group: @escaping @Sendable (YapDatabaseReadTransaction, ViewedRow) throws -> String?
  ) {
    self.parts = parts
    self.invoke = invoke ?? .usual(for: parts)
    self.group = group
  }

  /// The `options` say when the closure is asked again; nil for never.
  public static func withKeyBlock(options: YapDatabaseBlockInvoke? = nil, _ block: @escaping WithKey) -> Self {
    Self([], options) { transaction, row in try block(transaction, row.collection.text, row.key) }
  }

  /// The `options` say when the closure is asked again; nil for when the object is stored anew.
  public static func withObjectBlock(options: YapDatabaseBlockInvoke? = nil, _ block: @escaping WithObject) -> Self {
    Self(.object, options) { transaction, row in
      guard let object = row.object else { throw ViewState.lost(row) }
      return try block(transaction, row.collection.text, row.key, object)
    }
  }

  /// The `options` say when the closure is asked again; nil for when the metadata is stored anew.
  public static func withMetadataBlock(
    options: YapDatabaseBlockInvoke? = nil,
    _ block: @escaping WithMetadata
  ) -> Self {
    Self(.metadata, options) { transaction, row in
      try block(transaction, row.collection.text, row.key, row.metadata)
    }
  }

  /// The `options` say when the closure is asked again; nil for when object or metadata are stored anew.
  public static func withRowBlock(options: YapDatabaseBlockInvoke? = nil, _ block: @escaping WithRow) -> Self {
    Self([.object, .metadata], options) { transaction, row in
      guard let object = row.object else { throw ViewState.lost(row) }
      return try block(transaction, row.collection.text, row.key, object, row.metadata)
    }
  }
}

extension ViewState {
  static func lost(_ row: ViewedRow) -> YapDatabaseError { lost(row.rowid) }

  static func lost(_ rowid: Int64) -> YapDatabaseError {
    YapDatabaseError(
      .corrupt,
      "a view names row \(rowid) of the data table, and there is none: something else has written to the file. "
        + "Register the view with another version tag, which makes it anew."
    )
  }
}
