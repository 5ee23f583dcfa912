import BenchScenario
import Testing

@testable import BenchRunner

@Suite("The order of keys") struct KeyOrderTests {
  private static let limit = 500
  private static let forms =
    KeyForm.some + [.ycsbOrdered(digits: 30), .ycsbHashed(digits: 19), .ycsbHashed(digits: 25)]

  @Test(arguments: forms, [500, 350, 1])
  func `rows are in the order of their keys, without those that are not there`(form: KeyForm, count: Int) throws {
    let keys = RowKeys(form)
    let sorted = (0..<Self.limit).sorted { keys.key($0) < keys.key($1) }
    let order = KeyOrder(keys, limit: Self.limit)
    for (position, row) in sorted.enumerated() {
      let expected = sorted[position...].filter { $0 < count }.prefix(20)
      #expect(order.rows(from: row, wanted: 20, below: count) == Array(expected))
    }
  }
}
