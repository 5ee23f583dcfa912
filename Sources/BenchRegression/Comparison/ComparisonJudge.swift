package import BenchResults

/// Turns the runs of a comparison into its result. With the same setting, the same runs always give the same result.
package struct ComparisonJudge: Sendable {
  /// The facts of a comparison that are known before its first pair. They are the first line of its journal, which only
  /// the comparison that they describe can resume.
  package struct Setting: Codable, Sendable {
    package static let currentSchema = "yapbench-compare-journal/1"

    package var schema = currentSchema
    package var base: ComparedArm
    package var head: ComparedArm
    package var machine: ComparedMachine
    package var design: ComparisonDesign
    package var calibration: CalibrationResult?
    /// The margins at the beginning, because a later calibration must not change a comparison that is resumed.
    package var margins = Margins()
    /// The SHA-256 of each scenario's file, in the order of the design's scenarios.
    package var scenarioDigests: [String] = []

    /// Uses the margins and the rate of false alarms that a calibration of this machine measured.
    package mutating func apply(_ calibration: Calibration) {
      margins = calibration.margins
      self.calibration = calibration.result
    }
  }

  private let setting: Setting
  private let figureJudge: FigureJudge

  package init(_ setting: Setting) {
    self.setting = setting
    var stages = TwoStages()
    stages.requiresWholeInterval = setting.design.requiresWholeInterval
    figureJudge = FigureJudge(stages: stages, margins: setting.margins)
  }

  /// Returns the scenarios that need a second stage: those with a primary figure that looks changed in the first.
  package func suspects(in runs: [ComparedRun]) -> [String] {
    let series = allSeries(in: ComparisonPairs(runs)).series
    return setting.design.scenarios.filter { scenario in
      series.contains { $0.scenario == scenario && figureJudge.isSuspect($0) }
    }
  }

  package func result(of runs: [ComparedRun]) -> ComparisonOutcome {
    let pairs = ComparisonPairs(runs)
    let (series, missing) = allSeries(in: pairs)
    let confirmed = figureJudge.confirm(series.filter(figureJudge.isSuspect), by: pairs)
    let judged = series.map { series in
      JudgedFigure(
        scenario: series.scenario,
        result: confirmed.results[series.figure.name] ?? figureJudge.result(of: series)
      )
    }
    let figures = judged.map(\.result).sorted { Self.rank($0) < Self.rank($1) }
    let deciding = figures.filter(\.decides)
    let machineChange = Self.machineChange(pairs)
    // Without a time that has an interval, no result depends on the speed of the machine.
    let isUntrusted = machineChange?.isTooLarge == true && deciding.contains { $0.interval95Percent != nil }
    let isIncomplete =
      isUntrusted || !pairs.failures.isEmpty || confirmed.isIncomplete || lacksFigures(judged, missing, in: pairs)
    let notCompared = missing.map(\.figure)
    var result = ComparisonOutcome(
      base: setting.base,
      head: setting.head,
      machine: setting.machine,
      design: setting.design
    )
    result.calibration = setting.calibration
    result.machineChange = machineChange
    result.figures = figures
    result.curves = pairs.curves
    result.notCompared = notCompared.sorted { $0.name < $1.name }
    result.summary = ComparisonSummary(
      deciding,
      notCompared: notCompared.count { $0.role == .primary || $0.role == .count },
      invalidatedPairs: pairs.invalidatedPairs
    )
    result.excluded = pairs.excluded
    result.failures = pairs.failures
    result.failedExpectations = pairs.failedExpectations
    result.lastRunAt = runs.map(\.startedAt).max() ?? ""
    result.exitCode = exitCode(deciding, isIncomplete: isIncomplete, failedExitCodes: pairs.failedExitCodes)
    return result
  }

  private struct JudgedFigure {
    let scenario: String
    let result: FigureResult
  }

  /// Whether a figure that decides has no result. Times that are left out are not missed in scenarios whose
  /// instructions have a verdict, unless the comparison is strict.
  private func lacksFigures(
    _ judged: [JudgedFigure],
    _ missing: [ComparedSeries.Missing],
    in pairs: ComparisonPairs
  ) -> Bool {
    let instructions = judged.filter { $0.result.role == .instructions }
    let undecided =
      instructions.filter { $0.result.verdict == .inconclusive }.map(\.scenario)
      + missing.filter { $0.figure.role == .instructions }.map(\.scenario)
    let counted =
      setting.design.failsIfInconclusive ? [] : Set(instructions.map(\.scenario)).subtracting(undecided)
    let isMissing = missing.contains { one in
      (one.figure.role == .primary || one.figure.role == .count) && !(one.isLeftOut && counted.contains(one.scenario))
    }
    let isShort = judged.contains { one in
      one.result.decides && !one.result.isExact && one.result.interval95Percent == nil
        && !counted.contains(one.scenario)
    }
    return isMissing || isShort || !pairs.scenariosWithManyInvalidated.isSubset(of: counted)
  }

  private func allSeries(in pairs: ComparisonPairs) -> (series: [ComparedSeries], missing: [ComparedSeries.Missing]) {
    ComparedSeries.all(in: pairs, design: setting.design, margins: setting.margins)
  }

  private static func rank(_ figure: FigureResult) -> (Int, Int, Double, FigureName) {
    let order: [EffectVerdict] = [.regressed, .improved, .suspect, .changedSmall, .inconclusive, .unchanged]
    let verdict = order.firstIndex(of: figure.verdict) ?? order.count
    let role = FigureRole.allCases.firstIndex(of: figure.role) ?? 0
    return (verdict, role, -abs(figure.changePercent ?? 0), figure.name)
  }

  // MARK: Machine and exit code

  /// The machine counts as changed if the duration of the fixed work differs by at least this margin, as a logarithm,
  /// with at most this p-value. Equal builds reach both in at most one of a thousand comparisons.
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

  /// Returns the exit code. Wrong data, interruptions and crashes outrank a regression, which outranks incompleteness.
  private func exitCode(_ deciding: [FigureResult], isIncomplete: Bool, failedExitCodes failed: [Int32]) -> ExitStatus {
    let failures: [ExitStatus] = [.invariantViolated, .interrupted, .internalError]
    if let failure = failures.first(where: { failed.contains($0.rawValue) }) { return failure }
    // A code above 128 means that a signal has ended the process, as in a crash.
    if failed.contains(where: { $0 > 128 }) { return .internalError }
    if deciding.contains(where: { $0.verdict == .regressed }) { return .regressed }
    if isIncomplete { return .incomparable }
    let isUndecided = deciding.contains { $0.verdict == .inconclusive || $0.verdict == .suspect }
    return setting.design.failsIfInconclusive && isUndecided ? .inconclusive : .passed
  }
}

extension ComparisonJudge.Setting {
  /// Whether both sides are the same executable with the same settings.
  package var comparesEqualSides: Bool { base.isEqual(to: head) }

  package init(base: ComparedArm, head: ComparedArm, machine: ComparedMachine, design: ComparisonDesign) {
    (self.base, self.head, self.machine, self.design) = (base, head, machine, design)
  }
}
