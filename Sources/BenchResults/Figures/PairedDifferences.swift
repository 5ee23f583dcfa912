internal import Foundation

/// The differences of pairs of runs, with the estimate, intervals and tests of the difference of the two arms.
///
/// A difference is the natural logarithm of a ratio; 0 means no change. All methods are symmetric: with the arms
/// exchanged, every estimate changes its sign and every probability stays the same. None assumes a distribution. If the
/// order within each pair was drawn at random, identical arms make the differences symmetric around 0 whatever the
/// machine does between the runs, so that the signed-rank test is exact.
///
/// Source of the estimate, its interval and the test: Hollander and Wolfe, *Nonparametric Statistical Methods*, chapter
/// 3. The test keeps zeros in the ranking (Pratt, "Remarks on zeros and ties in the Wilcoxon signed rank procedures",
/// 1959) and uses mean ranks for ties.
public struct PairedDifferences: Sendable, Equatable {
  /// In the order of the pairs.
  public let values: [Double]
  /// The means of every two differences, and of each difference with itself, sorted.
  private let averages: [Double]

  /// - Parameter values: finite numbers, at least one.
  public init(_ values: [Double]) {
    precondition(!values.isEmpty && values.allSatisfy(\.isFinite), "expected at least one difference, and finite ones")
    self.values = values
    var averages: [Double] = []
    averages.reserveCapacity(values.count * (values.count + 1) / 2)
    for first in values.indices {
      // Halves are added, so that the greatest numbers do not overflow.
      for second in first..<values.count { averages.append(values[first] / 2 + values[second] / 2) }
    }
    averages.sort()
    self.averages = averages
  }

  public var count: Int { values.count }

  // MARK: Effect

  /// The Hodges–Lehmann estimate: the median of the means of every two differences, and of each one with itself.
  public var effect: Double { averages.medianOfSorted }

  /// Returns the interval that belongs to the signed-rank test; nil if there are too few pairs for the confidence
  /// (below 6 for 0.95).
  public func interval(confidence: Double) -> ClosedRange<Double>? {
    let outside = SignedRankDistribution.withoutTies(count).sumsBelow(tail: (1 - confidence) / 2)
    guard outside > 0 else { return nil }
    return averages[outside - 1]...averages[averages.count - outside]
  }

  /// Returns the interval of the median that belongs to the sign test, which assumes no symmetry; nil if there are too
  /// few pairs for the confidence.
  public func signInterval(confidence: Double) -> ClosedRange<Double>? {
    var probability = 0.0
    var term = pow(0.5, Double(count))
    var outside = 0
    while outside < count {
      probability += term
      guard probability <= (1 - confidence) / 2 else { break }
      term *= Double(count - outside) / Double(outside + 1)
      outside += 1
    }
    guard outside > 0 else { return nil }
    let sorted = values.sorted()
    return sorted[outside - 1]...sorted[count - outside]
  }

  // MARK: Test

  /// The two-sided p-value of the signed-rank test; 1 if all differences are zero.
  public var pValue: Double {
    let ranks = zip(values, MeanRanks.doubled(values.map(\.magnitude))).filter { $0.0 != 0 }
    guard !ranks.isEmpty else { return 1 }
    let sum = ranks.filter { $0.0 > 0 }.reduce(0) { $0 + $1.1 }
    let isPlain = ranks.count == count && Set(ranks.map(\.1)).count == count
    let distribution: SignedRankDistribution =
      isPlain ? .withoutTies(count) : SignedRankDistribution(doubledRanks: ranks.map(\.1))
    return distribution.pValue(ofDoubledSum: sum)
  }

  // MARK: Properties of the pairs

  /// The number of differences that are exactly zero.
  public var zeroCount: Int { values.count { $0 == 0 } }
}

/// The exact null distribution of Wilcoxon's signed-rank statistic: each rank counts with probability 1/2.
///
/// Ranks are passed doubled, because tied values may have half ranks. Ties and zeros make the distribution conditional
/// on the ranks that were observed; it stays exact. Time grows with the number of ranks times their sum, and memory
/// with their sum: 200 ranks take at most 8 million steps.
///
/// Source: Hollander and Wolfe, *Nonparametric Statistical Methods*, chapter 3.
struct SignedRankDistribution: Sendable {
  /// The probability of each doubled sum or a smaller one, by the sum.
  private let cumulated: [Double]

  /// The distributions without ties, by the number of ranks. They are cached, because simulations need them many times.
  private static let small = (0...40).map { count in
    SignedRankDistribution(doubledRanks: (0..<count).map { 2 * $0 + 2 })
  }

  /// Returns the distribution of the ranks 1 to `count`.
  static func withoutTies(_ count: Int) -> SignedRankDistribution {
    count < small.count ? small[count] : SignedRankDistribution(doubledRanks: (0..<count).map { 2 * $0 + 2 })
  }

  /// - Parameter doubledRanks: twice the rank of each difference that is not zero, positive numbers.
  init(doubledRanks: [Int]) {
    var probabilities = [Double](repeating: 0, count: doubledRanks.reduce(0, +) + 1)
    probabilities[0] = 1
    var greatest = 0
    for rank in doubledRanks {
      greatest += rank
      // Downwards, so that no rank counts twice.
      for sum in stride(from: greatest, through: 0, by: -1) {
        let without = probabilities[sum]
        let with = sum >= rank ? probabilities[sum - rank] : 0
        probabilities[sum] = (without + with) / 2
      }
    }
    for sum in probabilities.indices.dropFirst() { probabilities[sum] += probabilities[sum - 1] }
    cumulated = probabilities
  }

  /// Returns the two-sided p-value of an observed sum: twice the smaller tail, at most 1.
  func pValue(ofDoubledSum sum: Int) -> Double {
    // By symmetry the upper tail of a sum is the lower tail of its complement.
    min(1, 2 * min(cumulated[sum], cumulated[cumulated.count - 1 - sum]))
  }

  /// Returns the number of sums, from 0 up, whose cumulated probability is at most `tail`. It is the rank of the lower
  /// end of a Hodges–Lehmann interval among the sorted means. For a distribution without ties.
  func sumsBelow(tail: Double) -> Int {
    // A tail may equal one of the probabilities, which are sums of powers of two. Rounding must not make it smaller.
    let first = stride(from: 0, to: cumulated.count, by: 2).first { cumulated[$0] > tail * (1 + 1e-12) }
    return (first ?? cumulated.count) / 2
  }
}

/// Ranks, of which equal values get the mean of their ranks.
package enum MeanRanks {
  /// Returns twice the rank of each value, from 1: doubled, a mean rank is a whole number.
  package static func doubled(_ values: [Double]) -> [Int] {
    let order = values.indices.sorted { values[$0] < values[$1] }
    var ranks = [Int](repeating: 0, count: values.count)
    var first = 0
    while first < values.count {
      var next = first + 1
      while next < values.count, values[order[next]] == values[order[first]] { next += 1 }
      for position in first..<next { ranks[order[position]] = first + 1 + next }
      first = next
    }
    return ranks
  }
}

extension [Double] {
  /// The correlation of each value with the one before it; 0 if all are equal, or if there are none.
  public var lag1Autocorrelation: Double {
    let mean = reduce(0, +) / Double(count)
    let deviations = map { $0 - mean }
    let variance = deviations.reduce(0) { $0 + $1 * $1 }
    guard variance > 0 else { return 0 }
    return zip(deviations, deviations.dropFirst()).reduce(0) { $0 + $1.0 * $1.1 } / variance
  }
}
