public import BenchModel
internal import Foundation

/// Turns the runs of a comparison into its result.
///
/// It runs nothing, so the same runs always give the same result.
public struct ComparisonJudge: Sendable {
  /// The facts of a comparison that are known before its first run.
  public struct Setting: Sendable {
    public var base: ComparedArm
    public var head: ComparedArm
    public var machine: ComparedMachine
    public var design: ComparisonDesign
    public var calibration: CalibrationResult?
    public var margins: Margins

    public init(
      base: ComparedArm,
      head: ComparedArm,
      machine: ComparedMachine,
      design: ComparisonDesign,
      calibration: CalibrationResult? = nil,
      margins: Margins = Margins()
    ) {
      self.base = base
      self.head = head
      self.machine = machine
      self.design = design
      self.calibration = calibration
      self.margins = margins
    }

    /// Takes over the noise and the false alarms of the machine.
    public mutating func apply(_ calibration: Calibration) {
      margins = calibration.margins
      self.calibration = calibration.result
    }
  }

  /// A figure of one scenario, with its values from the pairs of one stage.
  private struct Series {
    var figure: RunFigure
    var scenario: String
    var stage: Int
    var base: [Double]
    var head: [Double]
    var margin: Double
    var estimate: EffectEstimate?
    /// The reason for which there is no estimate.
    var problem: String?

    var isExact: Bool {
      figure.role == .count && base.count > 1 && Set(base).count == 1 && Set(head).count == 1
    }
  }

  private let setting: Setting
  private let stages: TwoStages

  public init(_ setting: Setting) {
    self.setting = setting
    var stages = TwoStages()
    stages.requiresWholeInterval = setting.design.requiresWholeInterval
    self.stages = stages
  }

  // MARK: The first stage

  /// Returns the scenarios that deserve a second stage: those with a figure that decides and looks changed.
  public func suspects(in runs: [ComparedRun]) -> [String] {
    let pairs = ComparisonPairs(runs)
    let series = allSeries(pairs, notCompared: { _ in })
    return setting.design.scenarios.filter { scenario in
      series.contains { $0.scenario == scenario && isSuspect($0) }
    }
  }

  private func isSuspect(_ series: Series) -> Bool {
    guard series.figure.role == .primary, let estimate = series.estimate else { return false }
    return stages.isSuspect(estimate, margin: series.margin)
  }

  // MARK: The result

  public func result(of runs: [ComparedRun]) -> ComparisonOutcome {
    let pairs = ComparisonPairs(runs)
    var notCompared: [FigureNotCompared] = []
    let series = allSeries(pairs) { notCompared.append($0) }
    let confirmed = confirmations(of: series.filter(isSuspect), pairs)
    let adjusted = singleStagePValues(series)
    let figures = series.map { figure -> FigureResult in
      if let confirmation = confirmed[figure.figure.name] { return confirmation }
      return result(of: figure, adjustedPValue: adjusted[figure.figure.name])
    }
    let sorted = figures.sorted { Self.rank($0) < Self.rank($1) }
    let deciding = sorted.filter { $0.role == .primary || $0.isExact }
    let missing = notCompared.filter { $0.role == .primary }
    return ComparisonOutcome(
      base: setting.base,
      head: setting.head,
      machine: setting.machine,
      design: setting.design,
      calibration: setting.calibration,
      figures: sorted,
      curves: pairs.curves,
      notCompared: notCompared.sorted { $0.name < $1.name },
      summary: Self.summary(deciding, notCompared: missing.count, invalidatedPairs: pairs.invalidatedPairs),
      failures: pairs.failures,
      exitCode: exitCode(deciding, isIncomplete: !missing.isEmpty || !pairs.failures.isEmpty, pairs.failedExitCodes)
    )
  }

  private static func rank(_ figure: FigureResult) -> (Int, Int, Double, FigureName) {
    let order: [EffectVerdict] = [.regressed, .suspect, .improved, .changedSmall, .inconclusive, .unchanged]
    let verdict = order.firstIndex(of: figure.verdict) ?? order.count
    let role = FigureRole.allCases.firstIndex(of: figure.role) ?? 0
    return (verdict, role, -abs(figure.changePercent ?? 0), figure.name)
  }

  // MARK: Series

  private func allSeries(_ pairs: ComparisonPairs, notCompared: (FigureNotCompared) -> Void) -> [Series] {
    setting.design.scenarios.flatMap { scenario -> [Series] in
      let own = pairs.pairs(of: scenario, stage: 1)
      guard !own.isEmpty else {
        notCompared(
          FigureNotCompared(
            name: FigureName(workload: scenario, metric: "every figure"),
            role: .primary,
            reason: "no pair of runs counts"
          )
        )
        return []
      }
      return Self.figures(in: own).compactMap { figure in
        let series = series(of: figure, scenario, stage: 1, own)
        guard let problem = series.problem else { return series }
        notCompared(FigureNotCompared(name: figure.name, role: figure.role, reason: problem))
        return nil
      }
    }
  }

  /// Returns every figure that a run of either arm has, once, in the order of the names.
  private static func figures(in pairs: [ComparisonPairs.Pair]) -> [RunFigure] {
    var figures: [FigureName: RunFigure] = [:]
    for pair in pairs {
      for (name, figure) in pair.base { figures[name] = figures[name] ?? figure }
      for (name, figure) in pair.head { figures[name] = figures[name] ?? figure }
    }
    return figures.values.sorted { $0.name < $1.name }
  }

  private func series(
    of figure: RunFigure,
    _ scenario: String,
    stage: Int,
    _ pairs: [ComparisonPairs.Pair]
  ) -> Series {
    var series = Series(
      figure: figure,
      scenario: scenario,
      stage: stage,
      base: [],
      head: [],
      margin: setting.margins.margin(of: figure)
    )
    var fewest = Int.max
    for (index, pair) in pairs.enumerated() {
      guard let base = pair.base[figure.name], let head = pair.head[figure.name] else {
        let arm: Arm = pair.base[figure.name] == nil ? .base : .head
        series.problem = "the \(arm.rawValue) does not have it in pair \(index + 1)"
        return series
      }
      series.base.append(base.value)
      series.head.append(head.value)
      fewest = min(fewest, base.exceedances ?? .max, head.exceedances ?? .max)
    }
    // A percentile with few durations beyond it is reported and does not decide.
    if series.figure.role == .primary, fewest < RunFigures.decidingExceedances { series.figure.role = .secondary }
    if series.isExact { return series }
    do {
      let differences = try PairedDifferences(base: series.base, head: series.head, better: figure.better)
      series.estimate = EffectEstimate(differences)
    } catch {
      series.problem = error.description
    }
    return series
  }

  // MARK: Verdicts

  /// Returns the results of the figures that looked changed and have fresh pairs.
  private func confirmations(of suspects: [Series], _ pairs: ComparisonPairs) -> [FigureName: FigureResult] {
    guard setting.design.confirmingPairs > 0 else { return [:] }
    var results: [FigureName: FigureResult] = [:]
    var fresh: [(first: Series, second: Series, estimate: EffectEstimate)] = []
    for suspect in suspects {
      let own = pairs.pairs(of: suspect.scenario, stage: 2)
      let series = own.isEmpty ? nil : series(of: suspect.figure, suspect.scenario, stage: 2, own)
      if let series, let estimate = series.estimate {
        fresh.append((suspect, series, estimate))
      } else {
        let reason = series?.problem ?? "no time was left for fresh pairs"
        results[suspect.figure.name] = result(of: suspect, verdict: .suspect, reasons: [reason])
      }
    }
    let pValues = HolmAdjustment.adjusted(fresh.map(\.estimate.pValue))
    let verdicts = stages.confirm(fresh.map { ($0.estimate, $0.second.margin) })
    for (index, item) in fresh.enumerated() {
      let isConfirmed = verdicts[index].isChange && (item.estimate.effect > 0) == (item.first.estimate?.effect ?? 0 > 0)
      results[item.second.figure.name] = result(
        of: item.second,
        adjustedPValue: pValues[index],
        verdict: isConfirmed ? verdicts[index] : .suspect,
        reasons: isConfirmed ? [] : [Self.doubt(item.second.base.count)]
      )
    }
    return results
  }

  private static func doubt(_ freshPairs: Int) -> String {
    freshPairs < 6
      ? "looked changed; \(freshPairs) fresh pairs decide nothing, 6 are needed"
      : "looked changed; fresh pairs did not confirm it"
  }

  /// Returns the adjusted p-values where one stage decides, over all figures that decide.
  private func singleStagePValues(_ series: [Series]) -> [FigureName: Double] {
    guard setting.design.confirmingPairs == 0 else { return [:] }
    let family = series.compactMap { series in
      series.figure.role == .primary ? series.estimate.map { (series.figure.name, $0.pValue) } : nil
    }
    return Dictionary(uniqueKeysWithValues: zip(family.map(\.0), HolmAdjustment.adjusted(family.map(\.1))))
  }

  private func result(of series: Series, adjustedPValue: Double?) -> FigureResult {
    guard let estimate = series.estimate else { return exactResult(of: series) }
    let rules = VerdictRules(
      alpha: stages.screeningAlpha,
      margin: series.margin,
      requiresWholeInterval: series.figure.role == .primary && stages.requiresWholeInterval
    )
    var reasons: [String] = []
    if estimate.interval95 == nil { reasons.append("\(estimate.pairs) pairs; 6 are needed for a verdict") }
    if estimate.isContradicted { reasons.append("most pairs and their means point into different directions") }
    return result(
      of: series,
      adjustedPValue: adjustedPValue,
      verdict: rules.verdict(of: estimate, adjustedPValue: adjustedPValue ?? estimate.pValue),
      reasons: reasons
    )
  }

  private func exactResult(of series: Series) -> FigureResult {
    let (base, head) = (series.base[0], series.head[0])
    let isWorse = series.figure.better == .lower ? head > base : head < base
    var result = result(of: series, verdict: head == base ? .unchanged : isWorse ? .regressed : .improved)
    result.isExact = true
    result.changePercent = base == 0 ? nil : 100 * (head / base - 1)
    return result
  }

  private func result(
    of series: Series,
    adjustedPValue: Double? = nil,
    verdict: EffectVerdict,
    reasons: [String] = []
  ) -> FigureResult {
    let estimate = series.estimate
    let better = series.figure.better
    func interval(_ interval: ClosedRange<Double>?) -> PercentInterval? { interval.map { .init($0, better) } }
    return FigureResult(
      name: series.figure.name,
      role: series.figure.role,
      unit: series.figure.unit,
      better: better,
      base: Self.median(series.base),
      head: Self.median(series.head),
      changePercent: estimate.map { PercentInterval.percent($0.effect, better) },
      interval95Percent: interval(estimate?.interval95),
      interval90Percent: interval(estimate?.interval90),
      signInterval95Percent: interval(estimate?.signInterval95),
      pValue: estimate?.pValue,
      adjustedPValue: adjustedPValue,
      stage: series.stage,
      pairs: series.base.count,
      ties: estimate?.ties ?? series.base.count,
      marginPercent: series.isExact ? 0 : 100 * (exp(series.margin) - 1),
      detectablePercent: estimate.flatMap(Self.detectablePercent),
      pairsNeeded: estimate?.resolution.pairsNeeded(for: series.margin),
      lag1Autocorrelation: estimate?.lag1Autocorrelation,
      verdict: verdict,
      reasons: reasons,
      values: zip(series.base, series.head).map { [$0, $1] }
    )
  }

  private static func detectablePercent(_ estimate: EffectEstimate) -> Double? {
    let effect = estimate.resolution.minimumDetectableEffect
    return effect.isFinite ? 100 * (exp(effect) - 1) : nil
  }

  private static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? sorted[middle - 1] / 2 + sorted[middle] / 2 : sorted[middle]
  }

  // MARK: The end

  private static func summary(
    _ deciding: [FigureResult],
    notCompared: Int,
    invalidatedPairs: Int
  ) -> ComparisonSummary {
    func count(_ verdict: EffectVerdict) -> Int { deciding.count { $0.verdict == verdict } }
    return ComparisonSummary(
      regressed: count(.regressed),
      improved: count(.improved),
      suspect: count(.suspect),
      changedSmall: count(.changedSmall),
      unchanged: count(.unchanged),
      inconclusive: count(.inconclusive),
      notCompared: notCompared,
      invalidatedPairs: invalidatedPairs
    )
  }

  /// Wrong data and failures outrank a regression, and a regression outranks what is missing: neither is hidden.
  private func exitCode(_ deciding: [FigureResult], isIncomplete: Bool, _ failed: [Int32]) -> Int32 {
    let grave: [ExitStatus] = [.invariantViolated, .interrupted, .internalError]
    if let gravest = grave.first(where: { failed.contains($0.rawValue) }) { return gravest.rawValue }
    if deciding.contains(where: { $0.verdict == .regressed }) { return ExitStatus.regressed.rawValue }
    if isIncomplete { return ExitStatus.incomparable.rawValue }
    let isOpen = deciding.contains { $0.verdict == .inconclusive || $0.verdict == .suspect }
    return setting.design.failsIfInconclusive && isOpen ? ExitStatus.inconclusive.rawValue : ExitStatus.allHeld.rawValue
  }
}
