package import BenchRegression
package import BenchResults
internal import BenchScenario
internal import HarnessPrimitives

/// Finds the commit that made a figure of one scenario worse.
///
/// It first compares both ends of the range, and then single commits with the good end, until it knows the first bad
/// commit with the requested probability, or cannot reach it. A commit that is still unclear is compared again, with
/// fresh pairs. The journal keeps every pair, so a search that was killed can be resumed.
package struct Bisection {
  /// The result of a search.
  package enum Outcome: Sendable, Equatable {
    /// The pairs show that the bad end is not worse by the smallest change that is searched for. `detectablePercent` is
    /// the change that they would have found in four of five searches; nil if it is unknown.
    case noChange(detectablePercent: Double?)
    /// The pairs do not show whether the bad end is worse than the good one.
    case inconclusive(detectablePercent: Double?)
    /// Too few pairs of the ends are valid for a result.
    case tooFewPairs(PairValidity)
    case found(Found)
    case interrupted
  }

  package struct Found: Sendable, Equatable {
    /// The first bad commit; several commits, the oldest first, if only comparing skipped ones could distinguish them.
    package var candidates: [String]
    /// The probability that the first bad commit is among the candidates.
    package var probability: Double
    /// Whether the probability reaches `Settings.certainty`.
    package var isCertain: Bool
    package var figure: FigureName
    /// The change of the figure from the good end to the bad one.
    package var changePercent: Double
    package var interval95Percent: PercentInterval?
    package var steps: [Step]
    /// Commits of `Settings.skipped`, and those that do not build, whose runs failed, or whose comparisons repeatedly
    /// had too few valid pairs.
    package var skipped: [String]
  }

  /// One comparison of a commit with the good end.
  package struct Step: Sendable, Equatable {
    package var commit: String
    package var pairs: Int
    package var changePercent: Double
    package var interval95Percent: PercentInterval?
  }

  package struct Settings: Sendable {
    package var scenario: ComparedScenario
    /// The metric, such as `p50`; nil selects the figure whose change is clearest.
    package var metric: String?
    /// The number of pairs of each comparison.
    package var pairs = 20
    package var seed: UInt64 = 1
    /// The probability that ends the search.
    package var certainty = 0.99
    /// Commits between the ends that are not measured.
    package var skipped: [String] = []
  }

  /// The number of comparisons with a result after which the search ends, because more would not make it certain.
  private static let mostComparisons = 40
  /// The most rounds, each with fresh pairs, in which the ends are compared until it is clear whether they differ.
  private static let mostRoundsOfEnds = 3
  /// The number of comparisons with too few valid pairs after which a commit is skipped.
  private static let mostInvalidRounds = 3
  /// The smallest change that is searched for, as a logarithm.
  private static let margin = 0.01

  private let settings: Settings
  private let commits: [String]
  private let builds: RevisionBuild
  private let journal: BisectionJournal
  private let isInterrupted: () -> Bool
  private let onProgress: (String) -> Void

  /// - Parameter commits: from the good end to the bad one, both included, the oldest first.
  package init(
    _ settings: Settings,
    commits: [String],
    builds: RevisionBuild,
    journal: BisectionJournal,
    isInterrupted: @escaping () -> Bool,
    onProgress: @escaping (String) -> Void
  ) {
    precondition(commits.count > 1, "a range has two ends")
    self.settings = settings
    self.commits = commits
    self.builds = builds
    self.journal = journal
    self.isInterrupted = isInterrupted
    self.onProgress = onProgress
  }

  /// - Throws: `RevisionNotBuilt` if an end does not build; `ComparisonError` if the ends have no figure to compare, a
  ///   program cannot be started, or the journal cannot be written.
  package func perform() throws -> Outcome {
    let ends: Ends
    switch try compareEnds() {
    case .worse(let found): ends = found
    case .ended(let outcome): return outcome
    }
    var search = BisectionSearch(commits: commits.count - 1, change: ends.estimate.effect)
    var steps: [Step] = []
    var skipped = settings.skipped
    for commit in skipped { if let index = commits.firstIndex(of: commit) { search.skip(index - 1) } }
    var invalidRounds: [String: Int] = [:]
    var round = 0
    while search.certainty < settings.certainty, steps.count < Self.mostComparisons, let next = search.next {
      // Commit 0 of the search is the one after the good end.
      let commit = commits[next + 1]
      round += 1
      let estimate: EffectEstimate
      switch try compare(commit, ends.figure, round: round) {
      case .interrupted: return .interrupted
      case .tooFewPairs where invalidRounds[commit, default: 0] + 1 < Self.mostInvalidRounds:
        invalidRounds[commit, default: 0] += 1
        continue
      case .tooFewPairs, .failed:
        search.skip(next)
        skipped.append(commit)
        continue
      case .estimate(let found): estimate = found
      }
      search.observe(next, BisectionSearch.Observation(estimate))
      steps.append(
        Step(
          commit: commit,
          pairs: estimate.pairs,
          changePercent: ends.percent(estimate.effect),
          interval95Percent: estimate.interval95.map { PercentInterval($0, ends.better) }
        )
      )
      let answer = search.answer
      onProgress(
        "most probable: \(commits[answer.commit + 1].prefix(12)), "
          + "\(Int(saturating: (answer.probability * 100).rounded())) %"
      )
    }
    return .found(
      Found(
        candidates: search.candidates.map { commits[$0 + 1] },
        probability: search.certainty,
        isCertain: search.certainty >= settings.certainty,
        figure: ends.figure,
        changePercent: ends.percent(ends.estimate.effect),
        interval95Percent: ends.estimate.interval95.map { PercentInterval($0, ends.better) },
        steps: steps,
        skipped: skipped
      )
    )
  }

  // MARK: Ends

  private struct Ends {
    var figure: FigureName
    var better: BetterValues
    var estimate: EffectEstimate

    func percent(_ effect: Double) -> Double { PercentInterval.percent(effect, better) }
  }

  private enum EndsOutcome {
    case worse(Ends)
    /// The bad end is not worse, or that is unknown.
    case ended(Outcome)
  }

  /// Compares the good end with the bad one, in at most `mostRoundsOfEnds` rounds, until the result is conclusive, or a
  /// round has no valid pair.
  private func compareEnds() throws -> EndsOutcome {
    var runs: [ComparedRun] = []
    // Each round is a further chance of a false alarm, so the rounds share the level.
    let rules = VerdictRules(alpha: 0.05 / Double(Self.mostRoundsOfEnds), margin: Self.margin)
    var detectable: Double?
    for round in 1...Self.mostRoundsOfEnds {
      onProgress("comparing both ends, round \(round)")
      guard let more = try pairs(of: commits[commits.count - 1], round: -round) else { return .ended(.interrupted) }
      runs += more
      let validity = PairValidity(runs)
      guard validity.valid >= EffectEstimate.fewestPairs else {
        if let failure = runs.compactMap(\.failure).first {
          throw ComparisonError(.failure, "the ends cannot be compared: \(failure)")
        }
        guard PairValidity(more).valid > 0, round < Self.mostRoundsOfEnds else { return .ended(.tooFewPairs(validity)) }
        continue
      }
      let figures = PairEstimates.figures(of: runs)
        .filter { settings.metric == nil || settings.metric == $0.name.metric }
      guard !figures.isEmpty else { throw noFigure(runs) }
      let verdicts = figures.map { rules.verdict(of: $0.estimate, adjustedPValue: $0.estimate.pValue) }
      let worse = zip(figures, verdicts).filter { $0.1 == .regressed }.map(\.0)
      if let clearest = worse.max(by: { $0.clarity < $1.clarity }) {
        return .worse(Ends(figure: clearest.name, better: clearest.better, estimate: clearest.estimate))
      }
      let effects = figures.map(\.estimate.resolution.minimumDetectableEffect).filter(\.isFinite)
      detectable = effects.max().map { PercentInterval.percent($0, .lower) }
      if !verdicts.contains(.inconclusive) { return .ended(.noChange(detectablePercent: detectable)) }
    }
    return .ended(.inconclusive(detectablePercent: detectable))
  }

  /// Returns the error for the ends if no figure of the valid pairs can be compared.
  private func noFigure(_ runs: [ComparedRun]) -> ComparisonError {
    func list(_ names: [String]) -> String { Set(names).sorted().joined(separator: ", ") }
    let measured = runs.flatMap(\.figures).filter { $0.role == .primary }.map(\.name.metric)
    if let metric = settings.metric, !measured.contains(metric) {
      return ComparisonError(.usage, "--metric \(metric): no run has this figure; expected one of \(list(measured))")
    }
    let comparable = PairEstimates.figures(of: runs).map(\.name.metric)
    return ComparisonError(
      .failure,
      "\(settings.metric ?? "every figure") is missing in a run of the ends, or rests on too few durations in one; "
        + (comparable.isEmpty
          ? "lengthen the scenario" : "lengthen the scenario, or use --metric with \(list(comparable))")
    )
  }

  // MARK: Commits

  /// The result of comparing one commit with the good end.
  private enum CommitOutcome {
    case estimate(EffectEstimate)
    /// Too few pairs are valid, or one of their runs lacks the figure, so there is no interval.
    case tooFewPairs
    /// The commit does not build, or a run of it failed.
    case failed
    case interrupted
  }

  private func compare(_ commit: String, _ figure: FigureName, round: Int) throws -> CommitOutcome {
    let name = commit.prefix(12)
    onProgress("comparing \(name) with the good end")
    do {
      guard let runs = try pairs(of: commit, round: round) else { return .interrupted }
      if let failure = runs.compactMap(\.failure).first {
        onProgress("\(name): \(failure)")
        return .failed
      }
      let figures = PairEstimates.figures(of: runs)
      guard let estimate = figures.first(where: { $0.name == figure })?.estimate, estimate.interval95 != nil else {
        onProgress("\(name): too few of its pairs are valid")
        return .tooFewPairs
      }
      return .estimate(estimate)
    } catch let problem as RevisionNotBuilt {
      if isInterrupted() { return .interrupted }
      onProgress(problem.description)
      return .failed
    }
  }

  /// Returns the runs of all pairs of a comparison. Runs that are in the journal are not made again.
  /// - Parameter round: the number of the comparison, negative for the ends. Each round has its own seeds.
  /// - Returns: nil if it was interrupted.
  private func pairs(of commit: String, round: Int) throws -> [ComparedRun]? {
    var runs = journal.runs(of: commit, round: round)
    let order = PairOrder(seed: settings.seed)
    let planned = order.runs(of: [settings.scenario.name], pairs: settings.pairs, stage: round)
    let made = Set(runs.map(\.pair))
    let missing = planned.filter { !made.contains($0.pair) }
    guard !missing.isEmpty else { return runs }
    let base = try builds.executable(of: commits[0], onProgress: onProgress)
    if isInterrupted() { return nil }
    let head = try builds.executable(of: commit, onProgress: onProgress)
    let slices = SliceProcess(
      base: SliceProcess.Program(path: base),
      head: SliceProcess.Program(path: head),
      scenarios: [settings.scenario.name: settings.scenario],
      workFolder: "\(journal.folder)/run"
    )
    for first in stride(from: 0, to: missing.count, by: 2) {
      let pair = try missing[first..<first + 2].compactMap { isInterrupted() ? nil : try slices.run($0) }
      if isInterrupted() { return nil }
      try journal.append(pair, of: commit, round: round)
      runs += pair
      showProgress(commit, runs)
    }
    return runs
  }

  private func showProgress(_ commit: String, _ runs: [ComparedRun]) {
    let made = runs.count / 2
    guard made < settings.pairs, made.isMultiple(of: 5) else { return }
    let seconds = runs.reduce(0) { $0 + $1.seconds } / Double(made) * Double(settings.pairs - made)
    let left =
      seconds < 90 ? "\(Int(saturating: seconds.rounded())) s" : "\(Int(saturating: (seconds / 60).rounded())) min"
    onProgress("\(commit.prefix(12)): \(made) of \(settings.pairs) pairs, about \(left) left")
  }
}

extension Bisection.Settings {
  package init(scenario: ComparedScenario) { self.scenario = scenario }
}
