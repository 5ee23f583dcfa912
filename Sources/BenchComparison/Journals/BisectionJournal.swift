public import BenchResults
internal import Foundation
internal import SystemFiles

/// The journal of a bisection: a line of JSON that describes the search, and one for each finished pair of runs.
public final class BisectionJournal {
  /// The description of a search. A journal can be resumed only by the search that it describes.
  public struct Header: Codable, Sendable, Equatable {
    public static let currentSchema = "yapbench-bisect-journal/1"

    public var schema = currentSchema
    public var commits: [String]
    public var scenarioDigest: String
    public var pairs: Int
    public var seed: UInt64

    /// - Throws: `ComparisonError` if the scenario's file cannot be read.
    public init(commits: [String], _ settings: Bisection.Settings) throws {
      self.commits = commits
      scenarioDigest = try FileDigest.sha256(of: settings.scenario.path)
      pairs = settings.pairs
      seed = settings.seed
    }
  }

  private struct Entry: Codable {
    var commit: String
    var round: Int
    var runs: [ComparedRun]
  }

  public let folder: String
  private let lines: JournalFile
  private var entries: [Entry] = []

  /// - Throws: `JournalProblem` if the file cannot be used, or another process uses it; `ComparisonError` if it belongs
  ///   to another search.
  public init(in folder: String, _ header: Header) throws {
    self.folder = folder
    lines = try JournalFile(at: "\(folder)/bisect.jsonl")
    guard let first = lines.initialLines.first else {
      try lines.append(header)
      return
    }
    guard let known = try? JSONDecoder().decode(Header.self, from: first), known == header else {
      throw ComparisonError(
        .output,
        "\(lines.path): it belongs to another search; move its folder away, or use another --out"
      )
    }
    entries = try lines.initialLines.dropFirst().map { line in
      do { return try JSONDecoder().decode(Entry.self, from: line) } catch {
        throw ComparisonError(
          .output,
          "\(lines.path): a line is not a pair of runs; move the file away, or use another --out"
        )
      }
    }
  }

  /// Returns the runs of the finished pairs of a comparison, in their order.
  public func runs(of commit: String, round: Int) -> [ComparedRun] {
    entries.filter { $0.commit == commit && $0.round == round }.flatMap(\.runs)
  }

  public func append(_ runs: [ComparedRun], of commit: String, round: Int) throws {
    let entry = Entry(commit: commit, round: round, runs: runs)
    try lines.append(entry)
    entries.append(entry)
  }
}
