public import BenchModel
internal import BenchRegression
internal import NumericConversion

/// Finds the commit that made a figure of one scenario worse.
///
/// First it compares both ends of the range. Then it compares single commits with the good end, some pairs each, until
/// one of them is the first bad one with enough probability. A commit that is still unclear is compared again, with
/// fresh pairs. The journal keeps every comparison, so a search that was killed can be resumed.
public struct Bisection {
  /// The result of a search.
  public enum Outcome: Sendable, Equatable {
    /// The bad end is not worse than the good one: the smallest change that would have been found, in percent.
    case noChange(detectablePercent: Double?)
    /// The pairs do not show whether the ends differ.
    case inconclusive(detectablePercent: Double?)
    case found(Found)
    case interrupted
  }

  public struct Found: Sendable, Equatable {
    /// The first bad commit; several, in the order of the history, if those between them do not build.
    public var candidates: [String]
    /// The probability that the first bad commit is among the candidates.
    public var probability: Double
    /// Whether the probability is as high as was asked for.
    public var isCertain: Bool
    public var figure: FigureName
    /// The change of the figure from the good end to the bad one.
    public var changePercent: Double
    public var interval95Percent: PercentInterval?
    public var steps: [Step]
    /// Commits that do not build, or whose runs failed.
    public var skipped: [String]
  }

  /// One comparison of a commit with the good end.
  public struct Step: Sendable, Equatable {
    public var commit: String
    public var pairs: Int
    public var changePercent: Double
    public var interval95Percent: PercentInterval?
  }

  public struct Settings: Sendable {
    public var scenario: String
    public var scenarioPath: String
    /// Such as `p50`; nil for the figure whose change is clearest.
    public var metric: String?
    /// Of each comparison.
    public var pairs: Int
    public var seed: UInt64
    /// The probability that ends the search.
    public var certainty: Double

    public init(
      scenario: String,
      scenarioPath: String,
      metric: String? = nil,
      pairs: Int = 20,
      seed: UInt64 = 1,
      certainty: Double = 0.99
    ) {
      self.scenario = scenario
      self.scenarioPath = scenarioPath
      self.metric = metric
      self.pairs = pairs
      self.seed = seed
      self.certainty = certainty
    }
  }

  /// A search that is not certain by then has reached what the machine allows.
  private static let mostComparisons = 40
  /// The ends are compared again, with fresh pairs, as long as it is not clear whether they differ.
  private static let mostRoundsOfEnds = 3
  /// The smallest change that is searched for, as a logarithm.
  private static let margin = 0.01

  private let settings: Settings
  private let commits: [String]
  private let builds: RevisionBuild
  private let journal: BisectionJournal
  private let isInterrupted: () -> Bool
  private let onProgress: (String) -> Void

  /// - Parameter commits: from the good end to the bad one, both included, the oldest first.
  public init(
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

  /// - Throws: `RevisionNotBuilt` or `ComparisonError` if one of the ends does not build or its runs fail.
  public func perform() throws -> Outcome {
    let ends: Ends
    switch try compareEnds() {
    case .interrupted: return .interrupted
    case .equal(let percent): return .noChange(detectablePercent: percent)
    case .inconclusive(let percent): return .inconclusive(detectablePercent: percent)
    case .worse(let found): ends = found
    }
    var search = BisectionSearch(commits: commits.count - 1, change: ends.estimate.effect)
    var steps: [Step] = []
    var skipped: [String] = []
    while search.certainty < settings.certainty, steps.count < Self.mostComparisons, let next = search.next {
      // Commit 0 of the search is the one after the good end.
      let commit = commits[next + 1]
      guard let estimate = try estimate(of: ends.figure, commit, round: steps.count + 1) else {
        if isInterrupted() { return .interrupted }
        search.skip(next)
        skipped.append(commit)
        continue
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
    case equal(detectablePercent: Double?)
    case inconclusive(detectablePercent: Double?)
    case interrupted
  }

  /// Compares the good end with the bad one, with more pairs as long as the result is inconclusive.
  private func compareEnds() throws -> EndsOutcome {
    var runs: [ComparedRun] = []
    // Every round is one more chance of a false alarm.
    let rules = VerdictRules(alpha: 0.05 / Double(Self.mostRoundsOfEnds), margin: Self.margin)
    var detectable: Double?
    for round in 1...Self.mostRoundsOfEnds {
      onProgress("comparing both ends, round \(round)")
      guard let more = try pairs(of: commits[commits.count - 1], round: -round) else { return .interrupted }
      runs += more
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
      if !verdicts.contains(.inconclusive) { return .equal(detectablePercent: detectable) }
    }
    return .inconclusive(detectablePercent: detectable)
  }

  private func noFigure(_ runs: [ComparedRun]) -> ComparisonError {
    if let failure = runs.compactMap(\.failure).first {
      return ComparisonError(.failure, "the ends cannot be compared: \(failure)")
    }
    let names = Set(runs.flatMap(\.figures).filter { $0.role == .primary }.map(\.name.metric)).sorted()
    return ComparisonError(
      .usage,
      "no figure \(settings.metric ?? "") is in all runs; expected one of \(names.joined(separator: ", "))"
    )
  }

  // MARK: Commits

  /// Returns the estimate of a figure for one commit against the good end; nil if the commit has none, or after an
  /// interruption.
  private func estimate(of figure: FigureName, _ commit: String, round: Int) throws -> EffectEstimate? {
    onProgress("comparing \(commit.prefix(12)) with the good end")
    do {
      let runs = try pairs(of: commit, round: round)
      return runs.flatMap { PairEstimates.figures(of: $0).first { $0.name == figure } }
        .flatMap { $0.estimate.interval95 == nil ? nil : $0.estimate }
    } catch let problem as RevisionNotBuilt {
      onProgress(problem.description)
      return nil
    }
  }

  /// - Parameter round: negative for the ends; other rounds have other seeds.
  /// - Returns: nil if it was interrupted.
  private func pairs(of commit: String, round: Int) throws -> [ComparedRun]? {
    if let known = journal.runs(of: commit, round: round) { return known }
    let base = try builds.executable(of: commits[0], onProgress: onProgress)
    let head = try builds.executable(of: commit, onProgress: onProgress)
    let slices = SliceProcess(
      base: SliceProcess.Program(path: base, settings: []),
      head: SliceProcess.Program(path: head, settings: []),
      scenarios: [
        settings.scenario: ComparisonPreparation.Scenario(name: settings.scenario, path: settings.scenarioPath)
      ],
      workFolder: "\(journal.folder)/run"
    )
    let order = PairOrder(seed: settings.seed)
    var runs: [ComparedRun] = []
    for run in order.runs(of: [settings.scenario], pairs: settings.pairs, stage: round) {
      if isInterrupted() { return nil }
      runs.append(try slices.run(run))
    }
    if isInterrupted() { return nil }
    try journal.append(runs, of: commit, round: round)
    return runs
  }
}
