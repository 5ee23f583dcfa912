import BenchScenario
import Foundation
import HarnessPrimitives
import TestSupport
import Testing

@testable import BenchRunner

@Suite("A source of keys") struct KeySourceTests {
  private static let draws = 60_000

  /// The number of times that each row was drawn; nil if a row was out of range.
  private func tally(_ distribution: KeyDistribution, _ count: Int, draws: Int = draws) -> [Int]? {
    var stream = RandomStream(seed: Seed.announce(for: "KeySourceTests"), "\(distribution)", "\(count)")
    var source = KeySource(distribution, of: RowNumbers(loaded: count))
    var counts = Array(repeating: 0, count: count)
    for _ in 0..<draws {
      let row = source.next(&stream)
      guard counts.indices.contains(row) else {
        Issue.record("\(distribution) of \(count) rows drew row \(row)")
        return nil
      }
      counts[row] += 1
    }
    return counts
  }

  private func expectLaw(_ distribution: KeyDistribution, _ weights: [Double]) throws {
    let counts = try #require(tally(distribution, weights.count))
    let total = weights.reduce(0, +)
    let fit = ChiSquare(counts, probabilities: weights.map { $0 / total })
    #expect(fit.fits, "\(distribution) of \(weights.count) rows: \(fit)")
  }

  @Test func `a sequence draws all rows in order, repeatedly`() {
    var stream = RandomStream(seed: 1, "unused")
    var source = KeySource(.sequential, of: RowNumbers(loaded: 5), start: 3)
    #expect((0..<12).map { _ in source.next(&stream) } == [3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4])
  }

  @Test func `uniform draws every row with the same probability`() throws {
    try expectLaw(.uniform, Array(repeating: 1, count: 10))
    try expectLaw(.uniform, Array(repeating: 1, count: 1_000))
  }

  @Test(arguments: [10, 1_000], [0.5, 0.99, 1, 1.2])
  func `zipfian is a true Zipf law`(count: Int, theta: Double) throws {
    try expectLaw(.zipfian(theta: theta), (1...count).map { pow(Double($0), -theta) })
  }

  @Test(arguments: [1e-9, 0.01, 0.999_999_999, 1.000_000_001, 2, 5, 10])
  func `zipfian is a true Zipf law with extreme exponents too`(theta: Double) throws {
    try expectLaw(.zipfian(theta: theta), (1...50).map { pow(Double($0), -theta) })
  }

  @Test func `zipfian over many rows draws the first rows with the right frequency`() throws {
    let count = 100_000_000
    var stream = RandomStream(seed: Seed.announce(for: "KeySourceTests"), "large")
    var source = KeySource(.zipfian(theta: 0.99), of: RowNumbers(loaded: count))
    // The tail of the sum differs from the integral by less than a millionth.
    let head = (1...10_000).reduce(0) { $0 + pow(Double($1), -0.99) }
    let tail = (pow(Double(count) + 0.5, 0.01) - pow(10_000.5, 0.01)) / 0.01
    let weights = (1...99).map { pow(Double($0), -0.99) / (head + tail) }
    var counts = Array(repeating: 0, count: 100)
    for _ in 0..<Self.draws {
      let row = source.next(&stream)
      try #require((0..<count).contains(row))
      counts[min(row, 99)] += 1
    }
    let fit = ChiSquare(counts, probabilities: weights + [1 - weights.reduce(0, +)])
    #expect(fit.fits, "\(fit)")
  }

  @Test(arguments: [(0.2, 0.8, 20), (0.29, 0.5, 29), (0.001, 0.9, 1), (0.555, 0.5, 56)])
  func `hotspot gives a share of the rows a share of the draws`(data: Double, draws: Double, hot: Int) throws {
    let cold = Array(repeating: (1 - draws) / Double(100 - hot), count: 100 - hot)
    try expectLaw(
      .hotspot(dataShare: data, operationShare: draws),
      Array(repeating: draws / Double(hot), count: hot) + cold
    )
  }

  @Test func `a hotspot of all rows is uniform, and one with all draws never draws other rows`() throws {
    try expectLaw(.hotspot(dataShare: 1, operationShare: 0.5), Array(repeating: 1, count: 10))
    let counts = try #require(tally(.hotspot(dataShare: 0.2, operationShare: 1), 10, draws: 10_000))
    #expect(counts[2...].allSatisfy { $0 == 0 })
  }

  @Test(arguments: [(0.95, 0.857), (0.5, 0.1), (0.999, 0.01), (0.01, 1)])
  func `exponential falls off from the newest row and ends with the oldest`(percentile: Double, fraction: Double) throws
  {
    for count in [10, 200] {
      let rate = -log(1 - percentile) / (Double(count) * fraction)
      try expectLaw(
        .exponential(percentile: percentile, fraction: fraction),
        (0..<count).reversed().map { exp(-rate * Double($0)) - exp(-rate * Double($0 + 1)) }
      )
    }
  }

  @Test func `an exponential law with slow decay is nearly uniform and drawn quickly`() throws {
    for percentile in [1e-6, 1e-18] {
      try expectLaw(.exponential(percentile: percentile, fraction: 1), Array(repeating: 1, count: 10))
    }
  }

  @Test(arguments: [
    KeyDistribution.sequential, .uniform, .zipfian(theta: 0.99), .zipfian(theta: 1), .zipfian(theta: 10),
    .hotspot(dataShare: 0.2, operationShare: 0.8), .exponential(percentile: 0.95, fraction: 0.857),
  ])
  func `a single row is always drawn`(distribution: KeyDistribution) throws {
    #expect(try #require(tally(distribution, 1, draws: 1_000)) == [1_000])
  }

  @Test func `the same stream draws the same rows`() {
    for distribution in [KeyDistribution.uniform, .zipfian(theta: 0.99), .exponential(percentile: 0.9, fraction: 0.5)] {
      let rows = (0..<2).map { _ in
        var stream = RandomStream(seed: 5, "keys")
        var source = KeySource(distribution, of: RowNumbers(loaded: 1_000))
        return (0..<200).map { _ in source.next(&stream) }
      }
      #expect(rows[0] == rows[1])
    }
  }

  @Test func `only YCSB's distributions draw inserted rows, and those only once they are acknowledged`() {
    let growing: [KeyDistribution] = [.scrambledZipfian, .latest, .exponential(percentile: 0.95, fraction: 0.857)]
    let others: [KeyDistribution] = [
      .sequential, .uniform, .zipfian(theta: 0.99), .hotspot(dataShare: 0.2, operationShare: 0.8),
    ]
    for distribution in growing + others {
      let rows = RowNumbers(loaded: 100, inserts: 100)
      var stream = RandomStream(seed: Seed.announce(for: "KeySourceTests"), "growing")
      var source = KeySource(distribution, of: rows)
      /// Draws, and returns the largest row.
      func largest() -> Int { (0..<20_000).map { _ in source.next(&stream) }.max() ?? 0 }
      for _ in 0..<100 { _ = rows.take(at: 1) }
      #expect(largest() == 99, "\(distribution)")
      rows.acknowledge(149)
      #expect(largest() == (growing.contains(distribution) ? 149 : 99), "\(distribution)")
      rows.acknowledge(199)
      #expect(largest() == (growing.contains(distribution) ? 199 : 99), "\(distribution)")
    }
  }

  @Test func `exponential keeps its rate when the collection grows`() throws {
    let rows = RowNumbers(loaded: 100, inserts: 100)
    for _ in 0..<100 { _ = rows.take(at: 1) }
    rows.acknowledge(199)
    var stream = RandomStream(seed: Seed.announce(for: "KeySourceTests"), "exponential")
    var source = KeySource(.exponential(percentile: 0.9, fraction: 0.5), of: rows)
    var counts = Array(repeating: 0, count: 200)
    for _ in 0..<Self.draws { counts[source.next(&stream)] += 1 }
    let rate = -log(0.1) / 50
    let weights = (0..<200).reversed().map { exp(-rate * Double($0)) - exp(-rate * Double($0 + 1)) }
    let fit = ChiSquare(counts, probabilities: weights.map { $0 / weights.reduce(0, +) })
    #expect(fit.fits, "\(fit)")
  }
}
