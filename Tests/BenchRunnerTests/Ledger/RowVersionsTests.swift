import HarnessPrimitives
import TestSupport
import Testing

@testable import BenchRunner

@Suite("The versions of rows") struct RowVersionsTests {
  @Test func `random histories are remembered, and forgotten in part`() {
    let seed = Seed.announce(for: "RowVersionsTests")
    var random = RandomStream(seed: seed, "versions")
    let versions = RowVersions()
    var history: [(commit: UInt64, row: Int, part: RowPart, digest: UInt64)] = []
    var newest: UInt64 = 0
    for _ in 0..<2_000 {
      newest += UInt64(random.below(3))
      let row = random.below(200)
      let part = RowPart.allCases[random.below(2)]
      let digest = UInt64(random.below(5))
      versions.add(.init(commit: newest, digest: digest), of: part, row: row)
      history.append((newest, row, part, digest))
    }
    func expect(through last: UInt64) {
      for _ in 0..<2_000 {
        let (row, part, snapshot) = (random.below(210), RowPart.allCases[random.below(2)], UInt64(random.below(3_000)))
        let truth = history.last { $0.row == row && $0.part == part && $0.commit <= min(snapshot, last) }
        let found = versions.version(of: part, row: row, at: snapshot)
        #expect(found?.commit == truth?.commit && found?.digest == truth?.digest, "seed \(seed)")
      }
    }
    expect(through: newest)
    let middle = newest / 2
    for row in 0..<200 {
      for part in RowPart.allCases { versions.drop(after: middle, of: part, row: row) }
    }
    expect(through: middle)
  }

  @Test func `the number of rows is known at each snapshot`() {
    let versions = RowVersions()
    #expect(versions.rowCount(at: 9) == 0)
    versions.addRows(1, at: 3)
    versions.addRows(1, at: 3)
    versions.addRows(1, at: 5)
    versions.addRows(-3, at: 8)
    #expect((2...9).map { versions.rowCount(at: $0) } == [0, 2, 2, 3, 3, 3, 0, 0])
    versions.dropCounts(after: 5)
    #expect(versions.rowCount(at: 9) == 3)
  }

  @Test func `an oracle with versions objects to old versions that are not the newest of the snapshot`() {
    let oracle = AnswerOracle(rows: 1, versions: RowVersions())
    for commit: UInt64 in [2, 4, 8] {
      oracle.set(.init(commit: commit, isAbsent: commit == 4), of: .object, row: 0, digest: commit == 4 ? 0 : commit)
    }
    #expect(oracle.objection(to: 2, of: .object, row: 0, at: 3) == nil)
    #expect(oracle.objection(to: 2, of: .object, row: 0, at: 5) == "carries commit 2, but commit 4 removed it")
    #expect(oracle.objection(to: nil, of: .object, row: 0, at: 3) == "is missing, but commit 2 wrote it")
    #expect(oracle.objection(to: nil, of: .object, row: 0, at: 1) == nil)
    #expect(oracle.objection(toPresence: true, ofRow: 0, at: 6) != nil)
    #expect(oracle.objection(toPresence: true, ofRow: 0, at: 8) == nil)
  }
}
