internal import ThreadingPrimitives

/// Writes commits. All calls except `withWriteLane`, which acquires the write lane, must be made with that lane held.
extension YapDatabase {
  /// Commits SQLite's open transaction.
  ///
  /// The order matters. The commits are announced before COMMIT, so that a reader that sees them on disk finds their
  /// change sets. They are confirmed before the write lane is released, so that notifications are in the order of
  /// commits.
  /// - Parameters:
  ///   - first: The commit that follows the newest.
  ///   - last: The same commit, or the end of the list that begins with it.
  ///   - name: The name that is passed to named points.
  ///   - isTimed: Whether to time COMMIT even if joint commits are not planned from its duration.
  /// - Throws: The error of SQLite. No reader has seen the commits then, and the caller has to roll back.
  func write(_ first: Commit, through last: Commit, by name: String, isTimed: Bool = false) throws {
    let hooks = options.testHooks
    try writer.store(last.snapshot)
    hooks.reach(.commitNumbered, name)
    let revision = writer.nextRevision
    registry.withLock { $0.announce(first, through: last, revision: revision) }
    hooks.reach(.commitAnnounced, name)
    let wasCopied = checkpointer.state.account.backlog == 0
    do { try writer.commit(isTimed: isTimed) } catch {
      registry.withLock { $0.withdraw(first) }
      throw error
    }
    hooks.reach(.commitWritten, name)
    let position = checkpointer.recordCommit(by: writer, wasCopied: wasCopied, at: last.committedAt)
    var written: Commit? = first
    while let commit = written {
      commit.position = position
      if let writtenAt = writer.writtenAt { commit.writtenAt = writtenAt }
      if let values = commit.values { writer.values.keep(values, of: commit) }
      if let extensions = commit.extensions { writer.recentExtensions.add(extensions) }
      written = commit === last ? nil : commit.next
    }
    registry.withLock { $0.confirm(through: last) }
  }

  /// Commits the open joint commit, if there is one, and passes the outcome to its participants.
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

  /// Waits before a transaction begins, while the checkpointer has to catch up. Counts as a wait for a checkpoint.
  /// - Returns: The duration of the wait.
  func pauseWriter() -> UInt64 {
    guard writer.joint == nil else { return 0 }
    writer.checkpoints.begin()
    defer { writer.checkpoints.end() }
    let ended = registry.withLock { $0.newest.committedAt }
    return checkpointer.pacing.wait(afterBlockOf: ended > writer.begunAt ? ended - writer.begunAt : 0)
  }

  /// Runs `body` on behalf of the checkpointer, with the write lane held and no transaction open in the writer.
  func withWriteLane<Result>(by name: String, _ body: () throws -> Result) rethrows -> Result {
    try writer.lane.withLane {
      endJointCommit(by: name)
      writer.checkpoints.begin()
      defer { writer.checkpoints.end() }
      return try body()
    }
  }
}
