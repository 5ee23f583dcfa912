internal import Foundation

/// The exact interval of a probability, from the number of successes.
///
/// Source: Clopper and Pearson, "The use of confidence or fiducial limits illustrated in the case of the binomial",
/// Biometrika, 1934.
public enum BinomialInterval {
  /// - Parameters:
  ///   - count: the successes, 0 to `trials`.
  ///   - trials: without a trial the interval is 0 to 1.
  ///   - confidence: such as 0.95.
  public static func interval(_ count: Int, of trials: Int, confidence: Double = 0.95) -> ClosedRange<Double> {
    precondition((0...max(0, trials)).contains(count), "successes exceed trials")
    guard trials > 0 else { return 0...1 }
    let tail = (1 - confidence) / 2
    let lower = count == 0 ? 0 : root { 1 - probability(atMost: count - 1, of: trials, $0) >= tail }
    let upper = count == trials ? 1 : root { probability(atMost: count, of: trials, $0) <= tail }
    return lower...upper
  }

  /// Returns the smallest probability for which `holds` is true; it is false below it.
  private static func root(_ holds: (Double) -> Bool) -> Double {
    var bounds = (low: 0.0, high: 1.0)
    // Sixty halvings: below the resolution of a `Double` near 1.
    for _ in 0..<60 {
      let middle = (bounds.low + bounds.high) / 2
      if holds(middle) { bounds.high = middle } else { bounds.low = middle }
    }
    return bounds.high
  }

  /// Returns the probability of at most `count` successes, each of the given probability.
  private static func probability(atMost count: Int, of trials: Int, _ success: Double) -> Double {
    guard success > 0 else { return 1 }
    guard success < 1 else { return count >= trials ? 1 : 0 }
    // In logarithms: the terms of ten thousand trials underflow.
    let odds = log(success) - log1p(-success)
    var logTerm = Double(trials) * log1p(-success)
    var sum = exp(logTerm)
    for successes in 0..<count {
      logTerm += log(Double(trials - successes) / Double(successes + 1)) + odds
      sum += exp(logTerm)
    }
    return min(1, sum)
  }
}
