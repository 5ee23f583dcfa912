public import BenchResults
internal import Foundation
internal import SystemFiles

/// `verdict.json`: the verdict on all runs of a scenario, in a few kilobytes. The index reads only this file of each
/// run, because a `run.json` may have many megabytes.
public struct RunSummary: Codable, Sendable, Equatable {
  /// An expectation in the valid run in which it came closest to its failure, or failed.
  struct Expectation: Codable, Sendable, Equatable {
    /// In the syntax of the scenario.
    var source: String
    /// The measured value with its unit.
    var measured: String
    /// In base units; nil if nothing was measured.
    var measuredValue: Double?
    var holds: Bool
  }

  static let fileName = "verdict.json"
  static let currentSchemaVersion = 1

  var schemaVersion = currentSchemaVersion
  public let scenario: String
  let tags: [String]
  /// ISO 8601, UTC.
  let startedAt: String
  /// The duration of the phases of all runs.
  public let seconds: Double
  /// nil if it is not known.
  let commit: String?
  let hasUncommittedChanges: Bool
  let isSmoke: Bool
  let isPartial: Bool
  let exitCode: ExitStatus
  /// The conclusion in one line, without the word of the verdict.
  public let headline: String
  /// Empty if the figures are invalid or incomplete, and for a smoke run.
  let expectations: [Expectation]

  public init(_ result: ScenarioResult) {
    let first = result.first
    scenario = first.scenario
    tags = first.tags
    startedAt = first.startedAt
    seconds = result.runs.reduce(0) { $0 + $1.phaseSeconds }
    commit = first.environment.commit
    hasUncommittedChanges = first.environment.hasUncommittedChanges
    isSmoke = first.isSmoke
    isPartial = result.isPartial
    exitCode = result.verdict.exitCode
    headline = result.verdict.headline
    let hasFigures = !first.isSmoke && [.passed, .expectationFailed].contains(result.verdict.exitCode)
    expectations = hasFigures ? Self.expectations(of: result) : []
  }

  private static func expectations(of result: ScenarioResult) -> [Expectation] {
    let found = result.variants.flatMap { result.runsWithFigures(of: $0) }.flatMap(\.expectations)
    return found.map(\.source).withoutDuplicates.compactMap { source in
      let worst = found.filter { $0.source == source }.min { !$0.holds && $1.holds }
      return worst.map { worst in
        let value = worst.measuredValue.flatMap { $0.isFinite ? $0 : nil }
        return Expectation(source: source, measured: worst.measured, measuredValue: value, holds: worst.holds)
      }
    }
  }

  // MARK: The file

  /// A larger file is not read. 1,000 expectations take less.
  private static let largestBytes = 1 << 18

  func encoded() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
  }

  /// Reads the file of a run's folder.
  /// - Returns: nil if its contents are not those of a `verdict.json` of this version.
  static func read(in run: String) throws(FileProblem) -> RunSummary? {
    let bytes = try RegularFile(path: "\(run)/\(fileName)").contents(upTo: largestBytes)
    let summary = try? JSONDecoder().decode(RunSummary.self, from: Data(bytes))
    return summary?.schemaVersion == currentSchemaVersion ? summary : nil
  }
}
