/// The exact null distribution of Wilcoxon's signed-rank statistic: each rank counts with probability 1/2.
///
/// Ranks are passed doubled, because the rank of tied values may be a half. Ties and zeros make the distribution
/// conditional on the ranks that were observed; it stays exact.
///
/// Time and memory grow with the number of ranks times their sum: 200 ranks take some 8 million steps.
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

  /// Returns the number of sums, from 0 up, whose cumulated probability is at most `tail`: the K of the interval around
  /// a Hodges–Lehmann estimate. For a distribution without ties.
  func sumsBelow(tail: Double) -> Int {
    // The probabilities are sums of powers of two: a tail that equals one of them must not fail because of rounding.
    let first = stride(from: 0, to: cumulated.count, by: 2).first { cumulated[$0] > tail * (1 + 1e-12) }
    return (first ?? cumulated.count) / 2
  }
}
