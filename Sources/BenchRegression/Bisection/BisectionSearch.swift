package import BenchResults
internal import Foundation

/// Finds the commit that made a figure worse, from comparisons of single commits with the good end.
///
/// Each commit has a probability of being the first bad one. Every comparison changes these probabilities: the more
/// clearly a commit resembles one of the ends, the more they change. An inconclusive comparison therefore costs only
/// time, and the search ends with the probability that its answer is right.
///
/// Source: Burnashev and Zigangirov, "An interval estimation problem for controlled observations", 1974 (bisection with
/// noisy answers).
package struct BisectionSearch: Sendable {
  /// The outcome of comparing one commit with the good end.
  package struct Observation: Sendable, Equatable {
    /// The effect, as a logarithm, and its standard error.
    package var effect: Double
    package var standardError: Double

    package init(effect: Double, standardError: Double) {
      self.effect = effect
      self.standardError = standardError
    }

    /// - Parameter estimate: from at least 6 pairs. The half-width of its 95 % interval is 1.96 standard errors.
    package init(_ estimate: EffectEstimate) {
      let width = estimate.interval95.map { $0.upperBound - $0.lowerBound } ?? .infinity
      // Ties can reduce the interval to a point; a floor keeps the evidence finite.
      self.init(effect: estimate.effect, standardError: max(width / 2 / 1.96, 1e-4))
    }
  }

  /// The greatest evidence of one comparison, as the logarithm of a ratio: a single wrong comparison must not decide.
  private static let greatestEvidence = log(200.0)

  /// The probability that each commit is the first bad one, in the order of the commits.
  package private(set) var probabilities: [Double]
  /// The change from the good end to the bad one, as a logarithm.
  private let change: Double
  private var skipped: Set<Int> = []

  /// - Parameters:
  ///   - commits: the number of commits after the good end, including the bad one.
  ///   - change: the effect between both ends, positive.
  package init(commits: Int, change: Double) {
    precondition(commits > 0 && change > 0, "expected at least one commit, and a change above 0")
    probabilities = Array(repeating: 1 / Double(commits), count: commits)
    self.change = change
  }

  /// The commit that is most probably the first bad one.
  package var answer: (commit: Int, probability: Double) {
    let commit = probabilities.indices.max { probabilities[$0] < probabilities[$1] } ?? 0
    return (commit, probabilities[commit])
  }

  /// The answer, and the commits that cannot be distinguished from it without comparing a skipped commit.
  package var candidates: ClosedRange<Int> {
    let (commit, _) = answer
    var first = commit
    while first > 0, skipped.contains(first - 1) { first -= 1 }
    var last = commit
    while last < probabilities.count - 1, skipped.contains(last) { last += 1 }
    return first...last
  }

  /// The probability that the first bad commit is among the candidates.
  package var certainty: Double { candidates.reduce(0) { $0 + probabilities[$1] } }

  /// The commit whose comparison is most informative: the probability that it or an earlier one is the first bad commit
  /// is closest to one half. nil if every commit before the bad end is known or skipped.
  package var next: Int? {
    var sum = 0.0
    var best: (commit: Int, distance: Double)?
    // The last commit is the bad end itself.
    for commit in probabilities.indices.dropLast() {
      sum += probabilities[commit]
      guard !skipped.contains(commit), sum > 1e-6, sum < 1 - 1e-6 else { continue }
      let distance = abs(sum - 0.5)
      if distance < best?.distance ?? .infinity { best = (commit, distance) }
    }
    return best?.commit
  }

  /// Excludes a commit that cannot be compared.
  package mutating func skip(_ commit: Int) { skipped.insert(commit) }

  /// Updates the probabilities by the comparison of a commit with the good end.
  package mutating func observe(_ commit: Int, _ observation: Observation) {
    // The log-likelihood ratio of the bad end to the good end.
    let error = observation.standardError
    let evidence = (change * observation.effect - change * change / 2) / (error * error)
    let bounded = max(-Self.greatestEvidence, min(Self.greatestEvidence, evidence))
    for index in probabilities.indices where index <= commit { probabilities[index] *= exp(bounded) }
    let sum = probabilities.reduce(0, +)
    for index in probabilities.indices { probabilities[index] /= sum }
  }
}
