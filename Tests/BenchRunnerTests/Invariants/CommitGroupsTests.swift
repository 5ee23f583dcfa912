import HarnessPrimitives
import Testing

@testable import BenchRunner

@Suite("Rows that were written together") struct CommitGroupsTests {
  private let group = CommitGroups.Group(commit: 7, rows: [1, 2, 3])

  @Test func `are visible together, or not yet`() {
    #expect(CommitGroups.objection(to: [7, 7, 7], of: group) == nil)
    #expect(CommitGroups.objection(to: [6, 2, 1], of: group) == nil)
    // Later commits have overwritten them.
    #expect(CommitGroups.objection(to: [9, 7, 8], of: group) == nil)
  }

  @Test func `are wrong if only some are visible`() {
    let expected =
      "commit 7 wrote the rows 1, 2, 3; row 3 carries commit 9, but row 1 carries commit 6"
    #expect(CommitGroups.objection(to: [6, nil, 9], of: group) == expected)
    #expect(CommitGroups.objection(to: [7, 7, 6], of: group) != nil)
  }

  @Test func `prove nothing if they are missing`() {
    #expect(CommitGroups.objection(to: [nil, nil, nil], of: group) == nil)
    #expect(CommitGroups.objection(to: [nil, 7, 8], of: group) == nil)
    #expect(CommitGroups.objection(to: [nil, 5, 6], of: group) == nil)
  }

  @Test func `are remembered for a while`() throws {
    let groups = CommitGroups()
    var random = RandomStream(seed: 1, "groups")
    #expect(groups.draw(&random) == nil)
    for commit in 1...200 { groups.add(CommitGroups.Group(commit: UInt64(commit), rows: [1, 2])) }
    for _ in 0..<500 {
      let commit = try #require(groups.draw(&random)?.commit)
      #expect(commit > 200 - UInt64(CommitGroups.kept))
    }
  }
}
