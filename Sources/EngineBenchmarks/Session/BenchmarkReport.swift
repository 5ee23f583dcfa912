internal import NumericConversion

/// The results of a session.
public struct BenchmarkReport: Sendable {
  public let seed: UInt64
  public let rounds: Int
  public let isInterrupted: Bool
  /// Every requested claim, in order.
  public let results: [ClaimResult]
  public let trials: [TrialRecord]

  package init(seed: UInt64, rounds: Int, isInterrupted: Bool, results: [ClaimResult], trials: [TrialRecord]) {
    self.seed = seed
    self.rounds = rounds
    self.isInterrupted = isInterrupted
    self.results = results
    self.trials = trials
  }

  /// The largest share of a round for which a thread may wait for a core without a warning.
  public static let mostQueued = 0.03

  /// Reasons to doubt the figures, one sentence each. Threads that are meant to contend for cores, such as many
  /// readers, are not counted themselves; only the thread that measures them is.
  public var warnings: [String] {
    trials.compactMap { trial in
      let spoiled = trial.queuedShares.filter { $0 > Self.mostQueued }.count
      guard spoiled > 0 else { return nil }
      let worst = Int(saturating: ((trial.queuedShares.max() ?? 0) * 100).rounded())
      return "\(trial.trial): in \(spoiled) of \(trial.queuedShares.count) rounds the thread waited for a core, "
        + "at most \(worst) % of the time"
    }
  }
}

/// The result of one claim.
public struct ClaimResult: Sendable {
  public let claim: Claim
  /// The trial that measured it; nil if none did.
  public let trial: String?
  /// The figure of each round; empty if it was not measured.
  public let rounds: [Double]
  public let verdict: Verdict

  public var spread: Spread? { Spread(rounds) }

  package init(_ claim: Claim, of record: TrialRecord?, rounds: [Double]?) {
    self.claim = claim
    trial = record?.trial
    self.rounds = rounds ?? []
    if record != nil, rounds == nil, claim.obstacle == nil {
      verdict = .noResult("a contestant whose figure it needs did not take part")
    } else {
      verdict = claim.verdict(median: Spread(self.rounds)?.median, probeNanoseconds: record?.medianProbe)
    }
  }
}
