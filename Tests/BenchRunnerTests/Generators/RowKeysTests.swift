import Testing

@testable import BenchRunner
@testable import BenchScenario

@Suite("The key of a row") struct RowKeysTests {
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

  /// The keys of rows 0, 1, 144 and 999, and a digest of the first 1,000, made by a program in Python after YCSB's
  /// `CoreWorkload.buildKeyName`.
  @Test(
    arguments: [
      (
        KeyForm.ycsbHashed(digits: 1),
        ["user6284781860667377211", "user8517097267634966620", "user1573987489603120213", "user2071219101098386137"],
        0xa306_0c0a_031f_c391
      ),
      (
        .ycsbHashed(digits: 24),
        [
          "user000006284781860667377211", "user000008517097267634966620", "user000001573987489603120213",
          "user000002071219101098386137",
        ],
        0x75c4_9e11_d65c_27e7
      ),
      (.ycsbHashed(digits: 19), ["user6284781860667377211"], 0xd051_9edb_a474_7b9b),
      (.ycsbOrdered(digits: 1), ["user0", "user1", "user144", "user999"], 0x6b07_81df_83c2_5fb2),
      (.ycsbOrdered(digits: 6), ["user000000", "user000001", "user000144", "user000999"], 0x656b_bbe9_f405_da3e),
    ] as [(KeyForm, [String], UInt64)]
  )
  func `the keys of the first thousand records equal YCSB's`(form: KeyForm, some: [String], digest: UInt64) {
    let keys = RowKeys(form)
    for (row, key) in zip([0, 1, 144, 999], some) { #expect(keys.key(row) == key) }
    #expect(Self.digest((0..<1_000).map(keys.key)) == digest)
  }

  /// Returns a digest of the lines.
  static func digest(_ lines: [String]) -> UInt64 {
    lines.joined(separator: "\n").utf8.reduce(0) { $0 &* 31 &+ UInt64($1) }
  }

  @Test(arguments: KeyForm.some) func `different rows have different keys`(form: KeyForm) {
    let keys = RowKeys(form)
    #expect(Set((0..<10_000).map(keys.key)).count == 10_000)
  }

  @Test func `only ordered keys have the order of their rows`() {
    let rows = Array(0..<1_000)
    #expect(rows.map(ordered.key) == rows.map(ordered.key).sorted())
    let rising = zip(rows, rows.dropFirst()).count { hashed.key($0) < hashed.key($1) }
    // About half of 999 neighbours. A number outside this range is practically impossible.
    #expect((350...650).contains(rising))
  }

  @Test(arguments: KeyForm.some) func `the row of a key is the one that its value names`(form: KeyForm) {
    var settings = DatasetCollection(name: "rows", rows: 10, inserts: 5, value: ValueShape(size: .fixed(bytes: 64)))
    settings.key = form
    let collection = CheckedCollection(settings, number: 0, keepsData: true)
    func value(ofRow row: Int) -> [UInt8] { Fixture.value(ofRow: row) }
    for row in 0..<15 { #expect(collection.row(ofKey: collection.keys.key(row), with: value(ofRow: row)) == row) }
    let key = collection.keys.key(3)
    #expect(collection.row(ofKey: key, with: value(ofRow: 4)) == nil)
    #expect(collection.row(ofKey: key + "0", with: value(ofRow: 3)) == nil)
    #expect(collection.row(ofKey: key, with: []) == nil)
    #expect(collection.row(ofKey: collection.keys.key(15), with: value(ofRow: 15)) == nil, "there is no room for it")
    #expect(collection.row(ofKey: key, with: Array(repeating: 0xff, count: 64)) == nil)
  }
}

extension KeyForm {
  /// A form of each kind.
  static let some: [KeyForm] = [
    .ordered, .hashed, .ycsbOrdered(digits: 1), .ycsbOrdered(digits: 3), .ycsbHashed(digits: 1),
  ]
}
