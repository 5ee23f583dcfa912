public import BenchModel
public import Foundation
internal import LatencyMetrics

/// `run.json`: everything that is known of a scenario's runs, with its keys in a stable order.
public enum RunDocument {
  // A figure that is not a number must not cost the run, so it is written as a word.
  private static let infinity = "Infinity"
  private static let negativeInfinity = "-Infinity"
  private static let notANumber = "NaN"

  public static func encode(_ result: ScenarioResult) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: infinity,
      negativeInfinity: negativeInfinity,
      nan: notANumber
    )
    return try encoder.encode(result) + Data("\n".utf8)
  }

  /// Reads what `encode` wrote.
  /// - Throws: `RunDocumentError`, also for a file of another schema version, or whose parts contradict each other.
  public static func decode(_ data: Data) throws -> ScenarioResult {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: infinity,
      negativeInfinity: negativeInfinity,
      nan: notANumber
    )
    do {
      let version = try decoder.decode(Version.self, from: data).schemaVersion
      guard ScenarioResult.readableSchemaVersions.contains(version) else {
        throw RunDocumentError(
          problem: "it has schema version \(version), and this program reads versions "
            + "\(ScenarioResult.readableSchemaVersions.lowerBound) to \(ScenarioResult.currentSchemaVersion): use the "
            + "program that wrote it, or repeat the run"
        )
      }
      let result = try decoder.decode(ScenarioResult.self, from: data)
      try check(result)
      return result
    } catch let error as DecodingError {
      throw RunDocumentError(problem: Self.text(of: error))
    }
  }

  private struct Version: Decodable {
    var schemaVersion: Int
  }

  /// What the reports and exports rely on.
  private static func check(_ result: ScenarioResult) throws {
    guard !result.runs.isEmpty, !result.variants.isEmpty else {
      throw RunDocumentError(problem: "there is no run in it")
    }
    guard (1...1_000_000).contains(result.repetitions), result.variants.count <= 1_000_000 else {
      throw RunDocumentError(problem: "it has \(result.repetitions) repetitions of \(result.variants.count) variants")
    }
    for phase in result.runs.flatMap(\.phases) where phase.endNanoseconds < phase.startNanoseconds {
      throw RunDocumentError(problem: "phase \"\(phase.name)\" ends before it begins")
    }
    var total = 0
    for latency in result.runs.flatMap(\.latencies) {
      let (sum, overflow) = total.addingReportingOverflow(latency.histogram.count)
      guard !overflow else { throw RunDocumentError(problem: "more durations are in it than can be counted") }
      total = sum
    }
    for run in result.runs { try checkCounts(of: run) }
  }

  /// What is added up and taken from each other.
  private static func checkCounts(of run: RunResult) throws {
    let counts = 0...(1 << 53)
    var last: UInt64 = 0
    for sample in run.samples {
      guard sample.elapsedNanoseconds >= last else { throw RunDocumentError(problem: "its samples are out of order") }
      last = sample.elapsedNanoseconds
      let files = sample.writes.map { [$0.wal, $0.database, $0.journal] } ?? []
      let written =
        files.flatMap { [$0.bytes, $0.syncs, $0.syncNanoseconds] } + (sample.logicalBytes?.values.map(\.self) ?? [])
      guard written.allSatisfy(counts.contains) else {
        throw RunDocumentError(problem: "a sample has counts of what was written that cannot be")
      }
    }
    for result in run.commitTimes ?? [] {
      let times = result.times
      let parts = [
        result.service, times.laneWait, times.writeLaneWait, times.begin, times.block, times.commit, times.rest,
      ]
      guard parts.allSatisfy({ $0 <= UInt64(counts.upperBound) }) else {
        throw RunDocumentError(problem: "commits of \"\(result.actor)\" took times that cannot be")
      }
    }
    let meanwhile = run.checkpoints.flatMap { [$0.overlappingCommits ?? 0, $0.stalledWriters ?? 0, $0.syncs ?? 0] }
    guard meanwhile.allSatisfy(counts.contains) else {
      throw RunDocumentError(problem: "a checkpoint has counts of commits that cannot be")
    }
  }

  private static func text(of error: DecodingError) -> String {
    func place(_ context: DecodingError.Context) -> String {
      let path = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
      return path.isEmpty ? "" : " in \(path)"
    }
    switch error {
    case .keyNotFound(let key, let context): return "it has no \(key.stringValue)\(place(context))"
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      return "it is no result of a run\(place(context)): \(context.debugDescription)"
    @unknown default: return "it is no result of a run: \(error)"
    }
  }
}

/// Why a `run.json` cannot be read.
public struct RunDocumentError: Error, Sendable, Equatable, CustomStringConvertible {
  public var problem: String
  public var description: String { problem }
}
