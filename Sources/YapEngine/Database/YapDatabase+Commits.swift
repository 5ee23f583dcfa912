internal import ThreadingPrimitives

/// Writing commits. All of it runs with the write lane held.
extension YapDatabase {
  /// Commits what SQLite's transaction holds.
  ///
  /// The order matters: announced before COMMIT, so that a reader who sees the commit on disk finds its change set;
  /// confirmed before the write lane is free, so that commits are told in their order.
  /// - Parameters:
  ///   - first: follows the newest commit.
  ///   - last: the same, or the end of the list that begins there.
  ///   - name: who does it, for the test's points.
  ///   - isTimed: whether COMMIT is timed though nothing depends on it.
  func write(_ first: Commit, through last: Commit, by name: String, isTimed: Bool = false) throws {
    let hooks = options.testHooks
    try writer.store(last.snapshot)
    hooks.reach(.commitNumbered, name)
    if !hooks.has(.announcesTooLate) { registry.withLock { $0.announce(first, through: last) } }
    hooks.reach(.commitAnnounced, name)
    let wasCopied = checkpointer.account.backlog == 0
    do { try writer.commit(isTimed: isTimed) } catch {
      if !hooks.has(.announcesTooLate) { registry.withLock { $0.withdraw(first) } }
      throw error
    }
    hooks.reach(.commitWritten, name)
    let position = accountForCommit(wasCopied: wasCopied, at: last.committedAt)
    if hooks.has(.announcesTooLate) { registry.withLock { $0.announce(first, through: last) } }
    var written: Commit? = first
    while let commit = written {
      commit.position = position
      if let writtenAt = writer.writtenAt { commit.writtenAt = writtenAt }
      if let values = commit.values { writer.keep(values, of: commit) }
      if let extensions = commit.extensions { writer.recentExtensions.add(extensions) }
      written = commit === last ? nil : commit.next
    }
    registry.withLock { $0.confirm(through: last) }
  }

  /// Writes the transactions that wait for it, if there are any; they hear how it ended.
  func endJointCommit(by name: String, isTimed: Bool = false) {
    guard let joint = writer.joint else { return }
    do {
      try write(joint.first, through: joint.last, by: name, isTimed: isTimed)
      writer.jointCommitEnded(nil)
      options.testHooks.reach(.commitRegistered, name)
      scheduleNotifications()
    } catch {
      writer.rollbackEverything()
      writer.jointCommitEnded(error)
    }
  }

  /// Runs `body`, which is the checkpointer's, with the write lane held, and nothing open in the writer.
  func withWriteLane<Result>(by name: String, _ body: () throws -> Result) rethrows -> Result {
    try writer.lane.withLane {
      endJointCommit(by: name)
      writer.checkpoints.begin()
      defer { writer.checkpoints.end() }
      return try body()
    }
  }
}
