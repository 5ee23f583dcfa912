import BenchResults
import BenchScenario
import Testing

@testable import BenchRunner

@Suite("The order of keys") struct KeyOrderTests {
  @Test(arguments: KeyForm.allCases) func `rows are in the order of their keys`(form: KeyForm) throws {
    let keys = RowKeys(form)
    let sorted = (0..<500).sorted { keys.key($0) < keys.key($1) }
    let order = KeyOrder(keys, count: 500)
    for (place, row) in sorted.enumerated() {
      #expect(order.rows(from: row, count: 20) == Array(sorted[place..<min(place + 20, 500)]))
    }
  }
}
