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
    var reasons: [String] = []

    /// Whether the verdict needs no statistics: both sides are constant, or one is constant and the other lies entirely
    /// above or below it, or all runs of one side lie above all runs of the other by the margin at least. Instructions
    /// always qualify.
    var isExact: Bool {
      if figure.role == .instructions { return true }
      guard figure.role == .count, base.count > 1, let lowBase = base.min(), let highBase = base.max(),
        let lowHead = head.min(), let highHead = head.max()
      else { return false }
      if lowBase == highBase, lowHead == highHead { return true }
      let (gapStart, gapEnd) = highBase < lowHead ? (highBase, lowHead) : (highHead, lowBase)
      guard gapStart < gapEnd else { return false }
      return lowBase == highBase || lowHead == highHead
        || base.count >= ComparisonJudge.fewestSeparatePairs && gapEnd >= gapStart * exp(margin)
    }
  }

  /// The share within which the instructions of one build repeat.
  private static let countedNoise = 0.005
  /// The number of pairs from which on separate ranges of a count prove a change: of two equal builds, one is above the
  /// other in all of them at most once in 32,768 comparisons.
  private static let fewestSeparatePairs = 16

  private let setting: Setting
  private let stages: TwoStages

  public init(_ setting: Setting) {
    self.setting = setting
    var stages = TwoStages()
    stages.requiresWholeInterval = setting.design.requiresWholeInterval
    self.stages = stages
  }

  // MARK: First stage

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

  // MARK: Result

  public func result(of runs: [ComparedRun]) -> ComparisonOutcome {
    let pairs = ComparisonPairs(runs)
    var notCompared: [FigureNotCompared] = []
    let series = allSeries(pairs) { notCompared.append($0) }
    let confirmed = confirmations(of: series.filter(isSuspect), pairs)
    let figures = series.map { figure -> FigureResult in
      if let confirmation = confirmed.results[figure.figure.name] { return confirmation }
      return result(of: figure)
    }
    let sorted = figures.sorted { Self.rank($0) < Self.rank($1) }
    let deciding = sorted.filter(\.decides)
    let missing = notCompared.filter { $0.role == .primary || $0.role == .count }
    let machineChange = Self.machineChange(pairs)
    let isIncomplete =
      machineChange?.isTooLarge == true || !missing.isEmpty || !pairs.failures.isEmpty || confirmed.isIncomplete
      || pairs.hasManyInvalidated || deciding.contains { !$0.isExact && $0.interval95Percent == nil }
    return ComparisonOutcome(
      base: setting.base,
      head: setting.head,
      machine: setting.machine,
      design: setting.design,
      calibration: setting.calibration,
      machineChange: machineChange,
      figures: sorted,
      curves: pairs.curves,
      notCompared: notCompared.sorted { $0.name < $1.name },
      summary: Self.summary(
        deciding,
        notCompared: missing.count,
        invalidatedPairs: pairs.invalidatedPairs
      ),
      failures: pairs.failures,
      failedExpectations: pairs.failedExpectations,
      lastRunAt: runs.map(\.startedAt).max() ?? "",
      exitCode: exitCode(deciding, isIncomplete: isIncomplete, pairs.failedExitCodes)
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
      let all = Self.figures(in: own).compactMap { figure -> Series? in
        let series = series(of: figure, scenario, stage: 1, own)
        guard let problem = series.problem else { return series }
        notCompared(FigureNotCompared(name: figure.name, role: series.figure.role, reason: problem))
        return nil
      }
      if !all.contains(where: { $0.figure.role == .primary }) {
        notCompared(
          FigureNotCompared(
            name: FigureName(workload: scenario, metric: "every figure"),
            role: .primary,
            reason: "no figure that decides; the scenario measures too few operations"
          )
        )
      }
      return all
    } + setting.design.countedScenarios.flatMap { instructions(of: $0, pairs, notCompared) }
  }

  /// Returns the instructions of a scenario, and their parts.
  private func instructions(
    of scenario: String,
    _ pairs: ComparisonPairs,
    _ notCompared: (FigureNotCompared) -> Void
  ) -> [Series] {
    let own = pairs.pairs(of: scenario, stage: 0)
    let figures = Self.figures(in: own)
    guard let total = figures.first(where: { $0.role == .instructions }) else {
      let name = FigureName(workload: scenario, metric: "instructions")
      notCompared(FigureNotCompared(name: name, role: .instructions, reason: "not counted on either side"))
      return []
    }
    let all = figures.map { series(of: $0, scenario, stage: 0, own) }
    if let lacking = all.first(where: { $0.figure.name == total.name && $0.problem != nil }) {
      let side = own.contains { $0.base[total.name] == nil } ? "base" : "head"
      let reason = "the \(side) is older than the counting of instructions"
      notCompared(FigureNotCompared(name: lacking.figure.name, role: .instructions, reason: reason))
    }
    return all.filter { $0.problem == nil }
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
      margin: setting.margins.margin(of: figure.name, figure.role)
    )
    // Only the first stage checks the tail: the second stage has only figures whose tail was long enough.
    if stage == 1 { Self.checkTail(&series, pairs) }
    for (index, pair) in pairs.enumerated() {
      guard let base = pair.base[figure.name], let head = pair.head[figure.name] else {
        let arm: Arm = pair.base[figure.name] == nil ? .base : .head
        series.problem = "the \(arm.rawValue) does not have it in pair \(index + 1)"
        return series
      }
      series.base.append(base.value)
      series.head.append(head.value)
    }
    if series.isExact { return series }
    if figure.role == .count || figure.role == .part, (series.base + series.head).contains(where: { $0 <= 0 }) {
      series.reasons.append("it is 0 in some runs, so there is no ratio")
      return series
    }
    do {
      let differences = try PairedDifferences(base: series.base, head: series.head, better: figure.better)
      series.estimate = EffectEstimate(differences)
    } catch {
      series.problem = error.description
    }
    return series
  }

  /// Makes a percentile with few durations beyond it secondary, so that it is reported but does not decide.
  private static func checkTail(_ series: inout Series, _ pairs: [ComparisonPairs.Pair]) {
    guard series.figure.role == .primary, series.figure.exceedances != nil else { return }
    let name = series.figure.name
    let fewest = pairs.flatMap { [$0.base[name], $0.head[name]] }.map { $0?.exceedances ?? 0 }.min() ?? 0
    guard fewest < RunFigures.decidingExceedances else { return }
    series.figure.role = .secondary
    series.reasons.append("\(fewest) durations beyond it; \(RunFigures.decidingExceedances) are needed to decide")
  }

  // MARK: Verdicts

  /// The results of the figures that looked changed.
  private struct Confirmations {
    var results: [FigureName: FigureResult] = [:]
    /// Whether the fresh pairs could not decide about one of them.
    var isIncomplete = false
  }

  private func confirmations(of suspects: [Series], _ pairs: ComparisonPairs) -> Confirmations {
    var confirmations = Confirmations()
    var fresh: [(first: Series, second: Series, estimate: EffectEstimate)] = []
    for suspect in suspects {
      let own = pairs.pairs(of: suspect.scenario, stage: 2)
      let series = own.isEmpty ? nil : series(of: suspect.figure, suspect.scenario, stage: 2, own)
      if let series, let estimate = series.estimate, estimate.interval95 != nil {
        fresh.append((suspect, series, estimate))
      } else {
        let reason = series?.problem ?? "looked changed; it has \(own.count) fresh pairs, and 6 are needed"
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
        ? "looked changed; \(fewest) fresh pairs cannot confirm \(fresh.count) figures at once"
        : "looked changed; fresh pairs did not confirm it"
      confirmations.results[item.second.figure.name] = result(
        of: item.second,
        adjustedPValue: judged[index].adjustedPValue,
        verdict: isConfirmed ? judged[index].verdict : .suspect,
        reasons: isConfirmed ? [] : [doubt]
      )
    }
    return confirmations
  }

  private func result(of series: Series) -> FigureResult {
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
    if estimate.interval95 == nil { reasons.append("\(estimate.pairs) pairs; 6 are needed for a verdict") }
    if estimate.isContradicted { reasons.append("most pairs and their means point in different directions") }
    return result(
      of: series,
      verdict: rules.verdict(of: estimate, adjustedPValue: estimate.pValue),
      reasons: reasons
    )
  }

  private func exactResult(of series: Series) -> FigureResult {
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
  private func countedResult(of series: Series) -> FigureResult {
    let changes = zip(series.base, series.head).map { log($1 / $0) }
    let change = changes.reduce(0, +) / Double(max(1, changes.count))
    let spread = (changes.max() ?? 0) - (changes.min() ?? 0)
    let noise = max(Self.countedNoise, spread)
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
      base: series.base.median,
      head: series.head.median,
      changePercent: estimate.map { PercentInterval.percent($0.effect, better) },
      interval95Percent: interval(estimate?.interval95),
      interval90Percent: interval(estimate?.interval90),
      signInterval95Percent: interval(estimate?.signInterval95),
      pValue: estimate?.pValue,
      adjustedPValue: adjustedPValue,
      stage: series.stage,
      pairs: series.base.count,
      ties: estimate?.ties ?? zip(series.base, series.head).count { $0 == $1 },
      marginPercent: series.figure.role == .count && series.isExact ? 0 : 100 * (exp(series.margin) - 1),
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

  // MARK: Machine, summary and exit code

  /// Limits of the change in the duration of the fixed work. Equal builds exceed both in one of thousands of
  /// comparisons.
  private static let machineMargin = 0.03
  private static let machineAlpha = 0.001

  private static func machineChange(_ pairs: ComparisonPairs) -> MachineChange? {
    pairs.machineChange.map { estimate in
      MachineChange(
        changePercent: PercentInterval.percent(estimate.effect, .lower),
        interval95Percent: estimate.interval95.map { PercentInterval($0, .lower) },
        isTooLarge: abs(estimate.effect) >= machineMargin && estimate.pValue <= machineAlpha
      )
    }
  }

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

  /// Wrong data and failures outrank a regression, and a regression outranks missing figures.
  private func exitCode(_ deciding: [FigureResult], isIncomplete: Bool, _ failed: [Int32]) -> Int32 {
    let failures: [ExitStatus] = [.invariantViolated, .interrupted, .internalError]
    if let failure = failures.first(where: { failed.contains($0.rawValue) }) { return failure.rawValue }
    // Ended by a signal: the engine has crashed.
    if failed.contains(where: { $0 > 128 }) { return ExitStatus.internalError.rawValue }
    if deciding.contains(where: { $0.verdict == .regressed }) { return ExitStatus.regressed.rawValue }
    if isIncomplete { return ExitStatus.incomparable.rawValue }
    let isOpen = deciding.contains { $0.verdict == .inconclusive || $0.verdict == .suspect }
    return setting.design.failsIfInconclusive && isOpen ? ExitStatus.inconclusive.rawValue : ExitStatus.passed.rawValue
  }
}
