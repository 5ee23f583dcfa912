import Foundation
import Testing

@testable import BenchRegression
@testable import BenchResults

@Suite("Differences of pairs") struct PairedDifferencesTests {
  // MARK: Comparison with SciPy, enumeration and a textbook

  @Test(arguments: StatisticsVectors.all.samples)
  func `effect, p-value and intervals equal SciPy's`(_ sample: StatisticsVectors.Sample) {
    let differences = PairedDifferences(sample.differences)
    #expect(isClose(differences.effect, sample.effect))
    #expect(isClose(differences.pValue, sample.pValue))
    #expect(isClose(differences.signInterval(confidence: 0.95), sample.signInterval95))
    if sample.hasInterval {
      #expect(isClose(differences.interval(confidence: 0.95), sample.interval95))
      #expect(isClose(differences.interval(confidence: 0.90), sample.interval90))
    }
  }

  @Test(arguments: 1...14)
  func `the null distribution equals the enumeration of all signs`(count: Int) {
    let ranks = (1...count).map { 2 * $0 }
    var counts = [Int](repeating: 0, count: ranks.reduce(0, +) + 1)
    for signs in 0..<(1 << count) {
      counts[ranks.indices.reduce(0) { signs >> $1 & 1 == 1 ? $0 + ranks[$1] : $0 }] += 1
    }
    let distribution = SignedRankDistribution(doubledRanks: ranks)
    let all = Double(1 << count)
    for sum in counts.indices {
      let tails = (counts[...sum].reduce(0, +), counts[sum...].reduce(0, +))
      let expected = min(1, 2 * Double(min(tails.0, tails.1)) / all)
      #expect(abs(distribution.pValue(ofDoubledSum: sum) - expected) <= 1e-12)
    }
  }

  /// Pairs of n and K, the number of sums that the 95 % interval excludes on each side.
  static let sumsOutside = [
    (5, 0), (6, 1), (7, 3), (8, 4), (9, 6), (10, 9), (12, 14), (15, 26), (16, 30), (20, 53), (25, 90), (30, 138),
    (40, 265), (50, 435),
  ]

  @Test(arguments: sumsOutside)
  func `the intervals exclude as many sums as in the published table`(pairs: Int, outside: Int) {
    #expect(SignedRankDistribution.withoutTies(pairs).sumsBelow(tail: 0.025) == outside)
  }

  @Test func `Hollander and Wolfe's example of depression scales has the published result`() throws {
    let before = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
    let after = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]
    let differences = PairedDifferences(zip(before, after).map { $0 - $1 })
    #expect(isClose(differences.pValue, 0.0390625))
    #expect(isClose(differences.effect, 0.46))
    #expect(isClose(differences.interval(confidence: 0.95), [0.010, 0.786]))
  }

  // MARK: Symmetry

  @Test(arguments: StatisticsVectors.all.samples)
  func `exchanged arms mirror the result`(_ sample: StatisticsVectors.Sample) {
    let differences = PairedDifferences(sample.differences)
    let mirrored = PairedDifferences(sample.differences.map { -$0 })
    #expect(mirrored.effect == -differences.effect)
    #expect(mirrored.pValue == differences.pValue)
    for confidence in [0.90, 0.95] {
      #expect(mirrored.interval(confidence: confidence) == mirror(differences.interval(confidence: confidence)))
      #expect(mirrored.signInterval(confidence: confidence) == mirror(differences.signInterval(confidence: confidence)))
    }
  }

  @Test(arguments: StatisticsVectors.all.samples)
  func `the order of the pairs does not matter`(_ sample: StatisticsVectors.Sample) {
    let differences = PairedDifferences(sample.differences)
    let reversed = PairedDifferences(sample.differences.reversed())
    #expect(reversed.effect == differences.effect)
    #expect(reversed.pValue == differences.pValue)
    #expect(reversed.interval(confidence: 0.95) == differences.interval(confidence: 0.95))
  }

  // MARK: Few pairs

  @Test(arguments: 1...5)
  func `fewer than six pairs have no interval and no p-value below 0.05`(count: Int) {
    let differences = PairedDifferences((1...count).map { Double($0) })
    #expect(differences.interval(confidence: 0.95) == nil)
    #expect(differences.signInterval(confidence: 0.95) == nil)
    #expect(differences.pValue > 0.05)
  }

  @Test func `an outlier changes neither the effect nor the lower bound`() throws {
    let differences = PairedDifferences(Array(repeating: 0.01, count: 19) + [1e300])
    #expect(differences.effect == 0.01)
    #expect(try #require(differences.interval(confidence: 0.95)).lowerBound == 0.01)
  }

  @Test func `a drift appears in the autocorrelation, and equal differences have none`() {
    #expect((0..<50).map { Double($0) }.lag1Autocorrelation > 0.9)
    #expect((0..<50).map { $0.isMultiple(of: 2) ? 1.0 : -1 }.lag1Autocorrelation < -0.9)
    #expect([1.0, 1, 1].lag1Autocorrelation == 0)
    #expect([Double]().lag1Autocorrelation == 0)
  }

  private func mirror(_ interval: ClosedRange<Double>?) -> ClosedRange<Double>? {
    interval.map { -$0.upperBound ... -$0.lowerBound }
  }
}

func isClose(_ value: Double, _ expected: Double) -> Bool { abs(value - expected) <= 1e-12 * max(1, abs(expected)) }

func isClose(_ interval: ClosedRange<Double>?, _ expected: [Double]?) -> Bool {
  guard let interval, let expected else { return interval == nil && expected == nil }
  return isClose(interval.lowerBound, expected[0]) && isClose(interval.upperBound, expected[1])
}
