internal import BenchResults
internal import BenchScenario
internal import Foundation

/// Judges the expectations that compare variants.
///
/// The repetitions of both variants form pairs, except on different machines. Fewer than 6 pairs decide nothing. An
/// expectation passes or fails only if the whole interval of the pairs' ratio is on one side of its limit. If a value
/// is 0, there is no ratio. Then the expectation passes if it holds in all pairs, and fails if it holds in none.
struct VariantJudge {
  let loaded: LoadedScenario
  let scenario: ScenarioResult

  /// A result for each pair of variants that an expectation compares; empty for a smoke run, which measures nothing.
  var results: [VariantExpectationResult] {
    guard !scenario.first.isSmoke else { return [] }
    let variants = loaded.variants
    return variants[0].scenario.variantExpectations.flatMap { expectation -> [VariantExpectationResult] in
      guard case .figure(let other, let factor) = expectation.bound, let choice = other.choice else { return [] }
      return variants.indices.filter { expectation.figure.belongs(to: variants[$0].settings) }
        .compactMap { index -> VariantExpectationResult? in
          let counterpart = choice.counterpart(of: variants[index].settings, among: variants.map(\.settings))
          guard counterpart != index else { return nil }
          var result = VariantExpectationResult(
            source: expectation.source,
            variants: (variants[index].label, counterpart.map { variants[$0].label } ?? choice.text),
            comparison: expectation.comparison,
            limitRatio: factor
          )
          result.figure = expectation.figure.id
          guard let counterpart else {
            result.reason = "the variant \(choice.text) was not selected"
            return result
          }
          guard scenario.shard == nil else {
            result.reason = "yapbench merge decides it, when all shards have run"
            return result
          }
          let machines = scenario.byMachine
          result.judge(
            machines.flatMap { pairs(expectation.figure, of: index, other, of: counterpart, in: $0) }
          )
          if result.pairs == 0, machines.count > 1 {
            result.reason = "no machine has measured both variants"
          } else if result.pairs == 0, !scenario.isPartial {
            // As for an expectation of one run, a figure that whole runs did not measure is no success.
            result.outcome = .failed
          }
          return result
        }
    }
  }

  /// Returns the values of two variants' figures in their pairs of repetitions on one machine. Pairs without one of the
  /// values are left out.
  private func pairs(
    _ figure: ExpectedFigure,
    of variant: Int,
    _ other: ExpectedFigure,
    of otherVariant: Int,
    in machine: ScenarioResult
  ) -> [(Double, Double)] {
    machine.pairs(of: scenario.variants[variant], with: scenario.variants[otherVariant]).compactMap { run, partner in
      guard let value = run.comparedFigures[figure.description],
        let otherValue = partner.comparedFigures[other.description]
      else { return nil }
      return (value, otherValue)
    }
  }
}

extension VariantExpectationResult {
  /// Sets the ratio, its interval and the outcome by the values of the pairs.
  mutating func judge(_ values: [(Double, Double)]) {
    pairs = values.count
    guard !values.isEmpty else {
      reason = "nothing was measured"
      return
    }
    outcome = .undecided
    let found = EffectEstimate(ratiosOf: values)
    ratio = found?.ratio
    if let shortage = EffectEstimate.shortage(of: pairs) {
      reason = shortage + ", so \"repeat\" must be \(EffectEstimate.fewestPairs) or more"
      return
    }
    guard let interval = found?.ratioInterval else { return judgeWithoutRatio(values) }
    let (lower, upper) = (interval.lowerBound, interval.upperBound)
    (lowerRatio, upperRatio) = (lower, upper)
    // The pairs are judged relative to the limit.
    if EffectEstimate(ratiosOf: values.map { ($0.0, limitRatio * $0.1) })?.isContradicted == true {
      reason = "most pairs and their means point in different directions"
      return
    }
    switch (comparison.holds(lower, limitRatio), comparison.holds(upper, limitRatio)) {
    case (true, true): outcome = .passed
    case (false, false): outcome = .failed
    default: reason = "the interval contains the limit; more repetitions make it narrower"
    }
  }

  /// Sets the outcome if a value is 0: the comparison must hold in all pairs or in none, which is the sign test.
  private mutating func judgeWithoutRatio(_ values: [(Double, Double)]) {
    let holding = values.count { comparison.holds($0.0, limitRatio * $0.1) }
    switch holding {
    case pairs: outcome = .passed
    case 0: outcome = .failed
    default: reason = "a value is 0, so there is no ratio, and it holds in \(holding) of \(pairs) pairs"
    }
  }

  /// The ratio, such as "share to copy 1.32 (95% interval 1.20 to 1.45)".
  var foundText: String {
    func text(_ value: Double) -> String { String(format: "%.3g", value) }
    guard let ratio else {
      return "\(variant) to \(otherVariant)" + (reason.isEmpty ? " without a ratio" : ": \(reason)")
    }
    let interval =
      if let lowerRatio, let upperRatio {
        " (95% interval \(text(lowerRatio)) to \(text(upperRatio)))"
      } else { "" }
    return "\(variant) to \(otherVariant) \(text(ratio))\(interval)" + (reason.isEmpty ? "" : ": \(reason)")
  }
}
