import Testing

@testable import BenchResults
@testable import BenchRunner
@testable import BenchScenario

@Suite("A check of an enumeration") struct EnumerationCheckTests {
  private let collection = CheckedCollection(
    DatasetCollection(name: "rows", rows: 3, value: ValueShape(size: .fixed(bytes: 64))),
    number: 0,
    keepsData: true
  )

  /// Rows 0 and 1 were written by commits 4 and 7; row 2 was never there.
  init() {
    collection.oracle?.set(AnswerOracle.Mark(commit: 4, isAbsent: false), of: .object, row: 0)
    collection.oracle?.set(AnswerOracle.Mark(commit: 7, isAbsent: false), of: .object, row: 1)
  }

  /// A check of the enumeration at a snapshot, which has shown these rows.
  private func check(at snapshot: UInt64, shown rows: Int...) -> EnumerationCheck {
    var check = EnumerationCheck(collection, at: snapshot)
    for row in rows { #expect(check.visit(RowKeys().key(row), Fixture.value(ofRow: row)) == (row, nil)) }
    return check
  }

  @Test func `accepts each row that must be there, once`() {
    #expect(check(at: 9, shown: 0, 1).objectionToMissing() == nil)
  }

  @Test func `finds a row that is not shown, if the snapshot must show it`() {
    #expect(check(at: 6, shown: 0).objectionToMissing() == nil, "the commit that wrote row 1 came later")
    #expect(check(at: 7, shown: 0).objectionToMissing()?.contains("commit 7 wrote it") == true)
  }

  @Test func `finds a row that is shown twice, and one that nobody has written`() {
    var check = check(at: 9, shown: 0)
    func objection(_ key: String, _ row: Int) -> String { check.visit(key, Fixture.value(ofRow: row)).objection ?? "" }
    #expect(objection(RowKeys().key(0), 0).contains("twice"))
    #expect(objection("x", 1).contains("with an object that is not of its row"))
    #expect(objection(RowKeys().key(3), 3).contains("with an object that is not of its row"))
    #expect(objection(RowKeys().key(1), 2).contains("with an object that is not of its row"))
  }

  @Test func `finds an inserted row that is missing, or that is shown too early`() {
    let rows = DatasetCollection(name: "rows", rows: 1, inserts: 9, value: ValueShape(size: .fixed(bytes: 64)))
    let collection = CheckedCollection(rows, number: 0, keepsData: true)
    for (row, commit) in [(1, 5), (2, 8)] as [(Int, UInt64)] {
      #expect(collection.rows.take(at: commit) == row)
      collection.oracle?.set(AnswerOracle.Mark(commit: commit, isAbsent: false), of: .object, row: row)
    }
    var check = EnumerationCheck(collection, at: 7)
    #expect(check.objectionToMissing()?.contains("is missing, but commit 5 wrote it") == true)
    #expect(check.visit(RowKeys().key(1), Fixture.value(ofRow: 1)) == (1, nil))
    #expect(check.objectionToMissing() == nil)
    let objection = check.visit(RowKeys().key(2), Fixture.value(ofRow: 2)).objection
    #expect(objection?.contains("at snapshot 7, but commit 8 inserted it later") == true)
    #expect(collection.objection(toPresence: true, ofRow: 2, at: 7) == "is present, but commit 8 inserted it later")
    #expect(collection.objection(toPresence: false, ofRow: 2, at: 7) == nil)
    #expect(collection.objection(toPresence: true, ofRow: 2, at: 8) == nil)
  }
}
