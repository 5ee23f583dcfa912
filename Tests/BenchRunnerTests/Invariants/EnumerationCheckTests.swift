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

  @Test func `accepts each row that must be there, once`() {
    var check = EnumerationCheck(collection)
    #expect(check.visit(RowKeys().key(0)) == (0, nil))
    #expect(check.visit(RowKeys().key(1)) == (1, nil))
    #expect(check.objectionToMissing(at: 9) == nil)
  }

  @Test func `finds a row that is not shown, if the snapshot must show it`() {
    var check = EnumerationCheck(collection)
    _ = check.visit(RowKeys().key(0))
    #expect(check.objectionToMissing(at: 6) == nil, "the commit that wrote row 1 came later")
    #expect(check.objectionToMissing(at: 7)?.contains("commit 7 wrote it") == true)
  }

  @Test func `finds a row that is shown twice, and one that nobody has written`() {
    var check = EnumerationCheck(collection)
    _ = check.visit(RowKeys().key(0))
    #expect(check.visit(RowKeys().key(0)).objection?.contains("twice") == true)
    #expect(check.visit("x").objection?.contains("which belongs to no row") == true)
    #expect(check.visit(RowKeys().key(3)).objection?.contains("which belongs to no row") == true)
  }
}
