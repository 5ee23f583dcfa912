import Testing

@testable import YapEngine

@Suite struct JointCommitPlannerTests {
  private func planner(block: UInt64, commit: UInt64, limit: Int = 64) -> JointCommitPlanner {
    var planner = JointCommitPlanner(limit: limit)
    planner.recordBlock(nanoseconds: block)
    planner.recordCommit(nanoseconds: commit)
    return planner
  }

  @Test func `no transaction waits before the duration of a commit is known`() {
    var planner = JointCommitPlanner(limit: 64)
    planner.recordBlock(nanoseconds: 0)
    #expect(!planner.waits(count: 1, waited: 0))
  }

  @Test func `the first transaction waits for blocks at most the time of two commits`() {
    let planner = planner(block: 20, commit: 300)
    #expect(planner.waits(count: 1, waited: 0))
    #expect(planner.waits(count: 5, waited: 579))
    #expect(!planner.waits(count: 5, waited: 580))
    #expect(!self.planner(block: 600, commit: 300).waits(count: 1, waited: 0))
  }

  @Test func `at most the limit of transactions are committed together`() {
    #expect(planner(block: 1, commit: 300, limit: 3).waits(count: 2, waited: 0))
    #expect(!planner(block: 1, commit: 300, limit: 3).waits(count: 3, waited: 0))
    #expect(!planner(block: 1, commit: 300, limit: 1).waits(count: 1, waited: 0))
  }

  @Test func `the estimate forgets a long block slowly and a slow commit quickly`() {
    var planner = planner(block: 10_000, commit: 300)
    var blocks = 0
    while !planner.waits(count: 1, waited: 0), blocks < 1_000 {
      planner.recordBlock(nanoseconds: 10)
      blocks += 1
    }
    #expect((15...30).contains(blocks))
    planner.recordCommit(nanoseconds: 100_000)
    for _ in 0..<30 { planner.recordCommit(nanoseconds: 300) }
    #expect(planner.commitNanoseconds < 400)
  }

  /// If the disk is as fast as the blocks, transactions do not wait for each other.
  @Test(arguments: [(10, 5), (1_000, 500), (7, 3)] as [(UInt64, UInt64)])
  func `no transaction waits if a block takes twice as long as a commit`(block: UInt64, commit: UInt64) {
    #expect(!planner(block: block, commit: commit).waits(count: 1, waited: 0))
  }
}
