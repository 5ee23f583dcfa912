internal import ThreadingPrimitives

extension CommitFollower {
  /// The extensions of the snapshot that the connection stands on, taken from its commit.
  struct AdoptedExtensions {
    let snapshot: ExtensionSnapshot
    let states: ExtensionStates
  }

  /// Adopts the extensions of a commit on which the connection is about to stand. The lane must be held.
  /// - Returns: false if the commit's states were dropped because many later commits have changed the extensions.
  func adopt(_ commit: Commit) -> Bool {
    guard let snapshot = commit.extensions else { return true }
    if adopted?.snapshot === snapshot { return true }
    guard let states = snapshot.states else { return false }
    adopted = AdoptedExtensions(snapshot: snapshot, states: states)
    return true
  }

  /// Returns the newest commit, with its extensions adopted.
  ///
  /// It may have to retry: if the write lane is not held, so many commits may follow that the states are dropped before
  /// they are adopted.
  func adoptNewest() -> Commit {
    while true {
      let newest = database.registry.withLock { $0.newest }
      if adopt(newest) { return newest }
    }
  }
}
