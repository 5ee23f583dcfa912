internal import BenchResults
internal import Foundation

/// Turns the series of a comparison's figures into their results.
struct FigureJudge {
  /// The results of the figures that looked changed.
  struct Confirmations {
    var results: [FigureName: FigureResult] = [:]
    /// Whether the fresh pairs did not suffice to decide about at least one of these figures.
    var isIncomplete = false
  }

  let stages: TwoStages
  let margins: Margins

  // MARK: Two stages

  /// Returns whether a series of the first stage needs fresh pairs: its figure may decide, and looks changed.
  func isSuspect(_ series: ComparedSeries) -> Bool {
    guard series.figure.role == .primary, let estimate = series.estimate else { return false }
    return stages.isSuspect(estimate, margin: series.margin)
  }

  func confirm(_ suspects: [ComparedSeries], by pairs: ComparisonPairs) -> Confirmations {
    var confirmations = Confirmations()
    var fresh: [(first: ComparedSeries, second: ComparedSeries, estimate: EffectEstimate)] = []
    for suspect in suspects {
      let own = pairs.pairs(of: suspect.scenario, stage: 2)
      let series =
        own.isEmpty
        ? nil
        : ComparedSeries(of: suspect.figure, scenario: suspect.scenario, stage: 2, pairs: own, margins: margins)
      if let series, let estimate = series.estimate, estimate.interval95 != nil {
        fresh.append((suspect, series, estimate))
      } else {
        let reason = series?.problem ?? "seemed changed; \(series?.base.count ?? 0) fresh pairs, but a verdict needs 6"
        confirmations.results[suspect.figure.name] = result(of: suspect, verdict: .suspect, reasons: [reason])
        confirmations.isIncomplete = true
      }
    }
    let fewest = fresh.map(\.estimate.pairs).min() ?? 0
    let largestFamily = HolmAdjustment.greatestFamily(pairs: fewest, alpha: stages.confirmingAlpha)
    let isTooLarge = fresh.count > largestFamily
    if isTooLarge { confirmations.isIncomplete = true }
    let judged = stages.confirm(fresh.map { ($0.estimate, $0.second.margin) })
    for (index, item) in fresh.enumerated() {
      let isConfirmed =
        judged[index].verdict.isChange && (item.estimate.effect > 0) == (item.first.estimate?.effect ?? 0 > 0)
      let doubt =
        isTooLarge
        ? "seemed changed; \(fewest) fresh pairs cannot confirm \(fresh.count) figures at once"
        : "seemed changed; not confirmed by fresh pairs"
      confirmations.results[item.second.figure.name] = result(
        of: item.second,
        adjustedPValue: judged[index].adjustedPValue,
        verdict: isConfirmed ? judged[index].verdict : .suspect,
        reasons: isConfirmed ? [] : [doubt]
      )
    }
    return confirmations
  }

  // MARK: Single figures

  /// Returns the result of a figure that needs no fresh pairs.
  func result(of series: ComparedSeries) -> FigureResult {
    guard let estimate = series.estimate else {
      return series.isExact
        ? exactResult(of: series) : result(of: series, verdict: .inconclusive, reasons: series.reasons)
    }
    let rules = VerdictRules(
      alpha: stages.screeningAlpha,
      margin: series.margin,
      requiresWholeInterval: series.figure.role == .primary && stages.requiresWholeInterval
    )
    var reasons = series.reasons
    reasons += EffectEstimate.shortage(of: estimate.pairs).map { [$0] } ?? []
    if estimate.isContradicted { reasons.append("most pairs and their means point in different directions") }
    return result(of: series, verdict: rules.verdict(of: estimate, adjustedPValue: estimate.pValue), reasons: reasons)
  }

  private func exactResult(of series: ComparedSeries) -> FigureResult {
    if series.figure.role == .instructions { return countedResult(of: series) }
    let (base, head) = (series.base.median, series.head.median)
    let isWorse = series.figure.better == .lower ? head > base : head < base
    var result = result(of: series, verdict: head == base ? .unchanged : isWorse ? .regressed : .improved)
    result.isExact = true
    result.changePercent = base == 0 ? nil : 100 * (head / base - 1)
    return result
  }

  /// Judges instructions. A change must exceed the noise, which is the greater of two shares: the one within which the
  /// instructions of one build repeat, and the spread of the change over the pairs, because some work depends on time.
  private func countedResult(of series: ComparedSeries) -> FigureResult {
    let changes = zip(series.base, series.head).map { log($1 / $0) }
    let change = changes.reduce(0, +) / Double(max(1, changes.count))
    let spread = (changes.max() ?? 0) - (changes.min() ?? 0)
    let noise = max(ComparisonPairs.Pair.instructionNoise, spread)
    let verdict: EffectVerdict
    if abs(change) <= noise {
      verdict = noise < series.margin ? .unchanged : .inconclusive
    } else if abs(change) < series.margin {
      verdict = .changedSmall
    } else {
      verdict = change > 0 ? .regressed : .improved
    }
    var result = result(of: series, verdict: verdict)
    result.isExact = true
    result.changePercent = 100 * (exp(change) - 1)
    result.detectablePercent = 100 * (exp(noise) - 1)
    return result
  }

  private func result(
    of series: ComparedSeries,
    adjustedPValue: Double? = nil,
    verdict: EffectVerdict,
    reasons: [String] = []
  ) -> FigureResult {
    let estimate = series.estimate
    let better = series.figure.better
    func interval(_ interval: ClosedRange<Double>?) -> PercentInterval? { interval.map { .init($0, better) } }
    var result = FigureResult(of: series.figure, verdict: verdict)
    (result.base, result.head) = (series.base.median, series.head.median)
    result.changePercent = estimate.map { PercentInterval.percent($0.effect, better) }
    result.interval95Percent = interval(estimate?.interval95)
    result.interval90Percent = interval(estimate?.interval90)
    result.signInterval95Percent = interval(estimate?.signInterval95)
    (result.pValue, result.adjustedPValue) = (estimate?.pValue, adjustedPValue)
    (result.stage, result.pairs) = (series.stage, series.base.count)
    result.ties = estimate?.ties ?? zip(series.base, series.head).count { $0 == $1 }
    result.marginPercent = series.figure.role == .count && series.isExact ? 0 : 100 * (exp(series.margin) - 1)
    result.detectablePercent = estimate.flatMap(Self.detectablePercent)
    result.pairsNeeded = estimate?.resolution.pairsNeeded(for: series.margin)
    result.lag1Autocorrelation = estimate?.lag1Autocorrelation
    result.reasons = reasons
    result.values = zip(series.base, series.head).map { [$0, $1] }
    return result
  }

  private static func detectablePercent(_ estimate: EffectEstimate) -> Double? {
    let effect = estimate.resolution.minimumDetectableEffect
    return effect.isFinite ? 100 * (exp(effect) - 1) : nil
  }
}
