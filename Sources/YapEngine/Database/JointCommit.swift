internal import ThreadingPrimitives

/// Transactions that have ended and wait for one COMMIT, so that a single sync covers all of them.
///
/// While others wait for the write lane, a thread whose block has ended may leave its transaction open in SQLite and
/// release the lane: see `JointCommitPlanner`. The next transaction runs in a savepoint of the same SQLite transaction.
/// It sees the changes of the waiting transactions, and it can be rolled back without them. Each transaction has its
/// own number and change set. Until all are committed, no reader sees any of them and none of their calls returns. If
/// the commit fails, all of them fail.
///
/// A participant waits for the write lane again, behind all other waiters. When its turn comes, it ends the joint
/// commit, if no other thread has done so. Code that takes the write lane for anything but a transaction first ends
/// the joint commit, so no participant depends on a later writer.
// All state except `failure` is accessed only with the write lane held. `ended` orders the accesses to `failure`.
final class JointCommit: @unchecked Sendable {
  /// The first of the commits, which are linked to the database's list once they are committed.
  let first: Commit
  private(set) var last: Commit
  private(set) var count = 1
  /// The time at which the first transaction ended, in nanoseconds of `MonotonicClock`.
  let since: UInt64
  /// The effects of all transactions.
  var effects = UncommittedEffects()
  /// Happens when all transactions are committed or lost.
  let ended = LaneEvent()
  private var failure: (any Error)?

  /// - Parameters:
  ///   - first: The commit of the first transaction.
  ///   - since: The time at which the first transaction ended.
  init(_ first: Commit, since: UInt64) {
    self.first = first
    last = first
    self.since = since
  }

  /// - Parameter commit: A commit whose predecessor is `last`.
  func append(_ commit: Commit) {
    last.link(to: commit)
    last = commit
    count += 1
  }

  /// Reports the outcome. Must be called after the joint commit has ended.
  /// - Returns: true.
  /// - Throws: The error because of which all transactions were lost.
  func check() throws -> Bool {
    if let failure { throw failure }
    return true
  }

  /// Records the outcome, and wakes the participants. `failure` is nil if all transactions are committed.
  func end(_ failure: (any Error)?) {
    self.failure = failure
    ended.happen()
  }
}

/// Effects of transactions, other than rows, that become facts once SQLite commits.
struct UncommittedEffects {
  /// The numbers of collections whose names were stored.
  var collections: Set<Int64> = []
  /// Whether the data that earlier runs stored for unregistered extensions was removed.
  var removesLeftOvers = false

  mutating func add(_ later: UncommittedEffects) {
    collections.formUnion(later.collections)
    removesLeftOvers = removesLeftOvers || later.removesLeftOvers
  }
}

/// Decides whether a transaction that has ended waits for the next one, so that one sync covers both. A pure state
/// machine.
///
/// Waiting pays off if a COMMIT takes longer than a block, as it does when it waits for the disk. The rule: including
/// the next block, the first transaction of a joint commit waits for less time than two COMMITs take.
struct JointCommitPlanner {
  /// The largest number of transactions in a joint commit; 1 commits each separately.
  var limit: Int
  /// The expected duration of the next block: the longest recent one, which decays by an eighth with each later block.
  private(set) var blockNanoseconds: UInt64 = 0
  /// The expected duration of a COMMIT: a moving average in which the newest has the weight of a quarter.
  private(set) var commitNanoseconds: UInt64 = 0

  /// Records the duration of a transaction's block.
  mutating func recordBlock(nanoseconds: UInt64) {
    blockNanoseconds = max(nanoseconds, blockNanoseconds - blockNanoseconds / 8)
  }

  /// Records the duration of a COMMIT.
  mutating func recordCommit(nanoseconds: UInt64) {
    commitNanoseconds = commitNanoseconds == 0 ? nanoseconds : (3 * commitNanoseconds + nanoseconds) / 4
  }

  /// Whether the transaction that has just ended waits for the next one.
  /// - Parameters:
  ///   - count: The number of waiting transactions, including this one.
  ///   - waited: The nanoseconds for which the first of these transactions has waited.
  func waits(count: Int, waited: UInt64) -> Bool {
    count < limit && waited + blockNanoseconds < 2 * commitNanoseconds
  }
}
