internal import BenchResults
package import Foundation
internal import HarnessPrimitives

/// The results of a session.
package struct BenchmarkReport: Sendable {
  package let seed: UInt64
  package let rounds: Int
  package let isInterrupted: Bool
  /// Every requested claim, in order.
  package let results: [ClaimResult]
  package let trials: [TrialRecord]

  /// The largest share of a round for which the measuring thread may wait for a core without a warning.
  static let mostQueued = 0.03

  /// Reasons to doubt the figures, one sentence each. Only the measuring thread's waits for a core are counted: other
  /// threads, such as many readers, may be meant to contend for the cores.
  package var warnings: [String] {
    trials.compactMap { trial in
      let spoiled = trial.queuedShares.filter { $0 > Self.mostQueued }.count
      guard spoiled > 0 else { return nil }
      let worst = Int(saturating: ((trial.queuedShares.max() ?? 0) * 100).rounded())
      return "\(trial.trial): in \(spoiled) of \(trial.queuedShares.count) rounds the thread waited for a core "
        + "for more than 3 % of the time, at most for \(worst) %"
    }
  }
}

/// The result of one claim.
package struct ClaimResult: Sendable {
  package let claim: Claim
  /// The name of the trial that measured the claim; nil if none did.
  package let trial: String?
  /// The figure of each round; empty if the figure was not measured.
  package let rounds: [Double]
  package let verdict: Verdict

  package var spread: Spread? { Spread(rounds) }

  /// - Parameter disturbance: The reason why other load made the figure meaningless; nil if none did.
  package init(_ claim: Claim, of record: TrialRecord?, rounds: [Double]?, disturbance: String? = nil) {
    self.claim = claim
    trial = record?.trial
    self.rounds = rounds ?? []
    if let disturbance, claim.obstacle == nil {
      verdict = .noResult(disturbance)
    } else if record != nil, rounds == nil, claim.obstacle == nil {
      verdict = .noResult("a contestant of the figure was not measured")
    } else {
      verdict = claim.verdict(median: Spread(self.rounds)?.median)
    }
  }
}

/// The median of figures, and their spread.
package struct Spread: Sendable, Equatable, Codable {
  package let lowerQuartile: Double
  package let median: Double
  package let upperQuartile: Double

  /// Returns nil if there are no figures.
  package init?(_ figures: [Double]) {
    guard !figures.isEmpty else { return nil }
    lowerQuartile = figures.quantile(0.25)
    median = figures.median
    upperQuartile = figures.quantile(0.75)
  }
}

extension BenchmarkReport {
  /// The version of the JSON document. It is raised if the meaning of a key changes, or a key is removed.
  static let schemaVersion = 2

  private struct Document: Encodable {
    let schemaVersion: Int
    @PortableInteger var seed: UInt64
    let rounds: Int
    let isInterrupted: Bool
    let claims: [ClaimEntry]
    let trials: [TrialRecord]
    let warnings: [String]
  }

  private struct ClaimEntry: Encodable {
    let target: String
    let claim: String
    let what: String
    let unit: FigureUnit
    let atMost: Double?
    let atLeast: Double?
    let spread: Spread?
    let rounds: [Double]
    let verdict: String
    let reason: String?
    let trial: String?

    init(_ result: ClaimResult) {
      target = result.claim.id.target.description
      claim = result.claim.id.description
      what = result.claim.what
      unit = result.claim.unit
      if case .atMost(let most) = result.claim.limit { atMost = most } else { atMost = nil }
      if case .atLeast(let least) = result.claim.limit { atLeast = least } else { atLeast = nil }
      spread = result.spread
      rounds = result.rounds
      verdict = result.verdict.word
      reason = result.verdict.reason
      trial = result.trial
    }
  }

  /// Returns the whole report as JSON, with keys in a stable order, and a newline at the end.
  package func json() throws -> Data {
    let encoder = StableJSON.encoder(.prettyPrinted)
    // A figure that is not a number must not prevent the export of the others.
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "Infinity",
      negativeInfinity: "-Infinity",
      nan: "NaN"
    )
    let document = Document(
      schemaVersion: Self.schemaVersion,
      seed: seed,
      rounds: rounds,
      isInterrupted: isInterrupted,
      claims: results.map(ClaimEntry.init),
      trials: trials,
      warnings: warnings
    )
    return try encoder.encode(document) + Data("\n".utf8)
  }
}
