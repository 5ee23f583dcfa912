import BenchResults
import BenchScenario
import SeededRandom
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
    let hashes = [0, 1, 2].map { YCSBScrambledZipfian.hash($0) }
    #expect(hashes == [6_284_781_860_667_377_211, 8_517_097_267_634_966_620, 1_820_151_046_732_198_393])
    #expect(abs(YCSBScrambledZipfian.eta / 0.21220003380967406 - 1) < 1e-12)
  }

  @Test(arguments: [(1_000, 144, 0.0387), (10_000, 4_927, 0.0383), (100_000, 42_439, 0.0379)])
  func `the hottest key equals YCSB's, with the same share`(count: Int, hottest: Int, share: Double) {
    let law = YCSBScrambledZipfian(count: count)
    var stream = RandomStream(seed: 7, "hottest", "\(count)")
    let draws = 200_000
    var counts = Array(repeating: 0, count: count)
    for _ in 0..<draws { counts[law.draw { stream.unit() }] += 1 }
    #expect(counts.firstIndex(of: counts.max() ?? 0) == hottest)
    #expect(abs(Double(counts[hottest]) / Double(draws) - share) < 0.003)
  }

  @Test func `a row after the last is drawn again`() {
    // With this number of rows, the hash of rank 0 is the row after the last.
    let rows = (1..<100).first { YCSBScrambledZipfian.hash(0) % UInt64($0 + 1) == UInt64($0) } ?? 0
    let law = YCSBScrambledZipfian(count: rows)
    var draws = [0.0, 0.05]
    let row = law.draw { draws.removeFirst() }
    #expect(draws.isEmpty)
    #expect(row == Int(YCSBScrambledZipfian.hash(1)) % (rows + 1))
  }

  @Test func `latest counts backwards from the last row`() {
    let law = YCSBLatest(count: 1_001)
    let rows = [0, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99].map(law.draw)
    #expect(rows == [0, 0, 3, 22, 151, 471, 927].map { 1_000 - $0 })
    #expect(YCSBLatest(count: 1).draw(0.9) == 0)
    #expect(YCSBLatest(count: 2).draw(0.9) == 1)
  }

  @Test(arguments: [KeyDistribution.scrambledZipfian, .latest], [1, 2, 3, 10])
  func `few rows are enough`(distribution: KeyDistribution, count: Int) {
    var stream = RandomStream(seed: 1, "few")
    var source = KeySource(distribution, count: count, start: 0)
    for _ in 0..<1_000 { #expect((0..<count).contains(source.next(&stream))) }
  }
}
