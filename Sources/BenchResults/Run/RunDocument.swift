public import Foundation
internal import HarnessPrimitives
internal import LatencyMetrics

/// The format of `run.json`: all results of a scenario's runs, with keys in a stable order.
public enum RunDocument {
  // JSON has no such numbers, so they are written as strings.
  private static let infinity = "Infinity"
  private static let negativeInfinity = "-Infinity"
  private static let notANumber = "NaN"

  /// SQLite's largest page size in bytes.
  private static let largestPageBytes = 65_536

  public static func encode(_ result: ScenarioResult) throws -> Data {
    let encoder = StableJSON.encoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: infinity,
      negativeInfinity: negativeInfinity,
      nan: notANumber
    )
    return try encoder.encode(result) + Data("\n".utf8)
  }

  /// Decodes a `run.json`.
  /// - Throws: `DocumentError`, also if the schema version is another, or parts of the file contradict each other.
  public static func decode(_ data: Data) throws -> ScenarioResult {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: infinity,
      negativeInfinity: negativeInfinity,
      nan: notANumber
    )
    do {
      let result = try decoder.decode(Document.self, from: data).result
      try check(result)
      return result
    } catch let error as DecodingError {
      throw DocumentError(problem: Self.text(of: error))
    }
  }

  /// A result. Its schema version is checked before anything else is read.
  private struct Document: Decodable {
    enum Key: String, CodingKey {
      case schemaVersion
    }

    let result: ScenarioResult

    init(from decoder: any Decoder) throws {
      let version = try decoder.container(keyedBy: Key.self).decode(Int.self, forKey: .schemaVersion)
      guard version == ScenarioResult.currentSchemaVersion else {
        throw DocumentError(
          problem: "it has schema version \(version), and this program reads only version "
            + "\(ScenarioResult.currentSchemaVersion): use the program that wrote it, or repeat the run with one that "
            + "writes version \(ScenarioResult.currentSchemaVersion)"
        )
      }
      result = try ScenarioResult(from: decoder)
    }
  }

  /// Checks the assumptions of reports and exports.
  private static func check(_ result: ScenarioResult) throws {
    guard !result.runs.isEmpty, !result.variants.isEmpty else {
      throw DocumentError(problem: "it has no runs or no variants; expected at least 1 of each")
    }
    guard (1...1_000_000).contains(result.repetitions), result.variants.count <= 1_000_000 else {
      throw DocumentError(
        problem: "it has \(result.repetitions) repetitions and \(result.variants.count) variants; expected 1 to "
          + "1,000,000 of each"
      )
    }
    guard result.runs.count <= result.plannedRunCount || !result.isSingle else {
      throw DocumentError(problem: "it has \(result.runs.count) runs; expected at most \(result.plannedRunCount)")
    }
    for run in result.runs { try check(run) }
    try checkLatencies(of: result)
  }

  /// Checks that no two latencies have the same tag, and that the histograms of a variant can be added up.
  private static func checkLatencies(of result: ScenarioResult) throws {
    var names: Set<String> = []
    var digits: [String?: Int] = [:]
    var total = 0
    for run in result.runs {
      let tag = LatencyTag(variant: run.variant, repetition: run.repetition)
      for latency in run.latencies {
        let name = tag.text(of: latency)
        guard names.insert(name).inserted else { throw DocumentError(problem: "it has the latency \(name) twice") }
        let found = latency.histogram.digits
        let expected = digits[run.variant, default: found]
        guard found == expected else {
          throw DocumentError(
            problem: "the histogram of \(name) has \(found) significant digits; expected \(expected), as in its variant"
          )
        }
        digits[run.variant] = expected
        let (sum, overflow) = total.addingReportingOverflow(latency.histogram.count)
        guard !overflow else { throw DocumentError(problem: "it has more durations than can be counted") }
        total = sum
      }
    }
  }

  private static func check(_ run: RunResult) throws {
    for phase in run.phases {
      guard phase.startNanoseconds <= phase.endNanoseconds else {
        throw DocumentError(problem: "phase \"\(phase.name)\" ends before it begins")
      }
      for actor in phase.actors {
        let arrivals = [actor.dueArrivals ?? 0, actor.begunArrivals, actor.droppedArrivals ?? 0]
        if let wrong = arrivals.first(where: { !(0...RunResult.largestCount).contains($0) }) {
          throw DocumentError(
            problem: "\"\(actor.name)\" has \(wrong) arrivals; expected 0 to \(RunResult.largestCount)"
          )
        }
        let waits = [actor.laneWait, actor.writeLaneWait].compactMap { $0?.intervals }
        for intervals in actor.intervals.values + waits where !intervals.allSatisfy(\.isInOrder) {
          throw DocumentError(problem: "an interval of \"\(actor.name)\" ends before it begins")
        }
      }
    }
    guard (0...largestPageBytes).contains(run.pageSizeBytes) else {
      throw DocumentError(problem: "the page has \(run.pageSizeBytes) bytes; expected 0 to \(largestPageBytes)")
    }
    for (sample, next) in zip(run.samples, run.samples.dropFirst())
    where next.elapsedNanoseconds < sample.elapsedNanoseconds {
      throw DocumentError(problem: "its samples are out of order")
    }
  }

  private static func text(of error: DecodingError) -> String {
    func location(_ context: DecodingError.Context) -> String {
      let path = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
      return path.isEmpty ? "" : " in \(path)"
    }
    switch error {
    case .keyNotFound(let key, let context): return "it has no \(key.stringValue)\(location(context))"
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      let found = location(context)
      return "it is not the result of a run:\(found.isEmpty ? "" : found + ":") \(context.debugDescription)"
    @unknown default: return "it is not the result of a run: \(error)"
    }
  }
}

/// The reason why a file with a result cannot be read, without its path.
public struct DocumentError: Error, Sendable, Equatable, CustomStringConvertible {
  public var problem: String

  package init(problem: String) { self.problem = problem }

  public var description: String { problem }
}
