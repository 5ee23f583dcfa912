import HarnessPrimitives
import TestSupport
import Testing

@testable import YapEngine

@Suite struct RowIndexTests {
  @Test func `an index that grows and shrinks agrees with a dictionary`() {
    let seed = Seed.announce(for: "RowIndexTests")
    var random = RandomStream(seed: seed)
    let rows = (0..<400).map { RowKey(collection: Int64($0 % 3), key: ByteString("key \($0)")) }
    var index = RowIndex()
    var expected: [Int: Int32] = [:]
    for step in 0..<TestScale.count(40_000) {
      // Phases of mostly inserts and of mostly removals.
      let number = random.below(rows.count)
      if let found = expected[number] {
        if random.below(100) < (step / 2_000 % 2 == 0 ? 20 : 80) {
          index.remove(rows[number].rowHash, at: found)
          expected[number] = nil
        }
      } else {
        expected[number] = Int32(number)
        index.insert(rows[number].rowHash, at: Int32(number))
      }
      let asked = random.below(rows.count)
      let found = index.find(rows[asked].rowHash) { rows[Int($0)] == rows[asked] }
      guard found == expected[asked], index.count == expected.count else {
        Issue.record("row \(asked) is at \(String(describing: found)) after step \(step) with seed \(seed)")
        return
      }
    }
    #expect(Set(index.indices) == Set(expected.values))
    #expect(index.indices.count == expected.count)
    for number in rows.indices {
      #expect(
        index.find(rows[number].rowHash) { rows[Int($0)] == rows[number] } == expected[number],
        "with seed \(seed)"
      )
    }
  }

  @Test func `the caller distinguishes rows with equal hashes by comparing keys`() {
    // The same row in several slots: all have the same hash, and the index does not compare keys.
    let row = RowKey(collection: 1, key: ByteString("the same"))
    var index = RowIndex()
    for number in 0..<20 { index.insert(row.rowHash, at: Int32(number)) }
    index.remove(row.rowHash, at: 7)
    index.remove(row.rowHash, at: 0)
    for number in Int32(0)..<20 {
      #expect(index.find(row.rowHash) { $0 == number } == (number == 7 || number == 0 ? nil : number))
    }
  }
}
