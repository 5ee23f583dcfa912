/// Answers whether commits have changed the contents of a view or touched a row in it. The answer is about the union of
/// the commits.
extension YapDatabaseConnection {
  public func hasChange(forView view: String, in modifications: [YapDatabaseModification]) -> Bool {
    changes(of: view, modifications).contains { !$0.isEmpty }
  }

  public func hasChange(
    forGroup group: String,
    inView view: String,
    in modifications: [YapDatabaseModification]
  ) -> Bool {
    hasChange(forAnyGroups: CollectionOfOne(group), inView: view, in: modifications)
  }

  public func hasChange(
    forAnyGroups groups: some Sequence<String>,
    inView view: String,
    in modifications: [YapDatabaseModification]
  ) -> Bool {
    let groups = groups.map { ByteString($0) }
    return changes(of: view, modifications).contains { changes in groups.contains { changes.concerns($0) } }
  }

  private func changes(of view: String, _ modifications: [YapDatabaseModification]) -> [ViewChanges] {
    let view = ByteString(view)
    return modifications.compactMap { $0.changes.changes(ofView: view) }
  }
}
