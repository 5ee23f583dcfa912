internal import Foundation

/// The differences of pairs of runs, with the estimate, intervals and tests of the difference of the two arms.
///
/// A difference is the natural logarithm of a ratio; 0 means no change. All methods are symmetric: with the arms
/// exchanged, every estimate changes its sign and every probability stays the same. None assumes a distribution. If the
/// order within each pair was drawn at random, identical arms make the differences symmetric around 0 whatever the
/// machine does meanwhile, so that the signed-rank test is exact.
///
/// Source of the estimate, its interval and the test: Hollander and Wolfe, *Nonparametric Statistical Methods*, chapter
/// 3. The test keeps zeros in the ranking (Pratt, "Remarks on zeros and ties in the Wilcoxon signed rank procedures",
/// 1959) and uses mean ranks for ties.
public struct PairedDifferences: Sendable, Equatable {
  /// In the order in which the pairs were run.
  public let values: [Double]
  /// The means of every two differences, each also paired with itself, sorted.
  private let averages: [Double]

  /// - Parameter values: finite numbers, at least one.
  public init(_ values: [Double]) {
    precondition(!values.isEmpty && values.allSatisfy(\.isFinite), "differences are finite, and there is one at least")
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

  /// The Hodges–Lehmann estimate: the median of the means of every two differences.
  public var effect: Double {
    let middle = averages.count / 2
    return averages.count.isMultiple(of: 2) ? averages[middle - 1] / 2 + averages[middle] / 2 : averages[middle]
  }

  /// Returns the interval that belongs to the signed-rank test; nil if there are too few pairs for the confidence
  /// (below 6 for 0.95).
  public func interval(confidence: Double) -> ClosedRange<Double>? {
    let outside = SignedRankDistribution.withoutTies(count).sumsBelow(tail: (1 - confidence) / 2)
    guard outside > 0 else { return nil }
    return averages[outside - 1]...averages[averages.count - outside]
  }

  /// Returns the interval of the median that belongs to the sign test, which needs no symmetry: a second opinion.
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
