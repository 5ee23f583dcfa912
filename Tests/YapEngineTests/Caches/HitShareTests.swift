import Foundation
import HarnessPrimitives
import TestSupport
import Testing

@testable import YapEngine

/// The share of reads that caches of 250 rows answer, by the order of the reads.
@Suite(.long) struct HitShareTests {
  private static let limit = 250
  private static let reads = 40_000

  /// An order of reads.
  enum Trace: String, CaseIterable, CustomTestStringConvertible {
    case zipf = "zipfian over 10,000 rows"
    case uniform = "uniform over 1,000 rows"
    case scans = "zipfian, and a scan of 1,000 other rows after every 1,000 reads"
    case singles = "zipfian, and every other read of a row that is read once"
    case scrolling = "neighbours, with a turn after 100 rows on average"
    case flings = "up to 400 rows on and up to 200 back"
    case twice = "each row twice, the second time after 100 others"
    case once = "each row once"

    var testDescription: String { rawValue }

    func rows() -> [Int] {
      var random = RandomStream(seed: 7, rawValue)
      var zipf = Zipf(rows: 10_000)
      var rows: [Int] = []
      var position = 100_000
      var step = 1
      while rows.count < HitShareTests.reads {
        let number = rows.count
        switch self {
        case .zipf: rows.append(zipf.next(&random))
        case .uniform: rows.append(random.below(1_000))
        case .scans: rows.append(number / 1_000 % 2 == 0 ? zipf.next(&random) : 100_000 + number)
        case .singles: rows.append(number % 2 == 0 ? zipf.next(&random) : 100_000 + number)
        case .scrolling:
          if random.chance(oneIn: 100) { step = -step }
          position += step
          rows.append(position)
        case .flings:
          let start = position
          position += random.below(400)
          rows += start..<position
          let back = random.below(200)
          rows += (position - back..<position).reversed()
          position -= back
        case .twice: rows += [number, number - 100]
        case .once: rows.append(number)
        }
      }
      return rows
    }
  }

  /// Draws rows by Zipf's law with the exponent 0.99.
  private struct Zipf {
    private var sums: [Double] = []

    init(rows: Int) {
      var sum = 0.0
      for row in 1...rows {
        sum += pow(Double(row), -0.99)
        sums.append(sum)
      }
    }

    mutating func next(_ random: inout RandomStream) -> Int {
      let drawn = Double(random.next() >> 11) / Double(1 << 53) * sums[sums.count - 1]
      var (low, high) = (0, sums.count - 1)
      while low < high {
        let middle = (low + high) / 2
        if sums[middle] > drawn { high = middle } else { low = middle + 1 }
      }
      return low
    }
  }

  private static func hitShare(_ kind: any SimulatedCache.Type, _ rows: [Int]) -> Double {
    var cache = kind.init(limit: limit)
    let hits = rows.count { cache.read($0) }
    return 100 * Double(hits) / Double(rows.count)
  }

  /// Prints a row of the table in Documentation/internals/storage.md.
  @Test(arguments: Trace.allCases)
  func `the cache answers nearly as many reads as the best of other policies`(_ trace: Trace) {
    let rows = trace.rows()
    let others: [any SimulatedCache.Type] = [LeastRecentlyUsed.self, TwoQueues.self, ThreeQueues.self]
    let shares = others.map { Self.hitShare($0, rows) }
    let own = Self.hitShare(SimulatedAdaptiveCache.self, rows)
    let columns = (shares + [own]).map { "\(($0 * 10).rounded() / 10)" }
    print("| \(trace.rawValue) | \(columns.joined(separator: " | ")) |")
    let best = shares.max() ?? 0
    #expect(own >= best * 0.95, "\(own) % of the reads, others \(shares) %")
  }

  @Test func `rows that are read once are not cached after a while, until rows are read again`() {
    var cache = AdaptiveCache<Int>(limit: 10)
    func isCached(_ row: Int) -> Bool {
      let key = RowKey(collection: 1, key: ByteString("\(row)"))
      if cache.value(for: key) != nil { return true }
      if cache.wants(key) { cache.set(row, for: key) }
      return false
    }
    let taken = (0..<5_000).filter { row in
      _ = isCached(row)
      return cache.contains(RowKey(collection: 1, key: ByteString("\(row)")))
    }
    // The free places, and the trials.
    #expect(taken == Array(0..<10 + EvictionHistory.fewestTrials))
    // A row that is read again soon is cached, and allows others to be cached.
    #expect(!isCached(4_999) && isCached(4_999))
    for row in 0..<EvictionHistory.trialsEarned { #expect(!isCached(10_000 + row) && isCached(10_000 + row)) }
  }

  /// The cache has room for ten objects. Five are read repeatedly, then 1,000 others once, and then the five again.
  @Test func `a read of many rows keeps those that were read repeatedly`() throws {
    try withDatabase { database in
      try database.newConnection().readWrite { transaction in
        for number in 0..<1_005 { try transaction.setObject(number, forKey: "\(number)") }
      }
      let reader = try database.newConnection()
      reader.objectCacheLimit = 10
      try reader.read { transaction in
        func read(_ numbers: Range<Int>) throws {
          for number in numbers { try #expect(transaction.object(Int.self, forKey: "\(number)") == number) }
        }
        for _ in 0..<3 { try read(0..<5) }
        try read(5..<1_005)
        let hits = reader.counters.objects.hits.value
        try read(0..<5)
        #expect(reader.counters.objects.hits.value == hits + 5)
      }
    }
  }
}
