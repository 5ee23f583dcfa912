/// Decides whether a transaction that has ended waits for the next one, so that one sync covers both. A pure state
/// machine.
///
/// Waiting pays off if a commit takes longer than a transaction's block, which is the case when it waits for the disk.
/// The rule: the first transaction of a joint commit waits for the blocks of others no longer than two commits take.
struct JointCommitPlanner {
  /// The largest number of transactions in a joint commit; 1 commits each separately.
  var limit: Int
  /// The expected duration of the next block: the longest recent one, which decays by an eighth with each later block.
  private(set) var blockNanoseconds: UInt64 = 0
  /// The expected duration of a COMMIT: a moving average in which the newest has the weight of a quarter.
  private(set) var commitNanoseconds: UInt64 = 0

  init(limit: Int) {
    self.limit = limit
  }

  /// Records the duration of a transaction's block.
  mutating func recordBlock(nanoseconds: UInt64) {
    blockNanoseconds = max(nanoseconds, blockNanoseconds - blockNanoseconds / 8)
  }

  /// Records the duration of a COMMIT.
  mutating func recordCommit(nanoseconds: UInt64) {
    commitNanoseconds = commitNanoseconds == 0 ? nanoseconds : (3 * commitNanoseconds + nanoseconds) / 4
  }

  /// - Parameters:
  ///   - count: The number of waiting transactions, including the one that has just ended.
  ///   - waited: The nanoseconds for which the first of them has waited.
  func waits(count: Int, waited: UInt64) -> Bool {
    count < limit && waited + blockNanoseconds < 2 * commitNanoseconds
  }
}
