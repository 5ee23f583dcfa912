import HarnessPrimitives
import Testing

@testable import BenchResults
@testable import BenchRunner
@testable import BenchScenario

@Suite("A collection whose values are known") struct CheckedCollectionTests {
  private let collection = CheckedCollection(
    DatasetCollection(name: "rows", rows: 10, value: ValueShape(size: .fixed(bytes: 64))),
    number: 2,
    keepsData: true
  )

  private func value(
    commit: UInt64 = 3,
    row: Int = 4,
    collection: UInt32 = 2,
    _ part: RowPart = .object
  ) -> [UInt8] {
    var stream = RandomStream(seed: 1, "value")
    return Payload.make(.init(commit: commit, row: row, collection: collection, part: part), size: 64, &stream)
  }

  @Test func `the right value raises no objection`() {
    collection.oracle?.set(.init(commit: 3, isAbsent: false), of: .object, row: 4)
    collection.oracle?.set(.init(commit: 3, isAbsent: false), of: .metadata, row: 4)
    #expect(collection.objection(to: value(), of: .object, row: 4, at: 3) == nil)
    #expect(collection.objection(to: value(.metadata), of: .metadata, row: 4, at: 3) == nil)
    #expect(collection.objection(to: nil, of: .object, row: 5, at: 3) == nil)
  }

  @Test func `a whole value in the wrong place raises one`() {
    collection.oracle?.set(.init(commit: 3, isAbsent: false), of: .object, row: 4)
    let carried = collection.objection(to: value(row: 5), of: .object, row: 4, at: 3)
    #expect(carried == "carries the object of row 5 of collection number 2")
    #expect(collection.objection(to: value(collection: 1), of: .object, row: 4, at: 3) != nil)
    #expect(collection.objection(to: value(.metadata), of: .object, row: 4, at: 3) != nil)
    #expect(collection.objection(to: value(commit: 2), of: .object, row: 4, at: 3) == "carries commit 2 instead of 3")
    #expect(collection.objection(to: nil, of: .object, row: 4, at: 3) != nil)
  }

  @Test func `a damaged value raises one, even where the row's state is not known`() {
    collection.oracle?.set(.init(commit: 9, isAbsent: false), of: .object, row: 4)
    var damaged = value()
    damaged[40] ^= 1
    for value in [damaged, [], Array(repeating: 0, count: 64)] {
      #expect(collection.objection(to: value, of: .object, row: 4, at: 3) != nil)
    }
    #expect(collection.objection(to: value(), of: .object, row: 4, at: 3) == nil)
  }

  @Test func `a driver that keeps nothing is asked for nothing`() {
    let settings = DatasetCollection(name: "rows", rows: 10, value: ValueShape(size: .fixed(bytes: 64)))
    let forgetful = CheckedCollection(settings, number: 0, keepsData: false)
    #expect(forgetful.objection(to: nil, of: .object, row: 4, at: 3) == nil)
  }
}
