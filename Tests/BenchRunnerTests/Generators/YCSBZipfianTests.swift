import BenchResults
import BenchScenario
import HarnessPrimitives
import Testing

@testable import BenchRunner

/// Comparison with constants and numbers from YCSB's code.
@Suite("YCSB's generators") struct YCSBZipfianTests {
  @Test(
    arguments: [
      (1_000, 7.728953217284729, 0.07480608670689805, 0.12938),
      (10_000, 10.224361459595578, 0.09572130502603057, 0.09781),
      (100_000, 12.778338062551246, 0.11622472739519558, 0.07826),
      (1_000_000, 15.391849746037371, 0.1362913333941101, 0.06497),
    ]
  )
  func `zeta and eta equal YCSB's`(count: Int, zeta: Double, eta: Double, hottest: Double) {
    let law = YCSBZipfian(count: count)
    #expect(abs(law.zeta / zeta - 1) < 1e-12)
    #expect(abs(law.eta / eta - 1) < 1e-12)
    #expect(abs(1 / law.zeta - hottest) < 5e-6)
    #expect(ZetaSums.direct(from: 0, upTo: 2, after: 0) == 1.5034777750283594)
  }

  @Test func `ranks are computed from draws as in YCSB`() {
    let law = YCSBZipfian(count: 1_000)
    let ranks = [0, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99].map(law.rank)
    #expect(ranks == [0, 0, 3, 22, 151, 471, 927])
  }

  @Test func `the hash equals YCSB's, which begins with the lowest byte`() {
    let hashes = [0, 1, 2].map { YCSBHash.hash($0) }
    #expect(hashes == [6_284_781_860_667_377_211, 8_517_097_267_634_966_620, 1_820_151_046_732_198_393])
    #expect(abs(YCSBScrambledZipfian.eta / 0.21220003380967406 - 1) < 1e-12)
  }

  @Test(arguments: [(1_000, 144, 0.0387), (10_000, 4_927, 0.0383), (100_000, 42_439, 0.0379)])
  func `the hottest key equals YCSB's, with the same share`(count: Int, hottest: Int, share: Double) {
    let law = YCSBScrambledZipfian(limit: count)
    var stream = RandomStream(seed: 7, "hottest", "\(count)")
    let draws = 200_000
    var counts = Array(repeating: 0, count: count)
    for _ in 0..<draws { counts[law.draw(below: count) { stream.unit() }] += 1 }
    #expect(counts.firstIndex(of: counts.max() ?? 0) == hottest)
    #expect(abs(Double(counts[hottest]) / Double(draws) - share) < 0.003)
  }

  @Test func `a row after the last is drawn again`() {
    // With this number of rows, the hash of rank 0 is the row after the last.
    let rows = (1..<100).first { YCSBHash.hash(0) % UInt64($0 + 1) == UInt64($0) } ?? 0
    let law = YCSBScrambledZipfian(limit: rows)
    var draws = [0.0, 0.05]
    let row = law.draw(below: rows) { draws.removeFirst() }
    #expect(draws.isEmpty)
    #expect(row == Int(YCSBHash.hash(1)) % (rows + 1))
  }

  @Test func `latest counts backwards from the newest row`() {
    var law = YCSBLatest(loaded: 1_001, count: 1_001)
    let rows = [0, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99].map { law.draw($0, below: 1_001) }
    #expect(rows == [0, 0, 3, 22, 151, 471, 927].map { 1_000 - $0 })
    var one = YCSBLatest(loaded: 1, count: 1)
    #expect(one.draw(0.9, below: 1) == 0)
    var two = YCSBLatest(loaded: 2, count: 2)
    #expect(two.draw(0.9, below: 2) == 1)
  }

  /// The draws of 1,000 loaded rows that become 1,501, made by a program in Python after YCSB's code: the sum grows by
  /// the new rows, and eta keeps the first number of rows.
  @Test func `latest follows the growth of the collection as in YCSB`() {
    var law = YCSBLatest(loaded: 1_000, count: 1_000)
    let expected = [
      (1_000, [999, 999, 996, 977, 848, 528, 73, 1]), (1_001, [1_000, 1_000, 997, 978, 849, 528, 73, 1]),
      (1_050, [1_049, 1_049, 1_046, 1_026, 890, 554, 76, 1]),
      (1_501, [1_500, 1_500, 1_495, 1_466, 1_268, 786, 107, 1]),
    ]
    let units = [0, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 0.999999]
    for (count, rows) in expected { #expect(units.map { law.draw($0, below: count) } == rows) }
    var later = YCSBLatest(loaded: 1_000, count: 1_501)
    #expect(units.map { later.draw($0, below: 1_501) } == expected[3].1)
  }

  @Test(arguments: [1, 2, 3, 4]) func `latest of few loaded rows grows`(loaded: Int) {
    var law = YCSBLatest(loaded: loaded, count: loaded)
    for count in loaded...200 {
      for unit in [0, 0.3, 0.6, 0.9, 0.999999] { #expect((0..<count).contains(law.draw(unit, below: count))) }
    }
  }

  /// The draws of u = i/32 among 1,000 loaded rows, with the room that YCSB's workload E has for inserts; nil for a row
  /// that is drawn again. Made by a program in Python after YCSB's code.
  @Test(
    arguments: [
      (
        1_000, 1_000,
        [
          144, 144, 213, 545, 719, 554, 302, 727, 809, 77, 187, 121, 739, 965, 619, 998, 367, 548, 8, 463, 867, 805,
          433,
          733, 767, nil, 807, 984, 698, 369, 941, 294,
        ]
      ),
      (
        1_100, 1_000,
        [
          903, 903, 802, 59, 400, nil, 920, 96, 78, 244, 284, 137, 599, 309, 108, 119, 774, 19, 138, 59, 961, 246, 436,
          nil, 310, 134, 674, 361, 725, nil, 209, 844,
        ]
      ),
      (
        1_100, 1_100,
        [
          903, 903, 802, 59, 400, 1_082, 920, 96, 78, 244, 284, 137, 599, 309, 108, 119, 774, 19, 138, 59, 961, 246,
          436,
          1_098, 310, 134, 674, 361, 725, 1_062, 209, 844,
        ]
      ),
    ] as [(Int, Int, [Int?])]
  )
  func `the hot rows of scrambledZipfian do not depend on the number of inserts so far`(
    limit: Int,
    count: Int,
    rows: [Int?]
  ) {
    let law = YCSBScrambledZipfian(limit: limit)
    for (index, row) in rows.enumerated() {
      // 0 is the next draw, which gives the row of rank 0.
      var draws = [Double(index) / 32, 0]
      let drawn = law.draw(below: count) { draws.removeFirst() }
      #expect(drawn == row ?? rows[0], "\(index)")
      #expect(draws.isEmpty == (row == nil), "\(index)")
    }
  }

  @Test(arguments: [KeyDistribution.scrambledZipfian, .latest], [1, 2, 3, 10])
  func `few rows are enough`(distribution: KeyDistribution, count: Int) {
    var stream = RandomStream(seed: 1, "few")
    var source = KeySource(distribution, of: RowNumbers(loaded: count))
    for _ in 0..<1_000 { #expect((0..<count).contains(source.next(&stream))) }
  }
}
