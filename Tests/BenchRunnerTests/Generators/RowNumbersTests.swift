import Testing

@testable import BenchRunner

@Suite("The numbers of rows") struct RowNumbersTests {
  @Test func `inserted rows follow the loaded ones, and the room for them is limited`() {
    let rows = RowNumbers(loaded: 3, inserts: 2)
    #expect(rows.limit == 5)
    #expect([7, 7, 8].map { rows.take(at: $0) } == [3, 4, nil])
    #expect(rows.count == 5)
    #expect((0..<5).map { rows.commit(ofRow: $0) } == [0, 0, 0, 7, 7])
    #expect(RowNumbers(loaded: 3).take(at: 1) == nil)
  }

  @Test func `a snapshot contains the rows of the first commits`() {
    let rows = RowNumbers(loaded: 10, inserts: 100)
    for commit in [4, 4, 4, 9, 12, 12] as [UInt64] { _ = rows.take(at: commit) }
    let counts = [0, 3, 4, 5, 8, 9, 11, 12, 100].map { rows.count(at: $0) }
    #expect(counts == [10, 10, 13, 13, 13, 14, 14, 16, 16])
  }

  @Test func `an acknowledged row implies those before it, and the counter never decreases`() {
    let rows = RowNumbers(loaded: 10, inserts: 100)
    #expect(rows.acknowledged == 10)
    for commit in 1...5 as ClosedRange<UInt64> { _ = rows.take(at: commit) }
    #expect(rows.acknowledged == 10)
    rows.acknowledge(12)
    #expect(rows.acknowledged == 13)
    // The transaction of an earlier commit returns later.
    rows.acknowledge(10)
    #expect(rows.acknowledged == 13)
  }

  @Test func `a transaction that is rolled back leaves no hole`() {
    let rows = RowNumbers(loaded: 10, inserts: 4)
    #expect(rows.take(at: 5) == 10)
    #expect(rows.take(at: 6) == 11)
    #expect(rows.take(at: 6) == 12)
    rows.giveBack(after: 5)
    #expect(rows.count == 11)
    #expect(rows.count(at: 6) == 11)
    // The number of the commit is used again, by a transaction that inserts more.
    #expect([6, 6, 6, 6].map { rows.take(at: $0) } == [11, 12, 13, nil])
    rows.acknowledge(13)
    #expect(rows.acknowledged == 14)
    #expect(rows.count(at: 5) == 11)
    #expect(rows.count(at: 6) == 14)
  }

  @Test func `lost commits give back their numbers`() {
    let rows = RowNumbers(loaded: 0, inserts: 10)
    for commit in 1...8 as ClosedRange<UInt64> { _ = rows.take(at: commit) }
    rows.acknowledge(3)
    rows.giveBack(after: 5)
    #expect(rows.count == 5)
    #expect(rows.acknowledged == 4)
    #expect(rows.take(at: 6) == 5)
  }
}
