package import BenchResults
package import HarnessPrimitives
package import ThreadingPrimitives

/// A test that consists of independent numbered cases. The campaign's seed and the number of a case determine its plan.
///
/// `CampaignRun` runs the cases, records each in a journal, and can resume after any interruption.
package protocol StressCampaign: Sendable {
  var kind: StressKind { get }
  /// The options that determine the cases, beside the seed, as they are written on the command line.
  var arguments: [String] { get }
  /// The digest of the files that `arguments` names, if they determine the cases; nil if none does.
  var inputDigest: String? { get }
  /// The values of `PRAGMA synchronous` that the databases use, such as "full".
  var synchronous: String { get }
  /// The number of cases after which everything was tried; nil if there is always another one.
  var caseCount: Int? { get }
  /// Whether several threads may run cases at the same time.
  var runsConcurrently: Bool { get }
  /// The names of the counts, in the order in which they are shown.
  var countNames: [String] { get }
  /// The counts without which the campaign has not tested what it should.
  var requirements: [StressRequirement] { get }
  /// The behaviour that the campaign does not test, as sentences.
  var untested: [String] { get }

  /// Runs one case to its end, or until the case's interruption is raised.
  /// - Throws: Any error that the case did not expect, which counts as a failure of the case.
  func run(_ testCase: StressCase) throws -> CaseOutcome
}

extension StressCampaign {
  package var inputDigest: String? { nil }
  package var caseCount: Int? { nil }
  package var runsConcurrently: Bool { true }

  /// Runs one case. An error that it throws is a failure of the outcome.
  package func outcome(of testCase: StressCase) -> CaseOutcome {
    do { return try run(testCase) } catch { return CaseOutcome(failures: ["unexpected error: \(error)"]) }
  }
}

/// One case of a campaign.
package struct StressCase: Codable, Sendable {
  private enum CodingKeys: CodingKey {
    case number, seed, folder, hasOwnMounts
  }

  package let number: Int
  /// The campaign's seed.
  package let seed: UInt64
  /// An existing, empty folder. It is moved to the campaign's folder if the case fails, and removed otherwise. Where
  /// failures contain its path, they get the new one.
  package let folder: String
  /// Raised when the case should end early. If its outcome has no failure, it is then dropped, and the case is run
  /// again after resuming. A failure may not happen again, so it is kept.
  package var interruption = StopFlag()
  /// Whether the case's process has a mount namespace of its own, so that no other process sees its mounts.
  var hasOwnMounts = false

  /// A stream of random numbers of this case.
  package func random(_ purpose: String) -> RandomStream { RandomStream(seed: seed, "case \(number)", purpose) }
}

/// The error of a case that has found a wrong result of the engine.
struct WrongResult: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// The counts and the failures of a case.
package struct CaseOutcome: Codable, Sendable, Equatable {
  /// The numbers to add to the campaign's counts.
  package var counts: [String: Int]
  /// Descriptions of wrong behaviour. Each names the row, commit, file or count.
  package var failures: [String]

  package init(counts: [String: Int] = [:], failures: [String] = []) {
    self.counts = counts
    self.failures = failures
  }

  /// Adds to a count.
  package mutating func count(_ name: String, _ added: Int = 1) { counts[name, default: 0] += added }

  package mutating func add(_ other: CaseOutcome) {
    counts.merge(other.counts, uniquingKeysWith: +)
    failures += other.failures
  }
}
