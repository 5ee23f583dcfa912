internal import ThreadingPrimitives

/// Transactions that have ended and wait for one COMMIT, so that one sync serves them all.
///
/// Who ends a transaction while others wait for the write lane may leave it here, open in SQLite, and pass the lane on:
/// see `JointCommitPlanner`. The next transaction runs in a savepoint of the same SQLite transaction, sees what waits
/// here, and is rolled back without it. Each has its number and its change set. Nobody else hears of any, and no call
/// returns, before all are committed; if that fails, all have failed.
///
/// Who waits stands in line for the write lane again. So at the latest when its turn comes the wait ends, whatever
/// becomes of the others: whoever has the lane and does not run a transaction inside ends the joint commit first.
// But for how it ended everything is reached with the write lane held; `ended` orders that.
final class JointCommit: @unchecked Sendable {
  /// The list of the commits, which is not part of the database's list yet.
  let first: Commit
  private(set) var last: Commit
  private(set) var count = 1
  /// Happens when all are committed, or lost.
  let ended = LaneEvent()
  private var failure: (any Error)?

  init(_ first: Commit) {
    self.first = first
    last = first
  }

  /// - Parameter commit: was made on `last`.
  func append(_ commit: Commit) {
    last.link(to: commit)
    last = commit
    count += 1
  }

  /// To be called once it has ended.
  /// - Returns: true.
  /// - Throws: why all were lost.
  func check() throws -> Bool {
    if let failure { throw failure }
    return true
  }

  /// - Parameter failure: nil when all are committed.
  func end(_ failure: (any Error)?) {
    self.failure = failure
    ended.happen()
  }
}
