package import BenchResults
internal import HarnessPrimitives

/// Decides which pair of runs a comparison makes next.
///
/// The decision depends only on the design and on the earlier runs, so a comparison that was killed continues where it
/// stopped. The number of pairs in a stage depends on durations and on the widths of intervals, never on the effects
/// that the stage itself shows: a comparison that ended at the first sign of a change would report false changes. A
/// scenario also gets no more pairs if too few of them can have a time that counts.
package struct ComparisonSchedule {
  /// The next pair.
  package struct Step: Sendable, Equatable {
    /// The two runs, in their order.
    package var pair: [PlannedComparedRun]
    /// The most pairs that its scenario gets in this stage.
    package var mostPairs: Int
    /// The earlier pairs of its scenario in this stage in which a time counts; nil for counts of instructions.
    package var usablePairs: Int?
    /// The time until the stage is complete, in seconds, if it continues as it has and runs all of its pairs; nil
    /// until every scenario that needs more pairs has a known duration.
    package var secondsLeft: Double?
  }

  /// The share of the budget from which on no further instructions are counted.
  private static let countingShare = 0.25
  /// The first stage's share of the budget that counting leaves. The second stage may use the rest.
  private static let firstStageShare = 0.6

  /// Returns the least budget, in seconds, for the fewest pairs that allow a verdict on times.
  /// - Parameter seconds: the duration of one run of each scenario.
  package static func leastBudgetSeconds(ofRuns seconds: [Double], countsInstructions: Bool) -> Double {
    let pairs = 2 * Double(EffectEstimate.fewestPairs) * seconds.reduce(0, +)
    return pairs / firstStageShare / (countsInstructions ? 1 - countingShare : 1)
  }

  private let design: ComparisonDesign
  private let order: PairOrder
  private let suspects: ([ComparedRun]) -> [String]
  private var counting: ScheduledStage
  private var first: ScheduledStage
  private var second: ScheduledStage?
  private var hasTimeForSecond = true
  /// The time for all runs together, with that of extensions; nil for no limit.
  private var budgetSeconds: Double?

  /// - Parameter suspects: returns the scenarios that the second stage repeats, by the runs of the first stage.
  package init(_ design: ComparisonDesign, suspects: @escaping ([ComparedRun]) -> [String]) {
    self.design = design
    order = PairOrder(seed: design.seed)
    self.suspects = suspects
    budgetSeconds = design.budgetSeconds
    counting = ScheduledStage(
      scenarios: design.countedScenarios,
      mostPairs: Dictionary(design.countedScenarios.map { ($0, ComparisonDesign.countingPairs) }) { first, _ in first }
    )
    counting.countsInstructions = true
    first = ScheduledStage(
      scenarios: design.scenarios,
      mostPairs: Dictionary(design.scenarios.map { ($0, design.pairs) }) { first, _ in first },
      budgetSeconds: design.budgetSeconds.map { $0 * Self.firstStageShare },
      intervalPercent: design.intervalPercent
    )
    first.needsTimes = true
  }

  /// Returns the next pair; nil if the comparison is complete.
  /// - Throws: `BudgetTooSmall` after the first round, if the first stage's budget does not suffice for `fewestPairs`.
  package mutating func next() throws(BudgetTooSmall) -> Step? {
    if isCounting, let step = step(of: counting, stage: 0) { return step }
    if let budget = design.budgetSeconds, first.isAfterRoundOne,
      let missing = first.missingSeconds(for: EffectEstimate.fewestPairs)
    {
      throw BudgetTooSmall(neededSeconds: budget + missing / Self.firstStageShare)
    }
    if let step = step(of: first, stage: 1) { return step }
    if second == nil {
      let stage = secondStage()
      second = stage
      // If there is no time for enough fresh pairs, none are made.
      hasTimeForSecond = stage.missingSeconds(for: EffectEstimate.fewestPairs) == nil
    }
    return hasTimeForSecond ? second.flatMap { step(of: $0, stage: 2) } : nil
  }

  /// Records the runs of the step that `next` returned last.
  package mutating func add(_ pair: [ComparedRun]) {
    if isCounting {
      counting.add(pair)
      first.budgetSeconds = design.budgetSeconds.map { ($0 - counting.usedSeconds) * Self.firstStageShare }
    } else if second == nil {
      first.add(pair)
    } else {
      second?.add(pair)
    }
  }

  private var isCounting: Bool {
    counting.next != nil && counting.usedSeconds < Self.countingShare * (design.budgetSeconds ?? .infinity)
  }

  /// Whether the comparison ended because no scenario can have a verdict on a time.
  package var isHopeless: Bool { !isCounting && first.next == nil && first.isHopeless }

  /// Plans as many pairs again for a comparison that is hopeless.
  package mutating func extend() {
    first.extend(
      by: max(design.pairs, EffectEstimate.fewestPairs),
      seconds: design.budgetSeconds.map { $0 * Self.firstStageShare }
    )
    budgetSeconds = design.budgetSeconds.map { counting.usedSeconds + first.usedSeconds + $0 }
    second = nil
  }

  private func secondStage() -> ScheduledStage {
    let scenarios = suspects(first.runs)
    var stage = ScheduledStage(
      scenarios: scenarios,
      mostPairs: Dictionary(scenarios.map { ($0, max(design.confirmingPairs, first.pairs[$0] ?? 0)) }) { first, _ in
        first
      },
      budgetSeconds: budgetSeconds.map { $0 - counting.usedSeconds - first.usedSeconds }
    )
    stage.secondsOfPair = first.secondsOfPair
    stage.needsTimes = true
    return stage
  }

  private func step(of stage: ScheduledStage, stage number: Int) -> Step? {
    stage.next.map { scenario, pair in
      Step(
        pair: order.pair(pair, of: scenario, stage: number),
        mostPairs: stage.mostPairs[scenario] ?? 0,
        usablePairs: stage.needsTimes ? stage.usablePairs[scenario, default: 0] : nil,
        secondsLeft: stage.secondsLeft
      )
    }
  }
}

/// Thrown if the first stage's share of the budget does not suffice for the fewest pairs that allow a verdict.
package struct BudgetTooSmall: Error, Sendable, Equatable {
  /// The seconds for counting, the fewest pairs of every scenario, and the fewest fresh pairs of two thirds of them.
  package var neededSeconds: Double
}

/// One stage of a comparison: rounds, each with a pair of every scenario that needs more pairs.
private struct ScheduledStage {
  let scenarios: [String]
  private(set) var mostPairs: [String: Int]
  var budgetSeconds: Double?
  var intervalPercent: Double?
  private(set) var runs: [ComparedRun] = []
  private(set) var usedSeconds = 0.0
  /// The mean duration of a pair of each scenario.
  var secondsOfPair: [String: Double] = [:]
  private(set) var pairs: [String: Int] = [:]
  /// The number of pairs of each scenario in which a time counts.
  private(set) var usablePairs: [String: Int] = [:]
  /// Whether a scenario gets no more pairs if times of too few pairs can count.
  var needsTimes = false
  /// Whether the stage counts instructions. Then a scenario needs a second pair only if the first shows a change, to
  /// see how well it repeats.
  var countsInstructions = false
  /// The scenarios whose intervals are narrow enough, or whose instructions are equal, so they need no more pairs.
  fileprivate var precise: Set<String> = []

  private var open: [String] { unfinished.filter(canHaveVerdict) }

  private var unfinished: [String] {
    scenarios.filter { !precise.contains($0) && pairs[$0, default: 0] < mostPairs[$0] ?? 0 }
  }

  // MARK: Usable pairs

  /// Whether no scenario can have as many usable pairs as a verdict on a time needs.
  var isHopeless: Bool { !scenarios.isEmpty && scenarios.allSatisfy { !canHaveVerdict($0) } }

  private func canHaveVerdict(_ scenario: String) -> Bool {
    !needsTimes || usablePairs[scenario, default: 0] + pairsLeft(scenario) >= EffectEstimate.fewestPairs
  }

  /// The pairs that a scenario may still get. A budget permits as many more as it has time for rounds.
  private func pairsLeft(_ scenario: String) -> Int {
    let made = pairs[scenario, default: 0]
    let planned = (mostPairs[scenario] ?? 0) - made
    let round = seconds(ofRound: unfinished)
    guard let budgetSeconds, round > 0 else { return planned }
    // A block has two rounds, so one more may be due.
    let rounds = Int(saturating: (max(0, budgetSeconds - usedSeconds) / round).rounded(.down)) + 1
    return min(planned, max(rounds, EffectEstimate.fewestPairs - made))
  }

  /// Plans further pairs of every scenario, and time for them.
  mutating func extend(by count: Int, seconds: Double?) {
    for scenario in scenarios { mostPairs[scenario] = pairs[scenario, default: 0] + count }
    budgetSeconds = seconds.map { usedSeconds + $0 }
  }

  /// Whether every scenario has had exactly one pair.
  var isAfterRoundOne: Bool { scenarios.allSatisfy { pairs[$0] == 1 } }

  /// The scenario of the next pair, and the pair's number from 1; nil if the stage or its budget is at its end.
  var next: (scenario: String, pair: Int)? {
    let open = open
    guard let fewest = open.map({ pairs[$0, default: 0] }).min(),
      let scenario = open.first(where: { pairs[$0, default: 0] == fewest })
    else { return nil }
    // Two rounds make a block, in which each arm runs first once. After the fewest pairs, a block begins only if there
    // is time for the whole block.
    let beginsBlock = fewest.isMultiple(of: 2) && open.allSatisfy { pairs[$0] ?? 0 == fewest }
    if beginsBlock, fewest >= EffectEstimate.fewestPairs, let budgetSeconds,
      usedSeconds + 2 * seconds(ofRound: open) > budgetSeconds
    {
      return nil
    }
    return (scenario, fewest + 1)
  }

  /// The time until the stage has all pairs or uses up its budget; nil while a scenario's duration is unknown.
  var secondsLeft: Double? {
    let open = open
    guard open.allSatisfy({ secondsOfPair[$0] != nil }) else { return nil }
    let all = open.reduce(0) { $0 + Double((mostPairs[$1] ?? 0) - pairs[$1, default: 0]) * (secondsOfPair[$1] ?? 0) }
    return budgetSeconds.map { min(all, max(0, $0 - usedSeconds)) } ?? all
  }

  mutating func add(_ pair: [ComparedRun]) {
    runs += pair
    // The two runs of a pair that counts instructions are made at the same time.
    let seconds = countsInstructions ? pair.map(\.seconds).max() ?? 0 : pair.reduce(0) { $0 + $1.seconds }
    usedSeconds += seconds
    guard let scenario = pair.first?.scenario else { return }
    let count = pairs[scenario, default: 0] + 1
    pairs[scenario] = count
    usablePairs[scenario, default: 0] += PairValidity(pair).valid
    secondsOfPair[scenario] = count == 1 ? seconds : meanSeconds(of: scenario, pairs: count)
    if countsInstructions {
      if ComparisonPairs(pair).all.allSatisfy(\.hasEqualInstructions) { precise.insert(scenario) }
      return
    }
    if count.isMultiple(of: 2), count >= EffectEstimate.fewestPairs, isPrecise(scenario) {
      precise.insert(scenario)
    }
  }

  /// Returns the seconds by which `pairs` pairs of each scenario exceed the stage's budget; nil if they do not.
  func missingSeconds(for pairs: Int) -> Double? {
    guard let budgetSeconds else { return nil }
    let missing = Double(pairs) * seconds(ofRound: scenarios) - budgetSeconds
    return missing > 0 ? missing : nil
  }

  private func seconds(ofRound scenarios: [String]) -> Double {
    scenarios.reduce(0) { $0 + (secondsOfPair[$1] ?? 0) }
  }

  private func meanSeconds(of scenario: String, pairs: Int) -> Double {
    runs.filter { $0.scenario == scenario }.reduce(0) { $0 + $1.seconds } / Double(pairs)
  }

  /// Returns whether the 95 % interval of every p50 of a scenario is narrow enough: its half-width is at most the
  /// requested one.
  private func isPrecise(_ scenario: String) -> Bool {
    guard let intervalPercent else { return false }
    let intervals = PairEstimates.figures(of: runs.filter { $0.scenario == scenario })
      .filter { $0.name.metric == "p50" }
      .map { $0.estimate.interval95.map { PercentInterval($0, .lower) } }
    return !intervals.isEmpty
      && intervals.allSatisfy { $0.map { ($0.high - $0.low) / 2 <= intervalPercent } ?? false }
  }
}
