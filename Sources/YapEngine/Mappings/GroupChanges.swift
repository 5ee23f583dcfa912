/// The rows that changed between two snapshots, by group, with their indexes in the two states.
struct GroupChanges {
  struct Place {
    let row: RowKey
    let index: Int
  }

  /// The changes of one group.
  struct Group {
    /// Rows that are no longer in the group, with their old indexes.
    var gone: [Place] = []
    /// Rows that were not in the group before, with their new indexes.
    var come: [Place] = []
    /// Changed rows that are in the group before and after.
    var changed: [GroupDifference.Changed] = []

    var difference: GroupDifference {
      GroupDifference(gone: gone.map(\.index), come: come.map(\.index), changed: changed)
    }
  }

  private(set) var groups: [ByteString: Group] = [:]

  /// Finds the indexes of the changed rows. Omits groups that were reset, because the changes of their individual rows
  /// are not known.
  /// - Throws: `mismatchedMappings` if a state does not contain a changed row in the group that the changes name.
  init(_ changes: ViewChanges, from before: ViewState, to after: ViewState) throws {
    guard !changes.isReset else { return }
    for (row, change) in changes.rows {
      let old = try change.before.flatMap { try changes.resetGroups.contains($0.group) ? nil : index($0, before) }
      let new = try change.after.flatMap { try changes.resetGroups.contains($0.group) ? nil : index($0, after) }
      if let old, let new, let group = change.after?.group, change.before?.group == group {
        groups[group, default: Group()].changed.append(.init(row: row, before: old, after: new))
        continue
      }
      if let old, let group = change.before?.group {
        groups[group, default: Group()].gone.append(Place(row: row, index: old))
      }
      if let new, let group = change.after?.group {
        groups[group, default: Group()].come.append(Place(row: row, index: new))
      }
    }
  }

  private func index(_ place: ViewChanges.Place, _ state: ViewState) throws -> Int {
    if let position = state.position(ofRow: place.rowid), position.group == place.group { return position.index }
    throw YapDatabaseError(
      .mismatchedMappings,
      "a row of group \"\(place.group.text)\" is missing: the mappings and the modifications are of different "
        + "databases; use those of the same database"
    )
  }
}
