/// A jump of mappings over commits: the flexible ranges at its end, and the changes of a list. It needs the changes of
/// the view and its contents before and after, but no transaction.
struct MappingsJump {
  private let before: MappingsLayout
  private let dependencies: (ByteString) -> Set<Int>
  /// The net changes of the commits.
  private var changes = ViewChanges()
  /// The flexible ranges after the commits.
  private(set) var ranges: FlexibleRanges

  /// - Parameter state: The state of the mappings, whose layout is `before`.
  init(from before: MappingsLayout, in state: YapDatabaseViewMappings.State) {
    self.before = before
    dependencies = state.dependencies
    ranges = state.flexibleRanges(at: before)
  }

  /// Follows one commit, or several that were folded.
  mutating func follow(_ commit: ViewChanges) {
    changes.follow(with: commit)
    ranges.follow(commit)
  }

  /// Returns the changes that turn a list of the layout before the jump into one of the layout after it.
  /// - Parameters:
  ///   - keyOfRow: Returns the collection and the key of a row of the new state.
  ///   - nameOf: Returns the name of a row's collection.
  /// - Throws: `mismatchedMappings` if the changes of the commits do not fit the states of the view.
  func changes(
    to after: MappingsLayout,
    keyOfRow: @escaping (Int64) throws -> RowKey,
    nameOf: (RowKey) -> String
  ) throws -> YapDatabaseViewChanges {
    var difference = MappingsDifference(
      before: before,
      after: after,
      changes: changes,
      groupChanges: try GroupChanges(changes, from: before.state, to: after.state),
      keyOfRow: keyOfRow
    )
    let kept = difference.keptSections()
    return YapDatabaseViewChanges(
      sectionChanges: difference.sectionChanges(kept),
      rowChanges: try difference.rowChanges(kept, dependencies: dependencies, nameOf: nameOf)
    )
  }
}
