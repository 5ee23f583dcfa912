internal import Foundation

/// Selects rows of a view for a filtered view.
///
/// The closure must always return the same result for the same row and group. It is called after each change of a row
/// that the parent view contains. It runs inside the transaction that changes the row, and may read but not write.
public struct YapDatabaseViewFiltering: Sendable {
  public typealias WithKey =
    @Sendable (
      _ transaction: YapDatabaseReadTransaction, _ group: String, _ collection: String, _ key: String
    ) throws -> Bool
  public typealias WithObject =
    @Sendable (
      _ transaction: YapDatabaseReadTransaction, _ group: String, _ collection: String, _ key: String, _ object: Any
    ) throws -> Bool
  public typealias WithMetadata =
    @Sendable (
      _ transaction: YapDatabaseReadTransaction, _ group: String, _ collection: String, _ key: String, _ metadata: Any?
    ) throws -> Bool
  public typealias WithRow =
    @Sendable (
      _ transaction: YapDatabaseReadTransaction, _ group: String, _ collection: String, _ key: String, _ object: Any,
      _ metadata: Any?
    ) throws -> Bool

  let parts: RowPart
  let includes: @Sendable (YapDatabaseReadTransaction, _ group: String, ViewedRow) throws -> Bool

  public static func withKeyBlock(_ block: @escaping WithKey) -> Self {
    Self(parts: []) { try block($0, $1, $2.collection.text, $2.key) }
  }

  public static func withObjectBlock(_ block: @escaping WithObject) -> Self {
    Self(parts: .object) { try block($0, $1, $2.collection.text, $2.key, $2.requestedObject()) }
  }

  public static func withMetadataBlock(_ block: @escaping WithMetadata) -> Self {
    Self(parts: .metadata) { try block($0, $1, $2.collection.text, $2.key, $2.metadata) }
  }

  public static func withRowBlock(_ block: @escaping WithRow) -> Self {
    Self(parts: [.object, .metadata]) {
      try block($0, $1, $2.collection.text, $2.key, $2.requestedObject(), $2.metadata)
    }
  }
}

extension YapDatabaseView {
  /// Creates the definition of a filtered view: it contains the selected rows of another view, in the groups and in the
  /// order of that view.
  ///
  /// The parent view is a dependency: it must be registered first, and the filtered view is populated again when the
  /// parent's closures are replaced.
  public init(
    parentViewName: String,
    filtering: YapDatabaseViewFiltering,
    versionTag: String = "",
    options: Options = Options()
  ) {
    let parent = ByteString(parentViewName)
    var options = options
    options.dependencies.insert(parentViewName)
    let grouping = YapDatabaseViewGrouping(reading: filtering.parts, invoke: .any) { transaction, row in
      guard let group = transaction.viewState(named: parent)?.group(ofRow: row.rowid),
        try filtering.includes(transaction, group.text, row)
      else { return nil }
      return group.text
    }
    // A row whose position changes in the parent has changed itself, so the order of the other rows stays.
    let sorting = YapDatabaseViewSorting(reading: [], invoke: .any) { transaction, _, left, right in
      let state = transaction.viewState(named: parent)
      let indexes = [left, right].map { state?.position(ofRow: $0.rowid)?.index ?? .max }
      return indexes[0] < indexes[1] ? .orderedAscending : indexes[1] < indexes[0] ? .orderedDescending : .orderedSame
    }
    self.init(grouping, sorting, versionTag: versionTag, options: options, parentViewName: parentViewName)
  }
}

extension YapDatabaseViewTransaction {
  /// Replaces the closure of a filtered view, and selects its rows again.
  /// - Returns: false if the view has the version tag already. See `setGrouping(_:sorting:versionTag:)`.
  /// - Throws: As `setGrouping` does; `invalidArgument` for a view that was not created with a parent view.
  @discardableResult
  public func setFiltering(_ filtering: YapDatabaseViewFiltering, versionTag: String) throws -> Bool {
    let old = try definition
    guard let parent = old.parentViewName else {
      throw YapDatabaseError(
        .invalidArgument,
        "view \"\(name)\" is not a filtered view: use setGrouping(_:sorting:versionTag:)"
      )
    }
    let new = YapDatabaseView(
      parentViewName: parent,
      filtering: filtering,
      versionTag: versionTag,
      options: old.options
    )
    return try rearrange(.allRows, by: new)
  }
}
