internal import BenchResults
internal import Foundation

/// A figure of one scenario, with its values from the pairs of one stage.
struct ComparedSeries {
  var figure: RunFigure
  let scenario: String
  let stage: Int
  let margin: Double
  private(set) var base: [Double] = []
  private(set) var head: [Double] = []
  private(set) var estimate: EffectEstimate?
  /// The reason for which the figure cannot be compared; nil if it can.
  private(set) var problem: String?
  /// Whether the problem is that all pairs of the figure are left out.
  private(set) var isLeftOut = false
  private(set) var reasons: [String] = []

  /// The fewest pairs in which separate ranges of a count prove a change. With equal builds, one arm lies above the
  /// other in all of these pairs in at most one of 32,768 comparisons.
  private static let fewestSeparatePairs = 16

  /// Collects the values of a figure from the pairs in which it is not disturbed, and estimates its effect.
  init(of figure: RunFigure, scenario: String, stage: Int, pairs all: [ComparisonPairs.Pair], margins: Margins) {
    self.figure = figure
    self.scenario = scenario
    self.stage = stage
    margin = margins.margin(of: figure.name, figure.role)
    let pairs = all.filter { !$0.isDisturbed(figure.name) }
    // Only the first stage checks the tail. The second stage judges only figures whose tail was long enough.
    if stage == 1 { checkTail(in: pairs.isEmpty ? all : pairs) }
    guard !pairs.isEmpty else {
      problem = all.isEmpty ? "no valid pair of runs" : "disturbed in each of \(all.count) pairs"
      isLeftOut = true
      return
    }
    if pairs.count < min(all.count, EffectEstimate.fewestPairs) {
      reasons.append("disturbed in \(all.count - pairs.count) of \(all.count) pairs")
    }
    for (index, pair) in pairs.enumerated() {
      guard let base = pair.base[figure.name], let head = pair.head[figure.name] else {
        let arm: Arm = pair.base[figure.name] == nil ? .base : .head
        problem = "the \(arm.rawValue) has no value in valid pair \(index + 1)"
        return
      }
      self.base.append(base.value)
      self.head.append(head.value)
    }
    if isExact { return }
    if figure.role == .count || figure.role == .part, (base + head).contains(where: { $0 <= 0 }) {
      reasons.append("0 in some runs, so the ratio is undefined")
      return
    }
    do {
      estimate = EffectEstimate(try PairedDifferences(base: base, head: head, better: figure.better))
    } catch {
      problem = error.description
    }
  }

  /// Makes a primary percentile with few durations beyond it secondary, so that it is reported but does not decide.
  private mutating func checkTail(in pairs: [ComparisonPairs.Pair]) {
    guard figure.role == .primary, figure.exceedances != nil else { return }
    let sides = [pairs.map { $0.base[figure.name] }, pairs.map { $0.head[figure.name] }]
    // A side without any value lacks the figure and not only its tail.
    guard sides.allSatisfy({ $0.contains { $0 != nil } }) else { return }
    let fewest = sides.joined().map { $0?.exceedances ?? 0 }.min() ?? 0
    let needed = Percentile.fewestDeciding
    guard fewest < needed else { return }
    figure.role = .secondary
    reasons.append("\(fewest) durations beyond the percentile; \(needed) needed for a verdict")
  }

  /// Whether the verdict needs no statistics. True for instructions. For counts in at least two pairs, true if both
  /// arms are constant; or if all runs of one arm lie above all runs of the other, and either one arm is constant or,
  /// in at least `fewestSeparatePairs` pairs, the gap is at least the margin.
  var isExact: Bool {
    if figure.role == .instructions { return true }
    guard figure.role == .count, base.count > 1, let lowBase = base.min(), let highBase = base.max(),
      let lowHead = head.min(), let highHead = head.max()
    else { return false }
    if lowBase == highBase, lowHead == highHead { return true }
    let (gapStart, gapEnd) = highBase < lowHead ? (highBase, lowHead) : (highHead, lowBase)
    guard gapStart < gapEnd else { return false }
    return lowBase == highBase || lowHead == highHead
      || base.count >= Self.fewestSeparatePairs && gapEnd >= gapStart * exp(margin)
  }

  // MARK: All series of a comparison

  /// A figure that cannot be compared.
  struct Missing {
    var figure: FigureNotCompared
    let scenario: String
    /// Whether the figure is missing only because its pairs are left out.
    var isLeftOut = false
  }

  /// Returns the series that can be compared, and the figures that cannot, except parts of instructions.
  static func all(
    in pairs: ComparisonPairs,
    design: ComparisonDesign,
    margins: Margins
  ) -> (series: [ComparedSeries], missing: [Missing]) {
    var series: [ComparedSeries] = []
    var missing: [Missing] = []
    func all(of scenario: String, stage: Int, in own: [ComparisonPairs.Pair]) -> [ComparedSeries] {
      figures(in: own).map { ComparedSeries(of: $0, scenario: scenario, stage: stage, pairs: own, margins: margins) }
    }
    for scenario in design.scenarios {
      let own = pairs.pairs(of: scenario, stage: 1)
      let all = all(of: scenario, stage: 1, in: own)
      series += all.filter { $0.problem == nil }
      missing += all.compactMap { one in
        one.problem.map {
          let figure = FigureNotCompared(name: one.figure.name, role: one.figure.role, reason: $0)
          return Missing(figure: figure, scenario: scenario, isLeftOut: one.isLeftOut)
        }
      }
      if !all.contains(where: { $0.figure.role == .primary }) {
        let reason =
          own.isEmpty
          ? "no valid pair of runs" : "no figure for a verdict; the scenario measures too few operations"
        let name = FigureName(workload: scenario, metric: "every figure")
        let figure = FigureNotCompared(name: name, role: .primary, reason: reason)
        missing.append(Missing(figure: figure, scenario: scenario, isLeftOut: own.isEmpty))
      }
    }
    for scenario in design.countedScenarios {
      let own = pairs.pairs(of: scenario, stage: 0)
      let all = all(of: scenario, stage: 0, in: own)
      let reason = pairs.countingFailures[scenario] ?? "not counted on either side"
      missing += missingInstructions(of: scenario, all, in: own, without: reason).map {
        Missing(figure: $0, scenario: scenario)
      }
      if all.contains(where: { $0.figure.role == .instructions }) { series += all.filter { $0.problem == nil } }
    }
    return (series, missing)
  }

  /// Returns the instructions of a scenario that cannot be compared, with the reasons.
  /// - Parameter reason: the reason if there are no counts.
  private static func missingInstructions(
    of scenario: String,
    _ series: [ComparedSeries],
    in pairs: [ComparisonPairs.Pair],
    without reason: String
  ) -> [FigureNotCompared] {
    let counted = series.filter { $0.figure.role == .instructions }
    guard !counted.isEmpty else {
      let name = FigureName(workload: scenario, metric: "instructions")
      return [FigureNotCompared(name: name, role: .instructions, reason: reason)]
    }
    return counted.filter { $0.problem != nil }.map { one in
      let side = pairs.contains { $0.base[one.figure.name] == nil } ? "base" : "head"
      let reason = "the version of the \(side) does not count these instructions"
      return FigureNotCompared(name: one.figure.name, role: .instructions, reason: reason)
    }
  }

  /// Returns each figure that any run of either arm has, once, in the order of the names.
  private static func figures(in pairs: [ComparisonPairs.Pair]) -> [RunFigure] {
    var figures: [FigureName: RunFigure] = [:]
    for pair in pairs {
      for (name, figure) in pair.base { figures[name] = figures[name] ?? figure }
      for (name, figure) in pair.head { figures[name] = figures[name] ?? figure }
    }
    return figures.values.sorted { $0.name < $1.name }
  }
}
