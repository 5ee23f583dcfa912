import BenchResults
import BenchScenario
import Testing

@testable import BenchRunner

@Suite("The key of a row") struct RowKeysTests {
  private static let rows = [0, 1, 9, 10, 99, 123_456, 999_999_999_999]
  private let ordered = RowKeys(.ordered)
  private let hashed = RowKeys(.hashed)

  @Test func `an ordered key is an r and twelve digits`() {
    #expect(ordered.key(0) == "r000000000000")
    #expect(ordered.key(42) == "r000000000042")
    #expect(ordered.key(999_999_999_999) == "r999999999999")
  }

  @Test func `a hashed key is thirteen digits of base 32`() {
    #expect(hashed.key(0) == "0000000000000")
    // SplitMix64 of 1 is 0x5692161d100b05e5.
    #expect(hashed.key(1) == "5d4gm3k80m1f5")
  }

  @Test(arguments: KeyForm.allCases) func `a key is parsed to its row`(form: KeyForm) {
    let keys = RowKeys(form)
    for row in Self.rows + Array(0..<10_000) {
      #expect(keys.row(of: keys.key(row), below: 1_000_000_000_000) == row)
    }
  }

  @Test func `only ordered keys have the order of their rows`() {
    let rows = Array(0..<1_000)
    #expect(rows.map(ordered.key) == rows.map(ordered.key).sorted())
    let rising = zip(rows, rows.dropFirst()).count { hashed.key($0) < hashed.key($1) }
    // About half of 999 neighbours. A number outside this range is practically impossible.
    #expect((350...650).contains(rising))
  }

  @Test(arguments: KeyForm.allCases) func `an invalid key has no row`(form: KeyForm) {
    let strange = [
      "", "r", "r1", "r00000000000", "r0000000000000", "x000000000001", "R000000000001", "r00000000000a",
      "r+00000000001", "r-00000000000", "r 00000000001", "0000000000001", "é00000000001", "vvvvvvvvvvvvv",
      "g000000000000",
    ]
    for key in strange { #expect(RowKeys(form).row(of: key, below: 100) == nil, "\(key)") }
  }

  @Test(arguments: KeyForm.allCases) func `the key of a row after the last has no row`(form: KeyForm) {
    let keys = RowKeys(form)
    #expect(keys.row(of: keys.key(99), below: 100) == 99)
    #expect(keys.row(of: keys.key(100), below: 100) == nil)
    #expect(keys.row(of: keys.key(0), below: 0) == nil)
  }
}
