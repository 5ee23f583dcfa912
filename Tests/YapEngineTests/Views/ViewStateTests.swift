import HarnessPrimitives
import TestSupport
import Testing

@testable import YapEngine

/// The pages of a view, compared with plain arrays.
@Suite struct ViewStateTests {
  /// The histories are long enough for pages and spans to split, merge and disappear, and for rowids to be reused.
  @Test(arguments: [3, 60, 20_000])
  func `long random histories agree with plain arrays, and versions stay unchanged`(_ rows: Int) throws {
    let seed = Seed.announce(for: "ViewStateTests")
    let found = Discrepancy.first {
      var trial = ViewStateTrial(seed: seed, rows: rows)
      for _ in 0..<TestScale.count(8) { try trial.run(operations: 6_000) }
    }
    #expect(found == nil, "with seed \(seed)")
  }

  @Test func `a map of integers works for any keys, and a copy stays unchanged`() {
    var random = RandomStream(seed: Seed.announce(for: "ViewStateTests"))
    var map = RadixMap<Int>(absent: 0)
    var plain: [UInt64: Int] = [:]
    var copies: [(RadixMap<Int>, [UInt64: Int])] = []
    for number in 1...20_000 {
      let key = random.chance(oneIn: 5) ? random.next() >> UInt64(random.below(64)) : UInt64(random.below(3_000))
      let value = random.chance(oneIn: 4) ? 0 : number
      map[key] = value
      plain[key] = value
      if number % 4_000 == 0 { copies.append((map, plain)) }
      #expect(map[key] == value)
    }
    for (map, plain) in copies + [(map, plain)] {
      #expect(plain.allSatisfy { map[$0.key] == $0.value })
      var values: [Int] = []
      map.forEach { if $0 != 0 { values.append($0) } }
      #expect(values.sorted() == plain.values.filter { $0 != 0 }.sorted())
    }
  }
}

/// Random changes of a view's state and of plain arrays.
private struct ViewStateTrial {
  private var random: RandomStream
  private let rows: Int
  private var state = ViewState()
  private var groups: [ByteString: [Int64]] = [:]
  private var present: [Int64] = []
  /// Earlier versions, and their expected contents.
  private var kept: [(ViewState, [ByteString: [Int64]])] = []
  private static let names = ["a", "b", "\u{e9}", "e\u{301}", ""].map { ByteString($0) }

  init(seed: UInt64, rows: Int) {
    random = RandomStream(seed: seed)
    self.rows = rows
    // Large trials begin with one sorted group.
    let first = rows > 1_000 ? (1...Int64(rows)).map { $0 } : []
    for rowid in first { state.insert(rowid, at: Int(rowid) - 1, inGroup: Self.names[0]) }
    present = first
    if !first.isEmpty { groups[Self.names[0]] = first }
  }

  mutating func run(operations: Int) throws {
    kept.append((state, groups))
    if kept.count > 3 { kept.removeFirst() }
    let grows = random.chance(oneIn: 2)
    for _ in 0..<operations {
      if random.below(10) < (grows ? 7 : 3) { insert() } else { remove() }
    }
    if random.chance(oneIn: 4) { removeGroup() }
    if random.chance(oneIn: 4) {
      state.removeAll()
      groups = [:]
      present = []
    }
    for (state, groups) in kept + [(state, groups)] { try Self.check(state, groups) }
  }

  private mutating func insert() {
    let rowid = Int64(random.below(rows * 2) + 1)
    guard state.group(ofRow: rowid) == nil else { return }
    let name = Self.names[random.chance(oneIn: 3) ? random.below(Self.names.count) : 0]
    let count = groups[name]?.count ?? 0
    let index = [0, count, random.below(count + 1), random.below(count + 1)][random.below(4)]
    state.insert(rowid, at: index, inGroup: name)
    groups[name, default: []].insert(rowid, at: index)
    present.append(rowid)
  }

  private mutating func removeGroup() {
    let name = Self.names[random.below(Self.names.count)]
    state.removeGroup(name)
    let removed = Set(groups.removeValue(forKey: name) ?? [])
    present.removeAll(where: removed.contains)
  }

  private mutating func remove() {
    guard !present.isEmpty else {
      state.remove(1)
      return
    }
    let index = random.below(present.count)
    let rowid = present[index]
    present.swapAt(index, present.count - 1)
    present.removeLast()
    guard let position = state.position(ofRow: rowid), let (name, removed) = state.remove(rowid) else { return }
    precondition(name == position.group && removed == position.index, "the index of a removed row")
    groups[name]?.remove(at: position.index)
    if groups[name]?.isEmpty == true { groups[name] = nil }
  }

  private static func check(_ state: ViewState, _ groups: [ByteString: [Int64]]) throws {
    try Discrepancy.check(state.count, groups.values.reduce(0) { $0 + $1.count }, "rows")
    try Discrepancy.check(state.groupCount, groups.count, "number of groups")
    try Discrepancy.check(Set(state.groupNames), Set(groups.keys), "groups")
    for (name, rowids) in groups {
      try Discrepancy.check(state.rowids(inGroup: name), rowids, "rows of group \(name.text)")
      try Discrepancy.check(state.group(named: name)?.count, rowids.count, "count of group \(name.text)")
      for index in stride(from: 0, to: rowids.count, by: max(rowids.count / 50, 1)) {
        let position = state.position(ofRow: rowids[index])
        try Discrepancy.check(position?.index, index, "index of row \(rowids[index])")
        try Discrepancy.check(position?.group, name, "group of row \(rowids[index])")
        try Discrepancy.check(state.rowid(at: index, inGroup: name), rowids[index], "row at \(index)")
      }
      try Discrepancy.check(state.rowid(at: rowids.count, inGroup: name), nil, "row behind the last")
      try Discrepancy.check(state.rowid(at: -1, inGroup: name), nil, "row in front of the first")
      var visited: [Int64] = []
      if let group = state.group(named: name) {
        state.forEachRow(of: group, reversed: true) { rowid, _, _ in visited.append(rowid) }
      }
      try Discrepancy.check(visited, rowids.reversed(), "rows of group \(name.text), reversed")
    }
  }
}
