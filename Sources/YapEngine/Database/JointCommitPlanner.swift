/// Whether a transaction that has ended waits for the next one, so that one sync serves both. A pure state machine.
///
/// It pays off where a commit takes longer than the block of a transaction: where the disk is waited for. The rule: the
/// first of a joint commit waits, for the blocks of others, no longer than two commits take.
struct JointCommitPlanner {
  /// Commits that are written together at most; 1 for each by itself.
  var limit: Int
  /// What the next block may take: the longest one, of which each later one forgets an eighth.
  private(set) var blockNanoseconds: UInt64 = 0
  /// What a COMMIT takes: each counts a quarter, and those before it the rest.
  private(set) var commitNanoseconds: UInt64 = 0

  init(limit: Int) {
    self.limit = limit
  }

  mutating func blockEnded(after nanoseconds: UInt64) {
    blockNanoseconds = max(nanoseconds, blockNanoseconds - blockNanoseconds / 8)
  }

  mutating func committed(in nanoseconds: UInt64) {
    commitNanoseconds = commitNanoseconds == 0 ? nanoseconds : (3 * commitNanoseconds + nanoseconds) / 4
  }

  /// - Parameters:
  ///   - count: commits that wait already, with the one that has just ended.
  ///   - waited: nanoseconds for which the first of them has waited.
  func waits(count: Int, waited: UInt64) -> Bool {
    count < limit && waited + blockNanoseconds < 2 * commitNanoseconds
  }
}
