import HarnessPrimitives
import TestSupport
import Testing

@testable import YapEngine

@Suite struct AdaptiveCacheTests {
  private enum Operation {
    case get(Int), read(Int), set(Int), replace(Int), contains(Int)
    case remove(Int), removeCollection(Int), removeAll, limit(Int)
    case empty(Int), forgetEmptied(Int)
    /// Of a number of consecutive keys, drops the values of every other key, and removes the other keys.
    case dropSeveral(Int, Int)
  }

  /// The same cache with plain arrays, the newest entry last.
  private struct Naive {
    var history: EvictionHistory
    var fresh: [(key: RowKey, value: Int)] = []
    var reused: [(key: RowKey, value: Int)] = []
    var emptied: [RowKey] = []

    var limit: Int {
      didSet {
        if limit != oldValue { history = EvictionHistory(limit: limit) }
        while limit > 0, entries.count > limit { evict() }
        shrinkEmptied()
      }
    }

    init(limit: Int) {
      self.limit = limit
      history = EvictionHistory(limit: limit)
    }

    var entries: [(key: RowKey, value: Int)] { fresh + reused }
    var isFull: Bool { limit > 0 && entries.count >= limit }

    mutating func value(for key: RowKey) -> Int? {
      if let index = fresh.firstIndex(where: { $0.key == key }) {
        history.noteUse()
        reused.append(fresh.remove(at: index))
      } else if let index = reused.firstIndex(where: { $0.key == key }) {
        reused.append(reused.remove(at: index))
      } else {
        return nil
      }
      return reused.last?.value
    }

    mutating func wants(_ key: RowKey) -> Bool { !isFull || history.admits(key.rowHash) }

    mutating func set(_ value: Int, for key: RowKey) {
      if self.value(for: key) != nil { return replace(value, for: key) }
      let wasEmptied = emptied.contains(key)
      emptied.removeAll { $0 == key }
      let isRemembered = isFull && !wasEmptied && history.recall(key.rowHash)
      if isFull { evict() }
      if isRemembered { reused.append((key, value)) } else { fresh.append((key, value)) }
    }

    mutating func replace(_ value: Int, for key: RowKey) {
      if let index = fresh.firstIndex(where: { $0.key == key }) { fresh[index].value = value }
      if let index = reused.firstIndex(where: { $0.key == key }) { reused[index].value = value }
    }

    mutating func remove(_ key: RowKey) -> Bool {
      let hadValue = entries.contains { $0.key == key }
      removeAll { $0 == key }
      return hadValue
    }

    mutating func removeAll(where isOutdated: (RowKey) -> Bool) {
      fresh.removeAll { isOutdated($0.key) }
      reused.removeAll { isOutdated($0.key) }
      emptied.removeAll(where: isOutdated)
    }

    mutating func empty(_ key: RowKey) -> Bool {
      guard entries.contains(where: { $0.key == key }) else { return false }
      _ = remove(key)
      emptied.append(key)
      shrinkEmptied()
      return true
    }

    private mutating func evict() {
      let isFresh = reused.isEmpty || fresh.count >= history.freshTarget
      let key = isFresh ? fresh.removeFirst().key : reused.removeFirst().key
      history.note(key.rowHash, wasFresh: isFresh)
    }

    private mutating func shrinkEmptied() {
      if limit > 0, emptied.count > limit { emptied.removeFirst(emptied.count - limit) }
    }
  }

  @Test func `every short sequence of operations has the same results as a plain list`() {
    let operations: [Operation] =
      (0..<3).flatMap { [Operation.set($0), .empty($0)] }
      + (0..<2).flatMap { [Operation.get($0), .read($0), .remove($0), .forgetEmptied($0)] }
      + [.replace(0), .removeCollection(0), .removeAll, .limit(1), .limit(2), .limit(0)]
    for first in operations {
      for second in operations {
        for third in operations {
          for fourth in operations.prefix(TestScale.count(operations.count)) {
            let history = [.set(0), .set(1), first, second, third, fourth]
            let found = Discrepancy.first { try play(history, limit: 2) }
            if let found {
              Issue.record("\(history): \(found)")
              return
            }
          }
        }
      }
    }
  }

  @Test(arguments: [0, 1, 2, 7, 40])
  func `long random sequences of operations have the same results as a plain list`(_ limit: Int) {
    let seed = Seed.announce(for: "AdaptiveCacheTests")
    var random = RandomStream(seed: seed)
    let history = (0..<TestScale.count(6_000)).map { _ -> Operation in
      let key = random.below(60)
      return switch random.below(100) {
      case 0..<15: .get(key)
      case 15..<30: .read(key)
      case 30..<60: .set(key)
      case 60..<74: .empty(key)
      case 74..<78: .forgetEmptied(key)
      case 78..<80: .dropSeveral(key, random.below(30))
      case 80..<84: .contains(key)
      case 84..<88: .replace(key)
      case 88..<96: .remove(key)
      case 96: .removeCollection(key % 3)
      case 97: random.chance(oneIn: 4) ? .removeAll : .get(key)
      default: .limit(random.chance(oneIn: 2) ? limit : random.below(10))
      }
    }
    #expect(Discrepancy.first { try play(history, limit: limit) } == nil, "with seed \(seed)")
  }

  @Test func `a dropped or removed value is released`() {
    final class Value {}
    var cache = AdaptiveCache<ValueCache.Value>(limit: 2)
    var kept: [Value] = (0..<4).map { _ in Value() }
    weak let dropped = kept[0]
    weak let removed = kept[3]
    for (index, value) in kept.enumerated() { cache.set(ValueCache.Value(any: value), for: key(index)) }
    cache.remove(key(3))
    weak let emptied = kept[2]
    cache.empty(key(2))
    kept = []
    #expect(dropped == nil)
    #expect(removed == nil)
    #expect(emptied == nil)
    #expect(cache.count == 0 && cache.emptiedKeys == [key(2)])
  }

  private func play(_ history: [Operation], limit: Int) throws {
    var cache = AdaptiveCache<Int>(limit: limit)
    var naive = Naive(limit: limit)
    for (step, operation) in history.enumerated() {
      switch operation {
      case .get(let index): try Discrepancy.check(cache.value(for: key(index)), naive.value(for: key(index)), "get")
      case .read(let index): try read(index, step, &cache, &naive)
      case .set(let index):
        cache.set(step, for: key(index))
        naive.set(step, for: key(index))
      case .contains(let index):
        let expected = naive.entries.contains { $0.key == key(index) }
        try Discrepancy.check(cache.contains(key(index)), expected, "contains")
        let value = naive.entries.first { $0.key == key(index) }?.value
        try Discrepancy.check(cache.peek(key(index)), value, "peek")
      case .replace(let index):
        cache.replace(step, for: key(index))
        naive.replace(step, for: key(index))
      case .remove(let index):
        try Discrepancy.check(cache.remove(key(index)), naive.remove(key(index)), "remove")
      case .empty(let index):
        try Discrepancy.check(cache.empty(key(index)), naive.empty(key(index)), "empty")
      case .dropSeveral(let first, let count): try dropSeveral(first..<first + count, &cache, &naive)
      case .forgetEmptied(let index):
        let expected = naive.emptied.contains(key(index))
        naive.emptied.removeAll { $0 == key(index) }
        try Discrepancy.check(cache.forgetEmptied(key(index)), expected, "forget an emptied one")
      case .removeCollection(let number):
        let expected = naive.entries.count { $0.key.collection == Int64(number) }
        naive.removeAll { $0.collection == Int64(number) }
        try Discrepancy.check(cache.removeAll(inCollection: Int64(number)), expected, "removed of a collection")
      case .removeAll:
        cache.removeAll()
        naive = Naive(limit: naive.limit)
      case .limit(let limit):
        cache.limit = limit
        naive.limit = limit
      }
      try Discrepancy.check(cache.count, naive.entries.count, "count after step \(step)")
      try Discrepancy.check(cache.isFull, naive.isFull, "full after step \(step)")
      try Discrepancy.check(Set(cache.keys), Set(naive.entries.map(\.key)), "keys after step \(step)")
      try Discrepancy.check(Set(cache.emptiedKeys), Set(naive.emptied), "emptied keys after step \(step)")
    }
    for entry in naive.entries { try Discrepancy.check(cache.value(for: entry.key), entry.value, "value at the end") }
  }

  /// Reads a row as a transaction does: from the cache, or else from the file, after which it is cached if wanted.
  private func read(_ index: Int, _ step: Int, _ cache: inout AdaptiveCache<Int>, _ naive: inout Naive) throws {
    let row = key(index)
    let slot = row.key.text.withUTF8Bytes {
      cache.use(UnsafeRawBufferPointer($0), hash: row.key.hash, in: row.collection)
    }
    try Discrepancy.check(slot.map { cache[$0] }, naive.value(for: row), "read")
    if slot != nil { return }
    let isWanted = cache.wants(row)
    try Discrepancy.check(isWanted, naive.wants(row), "wanted")
    guard isWanted else { return }
    cache.set(step, for: row)
    naive.set(step, for: row)
  }

  private func dropSeveral(_ indices: Range<Int>, _ cache: inout AdaptiveCache<Int>, _ naive: inout Naive) throws {
    for collection in 0..<3 {
      var keys = ByteTable<AdaptiveCache<Int>.Fate>()
      var expected = 0
      for index in indices where index % 3 == collection {
        let fate = [AdaptiveCache<Int>.Fate.stays, .isEmptied, .isRemoved, .isEmptied][index % 4]
        keys[key(index).key, default: fate] = fate
        let isThere = naive.entries.contains { $0.key == key(index) }
        guard isThere, fate != .stays else { continue }
        expected += 1
        _ = fate == .isEmptied ? naive.empty(key(index)) : naive.remove(key(index))
      }
      let dropped = keys.entries.withUnsafeBufferPointer { cache.drop($0, in: Int64(collection)) { $0 } }
      try Discrepancy.check(dropped, expected, "dropped")
    }
  }

  private func key(_ index: Int) -> RowKey { RowKey(collection: Int64(index % 3), key: ByteString("key \(index)")) }
}
