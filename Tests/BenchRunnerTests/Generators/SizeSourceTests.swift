import Foundation
import HarnessPrimitives
import TestSupport
import Testing

@testable import BenchRunner
@testable import BenchScenario

@Suite("A source of sizes") struct SizeSourceTests {
  private func draws(_ size: SizeDistribution, _ count: Int = 40_000) -> [Int] {
    var stream = RandomStream(seed: Seed.announce(for: "SizeSourceTests"), "\(size)")
    let source = SizeSource(ValueShape(size: size))
    return (0..<count).map { _ in source.next(&stream) }
  }

  @Test func `a fixed size is always drawn`() {
    #expect(draws(.fixed(bytes: 512), 100).allSatisfy { $0 == 512 })
  }

  @Test func `a range is drawn uniformly, with both ends`() {
    var counts = Array(repeating: 0, count: 101)
    for size in draws(.uniform(lowerBytes: 100, upperBytes: 200)) {
      guard (100...200).contains(size) else {
        Issue.record("\(size) is not in 100...200")
        return
      }
      counts[size - 100] += 1
    }
    let fit = ChiSquare(counts, probabilities: Array(repeating: 1.0 / 101, count: 101))
    #expect(fit.fits, "\(fit)")
  }

  @Test func `a range of one size is that size`() {
    #expect(draws(.uniform(lowerBytes: 64, upperBytes: 64), 100).allSatisfy { $0 == 64 })
  }

  @Test func `a value with a balance has room for it, whatever is drawn`() {
    var stream = RandomStream(seed: 1, "sizes")
    let shape = ValueShape(size: .lognormal(medianBytes: 40, sigma: 2))
    let sizes = (0..<1_000).map { _ in SizeSource(shape, hasBalance: true).next(&stream) }
    #expect(sizes.min() == ValueShape.headerBytes + ValueShape.balanceBytes)
  }

  @Test func `a lognormal size has its median and its spread`() {
    // Logarithms of the sizes in cells between the quartiles and one and two deviations of a normal distribution.
    let cuts = [-2.0, -1, -0.674489750196, 0, 0.674489750196, 1, 2]
    let below = [0.0] + cuts.map { erfc(-$0 / 2.0.squareRoot()) / 2 } + [1]
    var counts = Array(repeating: 0, count: cuts.count + 1)
    for size in draws(.lognormal(medianBytes: 1 << 20, sigma: 0.6)) {
      // Sizes are rounded down to whole bytes, which is negligible for 1 MiB.
      let deviation = log(Double(size) / Double(1 << 20)) / 0.6
      counts[cuts.firstIndex { deviation < $0 } ?? cuts.count] += 1
    }
    let fit = ChiSquare(counts, probabilities: zip(below.dropFirst(), below).map { $0 - $1 })
    #expect(fit.fits, "\(fit)")
  }

  @Test func `no size is smaller than the header or larger than the store allows`() {
    for size in draws(.lognormal(medianBytes: 1_024, sigma: 5)) {
      #expect((ValueShape.headerBytes...ValueShape.largestBytes).contains(size))
    }
    #expect(draws(.fixed(bytes: 1), 10).allSatisfy { $0 == ValueShape.headerBytes })
  }

  @Test func `a histogram is drawn with its frequencies`() throws {
    let histogram = try SizeHistogram(csv: "size,count\n64B,30\n1KiB,1\n512B,69\n")
    let drawn = draws(.histogram(histogram))
    let counts = [64, 1_024, 512].map { size in drawn.count { $0 == size } }
    #expect(counts.reduce(0, +) == drawn.count)
    let fit = ChiSquare(counts, probabilities: [0.30, 0.01, 0.69])
    #expect(fit.fits, "\(fit)")
  }
}
