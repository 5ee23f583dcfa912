/// The version tag, and other closures for a registered view.
extension YapDatabaseViewTransaction {
  /// The version tag of the view at the transaction's snapshot.
  public func versionTag() throws -> String { try definition.versionTag }

  /// Replaces the closures of the view, and determines the group and the position of every row again. Views that depend
  /// on this view are populated again.
  ///
  /// Everything is part of the transaction: a rollback restores the former closures, and a connection at an earlier
  /// snapshot sees the view as it was. The tag is stored, so that a later run that registers the view with the new
  /// closures and the new tag uses the stored view; a run that registers it with another tag populates it again.
  ///
  /// The commit reports changes of rows: each row of the old and of the new contents is reported as changed, even if it
  /// keeps its position. The commit keeps about 160 bytes for each of them until every connection has followed it.
  /// - Returns: false if the view has the version tag already. Nothing is changed then, because equal tags mean
  ///   closures that return the same.
  /// - Throws: `invalidArgument` in a read transaction, and for a filtered view; the errors of the closures; the errors
  ///   of `setObject`. After an error the transaction is rolled back at its end.
  @discardableResult
  public func setGrouping(
    _ grouping: YapDatabaseViewGrouping,
    sorting: YapDatabaseViewSorting,
    versionTag: String
  ) throws -> Bool {
    try rearrange(.allRows, by: replacement(grouping, sorting, versionTag: versionTag))
  }

  /// Replaces the sorting of the view, and sorts the rows of each group again. The grouping is not called. Rows that
  /// the sorting considers equal keep their order. See `setGrouping(_:sorting:versionTag:)`.
  @discardableResult
  public func setSorting(_ sorting: YapDatabaseViewSorting, versionTag: String) throws -> Bool {
    try rearrange(.order, by: replacement(definition.grouping, sorting, versionTag: versionTag))
  }

  private func replacement(
    _ grouping: YapDatabaseViewGrouping,
    _ sorting: YapDatabaseViewSorting,
    versionTag: String
  ) throws -> YapDatabaseView {
    let old = try definition
    if let parent = old.parentViewName {
      throw YapDatabaseError(
        .invalidArgument,
        "view \"\(name)\" has the groups and the order of view \"\(parent)\": use setFiltering(_:versionTag:), or "
          + "replace the closures of \"\(parent)\""
      )
    }
    return YapDatabaseView(grouping: grouping, sorting: sorting, versionTag: versionTag, options: old.options)
  }

  /// Replaces the definition of the view.
  /// - Returns: false if the version tags are equal.
  func rearrange(_ scope: ViewUpkeep.Rearrangement, by new: YapDatabaseView) throws -> Bool {
    let writing = try writing("the closures of view \"\(name)\" were replaced")
    try writing.checkMayWrite()
    if try definition.versionTag.hasSameBytes(as: new.versionTag) { return false }
    try writing.change { handle in
      try writing.failTransactionOnError {
        writing.changes.changesExtensions = true
        try writing.upkeep?.rearrange(scope, of: ByteString(name), by: new, on: handle)
      }
    }
    return true
  }

  /// The definition of the view at the transaction's snapshot.
  /// - Throws: `transactionEnded`; `notRegistered`.
  var definition: YapDatabaseView {
    get throws {
      try transaction.checkMayBeUsed()
      if let definition = transaction.viewDefinition(named: ByteString(name)) { return definition }
      throw notRegistered
    }
  }

  /// Returns the read-write transaction.
  /// - Parameter action: The action that needs one, as the beginning of a sentence in the error.
  func writing(_ action: String) throws -> YapDatabaseReadWriteTransaction {
    if let writing = transaction as? YapDatabaseReadWriteTransaction { return writing }
    throw YapDatabaseError(.invalidArgument, "\(action) in a read transaction: use readWrite")
  }
}

extension YapDatabaseView {
  /// Returns the version tag of a view as it is stored in the file at the transaction's snapshot, even if the view is
  /// not registered in this run; nil if no view is stored under the name. Views in memory are not stored.
  /// - Throws: `transactionEnded`; SQLite's errors.
  public static func previousVersionTag(
    forRegisteredViewName name: String,
    with transaction: YapDatabaseReadTransaction
  ) throws -> String? {
    let rows = try ExtensionTable(handle: transaction.handle()).rows()
    return rows.first { $0.name.hasSameBytes(as: name) }?.tag.versionTag
  }
}
