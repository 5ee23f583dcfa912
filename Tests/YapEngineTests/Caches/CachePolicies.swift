@testable import YapEngine

/// A cache of numbered rows that only counts hits.
protocol SimulatedCache {
  init(limit: Int)
  /// Reads a row and returns whether it was cached.
  mutating func read(_ row: Int) -> Bool
}

extension Int: CacheableValue {
  static var absent: Int { 0 }
}

/// The engine's cache.
final class SimulatedAdaptiveCache: SimulatedCache {
  private var cache: AdaptiveCache<Int>

  init(limit: Int) { cache = AdaptiveCache(limit: limit) }

  func read(_ row: Int) -> Bool {
    let key = RowKey(collection: 1, key: ByteString("\(row)"))
    if cache.value(for: key) != nil { return true }
    if cache.wants(key) { cache.set(row, for: key) }
    return false
  }
}

/// Evicts the least recently used row.
struct LeastRecentlyUsed: SimulatedCache {
  private let limit: Int
  private var rows: [Int] = []

  init(limit: Int) { self.limit = limit }

  mutating func read(_ row: Int) -> Bool {
    let index = rows.lastIndex(of: row)
    if let index { rows.remove(at: index) } else if rows.count == limit { rows.removeFirst() }
    rows.append(row)
    return index != nil
  }
}

/// 2Q: Johnson and Shasha, VLDB 1994, with the authors' sizes.
struct TwoQueues: SimulatedCache {
  private let limit: Int
  private var incoming: [Int] = []
  private var remembered: [Int] = []
  private var main: [Int] = []

  init(limit: Int) { self.limit = limit }

  mutating func read(_ row: Int) -> Bool {
    if let index = main.lastIndex(of: row) {
      main.append(main.remove(at: index))
      return true
    }
    if incoming.contains(row) { return true }
    if let index = remembered.firstIndex(of: row) {
      remembered.remove(at: index)
      makeRoom()
      main.append(row)
    } else {
      makeRoom()
      incoming.append(row)
    }
    return false
  }

  private mutating func makeRoom() {
    guard incoming.count + main.count == limit else { return }
    if main.isEmpty || incoming.count > limit / 4 {
      remembered.append(incoming.removeFirst())
      if remembered.count > limit / 2 { remembered.removeFirst() }
    } else {
      main.removeFirst()
    }
  }
}

/// S3-FIFO: Yang and others, SOSP 2023, with the authors' sizes.
struct ThreeQueues: SimulatedCache {
  private typealias Entry = (row: Int, uses: Int)

  private let limit: Int
  private var small: [Entry] = []
  private var main: [Entry] = []
  private var remembered: [Int] = []

  init(limit: Int) { self.limit = limit }

  mutating func read(_ row: Int) -> Bool {
    if let index = small.firstIndex(where: { $0.row == row }) {
      small[index].uses = min(small[index].uses + 1, 3)
      return true
    }
    if let index = main.firstIndex(where: { $0.row == row }) {
      main[index].uses = min(main[index].uses + 1, 3)
      return true
    }
    while small.count + main.count >= limit { evict() }
    if let index = remembered.firstIndex(of: row) {
      remembered.remove(at: index)
      main.append((row, 0))
    } else {
      small.append((row, 0))
    }
    return false
  }

  private mutating func evict() {
    guard main.isEmpty || small.count >= max(limit / 10, 1) else { return evictFromMain() }
    let entry = small.removeFirst()
    if entry.uses > 0 { return main.append((entry.row, 0)) }
    remembered.append(entry.row)
    if remembered.count > limit { remembered.removeFirst() }
  }

  private mutating func evictFromMain() {
    let entry = main.removeFirst()
    if entry.uses > 0 { main.append((entry.row, entry.uses - 1)) }
  }
}
