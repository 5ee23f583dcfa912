public import Foundation

/// Access to rows by their paths in mappings. Calls return nil if there is no row at the path.
///
/// The mappings have to stand on the transaction's snapshot; otherwise a path may refer to another row.
extension YapDatabaseViewTransaction {
  public func object(atIndexPath path: IndexPath, withMappings mappings: YapDatabaseViewMappings) throws -> Any? {
    try mappings.position(at: path).flatMap { try object(atIndex: $0.index, inGroup: $0.group) }
  }

  public func metadata(atIndexPath path: IndexPath, withMappings mappings: YapDatabaseViewMappings) throws -> Any? {
    try mappings.position(at: path).flatMap { try metadata(atIndex: $0.index, inGroup: $0.group) }
  }

  public func collectionKey(
    atIndexPath path: IndexPath,
    withMappings mappings: YapDatabaseViewMappings
  ) throws -> (collection: String, key: String)? {
    try mappings.position(at: path).flatMap { try collectionKey(atIndex: $0.index, inGroup: $0.group) }
  }

  public func row(
    atIndexPath path: IndexPath,
    withMappings mappings: YapDatabaseViewMappings
  ) throws -> (collection: String, key: String, object: Any, metadata: Any?)? {
    try mappings.position(at: path).flatMap { try row(atIndex: $0.index, inGroup: $0.group) }
  }

  /// Returns the path at which a row is shown; nil if it is not shown.
  public func indexPath(
    forKey key: String,
    inCollection collection: String = "",
    withMappings mappings: YapDatabaseViewMappings
  ) throws -> IndexPath? {
    try position(forKey: key, inCollection: collection).flatMap {
      mappings.indexPath(forIndex: $0.index, inGroup: $0.group)
    }
  }

  // MARK: From one snapshot to the next

  /// Moves the mappings to the transaction's snapshot, and returns the changes to make to a list that shows the
  /// previous contents of the mappings. Several changes of one row are combined.
  ///
  /// Flexible ranges follow their rows, and do not depend on the number of commits that one call covers. If so many
  /// commits wait that they are folded (`YapDatabaseModification.isFolded`) and have 32,768 or more insertions and
  /// removals of rows, where a move counts as both, the ranges keep their length and their distance from the pinned end
  /// instead, as by `update(with:)`.
  ///
  /// The modifications must be all commits from the one after the mappings' snapshot up to the transaction's snapshot:
  /// those that `beginLongLivedReadTransaction` has returned on a connection that does not write. An empty list is
  /// accepted only if the two snapshots are the same.
  /// - Throws: `mismatchedMappings` if the modifications are other commits, or if the mappings are of another view,
  ///   were never updated, or were changed by another call at the same time; `invalidArgument` in a read-write
  ///   transaction. After an error this call has not moved the mappings: update them, and reload the list.
  public func changes(
    for modifications: [YapDatabaseModification],
    with mappings: YapDatabaseViewMappings
  ) throws -> YapDatabaseViewChanges {
    let mapped = mappings.current
    let before = try layout(of: mappings, in: mapped, before: modifications)
    var jump = MappingsJump(from: before, in: mapped)
    let name = ByteString(name)
    for modification in modifications {
      if let commit = modification.changes.changes(ofView: name) { jump.follow(commit) }
    }
    let layout = try mappings.layout(after: mapped, for: transaction, jump.ranges)
    var names: [Int64: String] = [:]
    let changes = try jump.changes(
      to: layout,
      keyOfRow: { rowid in try self.row(rowid, []).row },
      nameOf: { row in
        if let name = names[row.collection] { return name }
        let name = transaction.caches.names.name(of: row.collection)?.text ?? ""
        names[row.collection] = name
        return name
      }
    )
    try mappings.move(from: mapped, to: layout)
    return changes
  }

  /// Returns the layout of the mappings.
  /// - Throws: `mismatchedMappings` if the mappings are of another view or have no layout yet, or if the modifications
  ///   do not lead from the layout's snapshot to the transaction's.
  private func layout(
    of mappings: YapDatabaseViewMappings,
    in mapped: YapDatabaseViewMappings.State,
    before modifications: [YapDatabaseModification]
  ) throws -> MappingsLayout {
    guard mappings.view == name, let layout = mapped.layout else {
      throw YapDatabaseError(
        .mismatchedMappings,
        "mappings of view \"\(mappings.view)\" were used for changes of view \"\(name)\""
          + (mapped.layout == nil ? " before their first update(with:): update them first" : "")
      )
    }
    // Each modification must continue from the previous one. Several folded commits are one modification.
    let reached = modifications.reduce(Optional(layout.snapshot)) { reached, modification in
      reached.map { $0 + 1 } == modification.snapshots.lowerBound ? modification.snapshot : nil
    }
    guard reached == transaction.snapshot else {
      let found = modifications.map { $0.isFolded ? "\($0.snapshots)" : "\($0.snapshot)" }
      throw YapDatabaseError(
        .mismatchedMappings,
        "mappings of view \"\(name)\" are at commit \(layout.snapshot), the transaction is at \(transaction.snapshot), "
          + "and the modifications are [\(found.joined(separator: ", "))]; expected all commits after the mappings' up "
          + "to the transaction's. Call update(with:), and reload the list."
      )
    }
    return layout
  }
}
