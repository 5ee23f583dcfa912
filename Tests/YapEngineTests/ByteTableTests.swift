import HarnessPrimitives
import TestSupport
import Testing

@testable import YapEngine

@Suite struct ByteTableTests {
  /// Small tables have no index, larger ones have one.
  @Test(arguments: [1, 2, ByteTable<Int>.mostWithoutIndex, ByteTable<Int>.mostWithoutIndex + 1, 300])
  func `a table is a dictionary whose keys are in insertion order`(_ keyCount: Int) {
    let seed = Seed.announce(for: "ByteTableTests")
    var random = RandomStream(seed: seed)
    // Strings that are equal in Swift because of their canonical equivalence are different keys.
    let keys = (0..<keyCount).map { ByteString($0 % 2 == 0 ? "\($0 / 2) \u{e9}" : "\($0 / 2) e\u{301}") }
    var table = ByteTable<Int>()
    var expected: [ByteString: Int] = [:]
    var order: [ByteString] = []
    for step in 0..<keyCount * 4 {
      let key = keys[random.below(keyCount)]
      if expected[key] == nil { order.append(key) }
      if random.chance(oneIn: 2) {
        table[key, default: 100] += step
        expected[key, default: 100] += step
      } else {
        let index = table.index(of: key, adding: 7)
        #expect(index == order.firstIndex(of: key), "with seed \(seed)")
        table[at: index] -= 1
        expected[key, default: 7] -= 1
      }
      let asked = keys[random.below(keyCount)]
      #expect(table[asked] == expected[asked], "after step \(step) with seed \(seed)")
      #expect(table.index(of: asked) == order.firstIndex(of: asked), "after step \(step) with seed \(seed)")
    }
    #expect(table.entries.map(\.key) == order, "with seed \(seed)")
    #expect(table.entries.map(\.value) == order.map { expected[$0] }, "with seed \(seed)")
    #expect(table.count == order.count && table.isEmpty == order.isEmpty)
  }

  @Test func `a string has the same bytes only as itself and as equal strings`() {
    for text in ["", "short", "long enough to lie in memory of its own", "nul\0nul", "\u{e9}"] {
      let equal = String(decoding: Array(text.utf8), as: UTF8.self)
      #expect(text.hasSameBytes(as: text) && text.hasSameBytes(as: equal))
      #expect(!text.hasSameBytes(as: text + "x") && !(text + "y").hasSameBytes(as: text + "x"))
    }
    #expect(!"\u{e9}".hasSameBytes(as: "e\u{301}"))
  }
}
