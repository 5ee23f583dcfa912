internal import Foundation
internal import HarnessPrimitives

/// The error for a figure whose values do not form pairs of positive numbers.
public struct IncomparableFigures: Error, Equatable, CustomStringConvertible {
  public let description: String
}

/// The change of one figure between two arms, estimated from pairs of runs.
///
/// Effects are natural logarithms of ratios, oriented so that a positive one is worse: 0.05 is about 5 % slower, or
/// about 5 % less throughput.
public struct EffectEstimate: Sendable, Equatable {
  /// The fewest pairs with which the exact tests can show a difference at the level of 5 %: 2/2⁶ is 0.03.
  public static let fewestPairs = 6

  public let pairs: Int
  /// The Hodges–Lehmann estimate.
  public let effect: Double
  /// nil for fewer than `fewestPairs`.
  public let interval95: ClosedRange<Double>?
  /// nil for fewer than 5 pairs.
  public let interval90: ClosedRange<Double>?
  /// The interval of the sign test, which assumes no symmetry; nil for fewer than `fewestPairs`.
  public let signInterval95: ClosedRange<Double>?
  /// The two-sided p-value of the signed-rank test, for this figure alone.
  public let pValue: Double
  public let lag1Autocorrelation: Double
  /// The number of pairs whose figures were equal.
  public let ties: Int

  public init(_ differences: PairedDifferences) {
    pairs = differences.count
    effect = differences.effect
    interval95 = differences.interval(confidence: 0.95)
    interval90 = differences.interval(confidence: 0.90)
    signInterval95 = differences.signInterval(confidence: 0.95)
    pValue = differences.pValue
    lag1Autocorrelation = differences.values.lag1Autocorrelation
    ties = differences.zeroCount
  }

  public var resolution: Resolution { Resolution(interval: interval95, pairs: pairs) }

  /// Whether the sign test shows a change in the direction opposite to the estimate. If so, the differences are too
  /// skewed for a verdict.
  public var isContradicted: Bool {
    guard let signInterval95 else { return false }
    return signInterval95.lowerBound > 0 && effect < 0 || signInterval95.upperBound < 0 && effect > 0
  }
}

/// Pairs of a figure of two variants or engines.
extension EffectEstimate {
  /// Estimates the ratio of the first value to the second one.
  /// - Returns: nil without pairs, and if a value is not positive, because there is no ratio.
  public init?(ratiosOf values: [(Double, Double)]) {
    let pairs = try? PairedDifferences(base: values.map(\.1), head: values.map(\.0), better: .lower)
    guard let pairs else { return nil }
    self.init(pairs)
  }

  public var ratio: Double { exp(effect) }

  /// The 95 % interval of the ratio; nil for fewer than `fewestPairs`.
  public var ratioInterval: ClosedRange<Double>? { interval95.map { exp($0.lowerBound)...exp($0.upperBound) } }

  /// Whether the values differ; nil with too few pairs for an answer.
  public var differs: Bool? { interval95.map { !$0.contains(0) && !isContradicted } }

  /// Whether paired values differ; nil with too few pairs for an answer. If a value is 0, there is no ratio; then they
  /// differ if all pairs agree, which is the sign test.
  public static func differs(_ values: [(Double, Double)]) -> Bool? {
    guard shortage(of: values.count) == nil else { return nil }
    if let estimate = EffectEstimate(ratiosOf: values) { return estimate.differs }
    return values.allSatisfy { $0.0 < $0.1 } || values.allSatisfy { $0.0 > $0.1 }
  }

  /// The reason for which these pairs, or pairs without a ratio, have no verdict; nil if they are enough.
  public static func shortage(of pairs: Int) -> String? {
    pairs < fewestPairs ? "\(pairs) pairs; a verdict needs \(fewestPairs)" : nil
  }
}

extension ScenarioResult {
  /// Returns the pairs of runs of two variants: repetitions with the same number, because they were run in the same
  /// round, and then those that are left over, such as retries, in their order.
  public func pairs(of variant: Variant, with other: Variant) -> [(RunResult, RunResult)] {
    let (runs, others) = (runsWithFigures(of: variant), runsWithFigures(of: other))
    return Self.pairs(runs.map(\.repetition), others.map(\.repetition)).map { (runs[$0], others[$1]) }
  }

  /// Returns the indices of the pairs of two variants' repetitions, given their numbers.
  package static func pairs(_ repetitions: [Int], _ others: [Int]) -> [(Int, Int)] {
    let common = Set(repetitions).intersection(others)
    func inPairOrder(_ numbers: [Int]) -> [Int] {
      numbers.indices.filter { common.contains(numbers[$0]) } + numbers.indices.filter { !common.contains(numbers[$0]) }
    }
    return Array(zip(inPairOrder(repetitions), inPairOrder(others)))
  }
}

extension PairedDifferences {
  /// - Parameters:
  ///   - base: the base's figure in each pair.
  ///   - head: the same for the head, in the same order.
  /// - Throws: `IncomparableFigures`.
  public init(base: [Double], head: [Double], better: BetterValues) throws(IncomparableFigures) {
    guard base.count == head.count else {
      throw IncomparableFigures(
        description: "\(base.count) runs of the base and \(head.count) of the head; expected equal numbers"
      )
    }
    guard !base.isEmpty else { throw IncomparableFigures(description: "no pair of runs has this figure") }
    var values: [Double] = []
    for (index, (base, head)) in zip(base, head).enumerated() {
      guard base.isFinite, head.isFinite, base > 0, head > 0 else {
        throw IncomparableFigures(
          description: "valid pair \(index + 1) has \(base) and \(head); expected positive numbers"
        )
      }
      // The greater is divided by the smaller, so that exchanged arms give exactly the opposite number.
      let growth = head >= base ? Self.log(head, over: base) : -Self.log(base, over: head)
      values.append(better == .lower ? growth : -growth)
    }
    self.init(values)
  }

  /// Returns the logarithm of a ratio, even if the ratio itself is too large for a `Double`.
  private static func log(_ greater: Double, over smaller: Double) -> Double {
    let ratio = greater / smaller
    return ratio.isFinite ? Foundation.log(ratio) : Foundation.log(greater) - Foundation.log(smaller)
  }
}

/// The resolution of a comparison: the smallest change that it detects, and the pairs that a smaller change needs.
///
/// Derived from the half-width of the 95 % interval, which is about 1.96 standard errors. A change is found in four of
/// five comparisons if it is 1.96 + 0.84 standard errors large, which is 1.43 half-widths. Both factors assume the
/// normal distribution, so the results are approximate, and no verdict depends on them.
public struct Resolution: Sendable, Equatable {
  /// (z of 0.975 + z of 0.8) / z of 0.975.
  private static let halfWidths = 1.4294

  /// The smallest change that four of five such comparisons find, as a natural logarithm; infinite below 6 pairs.
  public let minimumDetectableEffect: Double
  private let pairs: Int

  /// - Parameter interval: the 95 % interval of the effect; nil if there were too few pairs for one.
  public init(interval: ClosedRange<Double>?, pairs: Int) {
    minimumDetectableEffect =
      interval.map { Self.halfWidths * ($0.upperBound - $0.lowerBound) / 2 } ?? .infinity
    self.pairs = pairs
  }

  /// Returns the number of pairs, at least 6, that would find a change of `effect` in four of five comparisons: the
  /// interval shrinks with the square root of their number. nil without an interval, and for an effect of 0 or less.
  public func pairsNeeded(for effect: Double) -> Int? {
    guard minimumDetectableEffect.isFinite, effect > 0 else { return nil }
    let ratio = minimumDetectableEffect / effect
    return max(6, Int(saturating: (Double(pairs) * ratio * ratio).rounded(.up)))
  }
}

extension PercentInterval {
  /// - Parameter effects: logarithms, positive if worse.
  public init(_ effects: ClosedRange<Double>, _ better: BetterValues) {
    let ends = [effects.lowerBound, effects.upperBound].map { Self.percent($0, better) }
    self.init(low: min(ends[0], ends[1]), high: max(ends[0], ends[1]))
  }
}
