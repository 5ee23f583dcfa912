internal import ThreadingPrimitives

/// Transactions that have ended and wait for one COMMIT, so that a single sync covers all of them.
///
/// A thread that ends a transaction while others wait for the write lane may leave it here, open in SQLite, and pass
/// the lane on: see `JointCommitPlanner`. The next transaction runs in a savepoint of the same SQLite transaction. It
/// sees the changes of the waiting transactions, and it can be rolled back without them. Each transaction has its own
/// number and change set. Until all are committed, no other connection sees any of them and none of the calls returns.
/// If the commit fails, all of them fail.
///
/// A participant waits in the line of the write lane again, so its wait ends at the latest when its turn comes,
/// whatever the other participants do: code that takes the write lane for anything but a transaction first ends the
/// joint commit.
// All state except `failure` is accessed only with the write lane held. `ended` orders the accesses to `failure`.
final class JointCommit: @unchecked Sendable {
  /// The first of the commits. Their list is not yet linked to the database's list.
  let first: Commit
  private(set) var last: Commit
  private(set) var count = 1
  /// Happens when all transactions are committed or lost.
  let ended = LaneEvent()
  private var failure: (any Error)?

  init(_ first: Commit) {
    self.first = first
    last = first
  }

  /// - Parameter commit: A commit whose predecessor is `last`.
  func append(_ commit: Commit) {
    last.link(to: commit)
    last = commit
    count += 1
  }

  /// Must be called after the joint commit has ended.
  /// - Returns: true.
  /// - Throws: The error because of which all transactions were lost.
  func check() throws -> Bool {
    if let failure { throw failure }
    return true
  }

  /// - Parameter failure: nil if all transactions are committed.
  func end(_ failure: (any Error)?) {
    self.failure = failure
    ended.happen()
  }
}
