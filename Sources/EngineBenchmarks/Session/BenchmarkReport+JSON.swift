public import Foundation

extension BenchmarkReport {
  /// Raised if the meaning of a key changes, or a key is removed.
  static let schemaVersion = 2

  private struct Document: Encodable {
    let schemaVersion: Int
    let seed: UInt64
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
      target = "P\(result.claim.id.target)"
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

  /// The whole report, with keys in a stable order, and a newline at the end.
  public func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
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
