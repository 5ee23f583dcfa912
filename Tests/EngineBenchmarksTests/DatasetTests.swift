import Testing

@testable import EngineBenchmarks

struct DatasetTests {
  private let dataset = Dataset(rows: 300, valueBytes: 100, seed: 3)

  @Test func `Keys have sixteen bytes and differ`() {
    #expect(Set(dataset.keys).count == 300)
    #expect(dataset.keys.allSatisfy { $0.utf8.count == 16 })
  }

  @Test func `Values begin with their stamps and differ`() {
    let values = (0..<300).map { dataset.initialValue(of: $0) } + dataset.fresh
    #expect(Set(values).count == 300 + Dataset.freshCount)
    #expect(values.allSatisfy { $0.count == 100 })
    for row in [0, 1, 255, 299] {
      #expect(dataset.initialValue(of: row).withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) } == UInt64(row))
    }
    #expect(dataset.fresh[7].withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) } == Dataset.freshStamp(7))
    #expect(Dataset.freshStamp(Dataset.freshCount + 7) == Dataset.freshStamp(7))
  }

  @Test func `No row is overwritten with its current value, however often all rows are visited`() {
    let cursor = RowCursor(dataset.order("written"))
    var held: [UInt32: Int] = [:]
    for (number, row) in cursor.take(300 * 20).enumerated() {
      #expect(held[row] != number % Dataset.freshCount)
      held[row] = number % Dataset.freshCount
    }
  }

  @Test func `A cursor returns every row in turn, also across its end`() {
    let cursor = RowCursor([3, 1, 2])
    #expect(cursor.take(2) == [3, 1])
    #expect(cursor.take(5) == [2, 3, 1, 2, 3])
    #expect(cursor.take(0) == [])
    #expect(cursor.take(1) == [1])
  }

  @Test func `An order contains each requested row once, and is the same for the same purpose`() {
    let even = dataset.order("a") { $0 % 2 == 0 }
    #expect(even.sorted() == (0..<150).map { $0 * 2 })
    #expect(even == dataset.order("a") { $0 % 2 == 0 })
    #expect(even != dataset.order("b") { $0 % 2 == 0 })
  }
}
