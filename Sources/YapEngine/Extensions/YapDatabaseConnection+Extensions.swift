internal import ThreadingPrimitives

extension YapDatabaseConnection {
  /// The extensions of the snapshot that the connection is on, taken from its commit.
  struct AdoptedExtensions {
    let snapshot: ExtensionSnapshot
    let states: ExtensionStates
  }

  /// Takes the extensions of a commit that the connection is to stand on. With the lane held.
  /// - Returns: false where they have been let go, because many commits came since.
  func adopt(_ commit: Commit) -> Bool {
    guard let snapshot = commit.extensions else { return true }
    if adopted?.snapshot === snapshot { return true }
    if adopted == nil, database.options.testHooks.has(.missesLateViews) { return true }
    guard let states = snapshot.states else { return false }
    adopted = AdoptedExtensions(snapshot: snapshot, states: states)
    return true
  }

  /// The newest commit, with its extensions adopted.
  ///
  /// Without the write lane others may commit meanwhile, so often that another try is needed.
  func adoptNewest() -> Commit {
    while true {
      let newest = database.registry.withLock { $0.newest }
      if adopt(newest) { return newest }
    }
  }
}
