internal import BenchRegression
package import BenchResults
internal import Foundation
internal import HarnessPrimitives

/// The journal of a bisection: a line of JSON that describes the search, and one for each finished pair of runs.
package final class BisectionJournal {
  /// The description of a search. A journal can be resumed only by the search that it describes.
  package struct Header: Codable, Sendable, Equatable {
    package static let currentSchema = "yapbench-bisect-journal/1"

    package var schema = currentSchema
    package var commits: [String]
    var scenarioDigest: String
    package var pairs: Int
    package var seed: UInt64

    package init(commits: [String], _ settings: Bisection.Settings) {
      self.commits = commits
      scenarioDigest = settings.scenario.digest
      pairs = settings.pairs
      seed = settings.seed
    }
  }

  private struct Entry: Codable {
    var commit: String
    var round: Int
    var runs: [ComparedRun]

    var key: Key { Key(commit: commit, round: round, pair: runs.first?.pair ?? 0) }
  }

  private struct Key: Hashable {
    var commit: String
    var round: Int
    var pair: Int
  }

  package let folder: String
  private let lines: JournalFile
  private var entries: [Entry] = []

  /// Opens the journal of a search, or begins one. Invalid pairs of a round that has too few valid ones for a result
  /// are not resumed, so that they are measured again.
  /// - Throws: `JournalProblem` if the file cannot be used, or another process uses it; `ComparisonError` if it belongs
  ///   to another search.
  package init(in folder: String, _ header: Header) throws {
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
    let stored = try lines.initialLines.dropFirst().map { line in
      do { return try JSONDecoder().decode(Entry.self, from: line) } catch {
        throw ComparisonError(
          .output,
          "\(lines.path): a line is not a pair of runs; move the file away, or use another --out"
        )
      }
    }
    entries = Self.resumable(stored)
  }

  private static func resumable(_ stored: [Entry]) -> [Entry] {
    // A pair that was measured again has several entries, of which the last one counts.
    let last = Dictionary(stored.enumerated().map { ($1.key, $0) }) { $1 }
    let current = stored.enumerated().filter { last[$1.key] == $0 }.map(\.element)
    let rounds = Dictionary(grouping: current) { Key(commit: $0.commit, round: $0.round, pair: 0) }
    let usable = rounds.filter { PairValidity($0.value.flatMap(\.runs)).valid >= EffectEstimate.fewestPairs }
    return current.filter { entry in
      usable[Key(commit: entry.commit, round: entry.round, pair: 0)] != nil || PairValidity(entry.runs).invalid == 0
    }
  }

  /// Returns the runs of the finished pairs of a comparison, in the order in which they were made.
  package func runs(of commit: String, round: Int) -> [ComparedRun] {
    entries.filter { $0.commit == commit && $0.round == round }.flatMap(\.runs)
  }

  package func append(_ runs: [ComparedRun], of commit: String, round: Int) throws {
    let entry = Entry(commit: commit, round: round, runs: runs)
    try lines.append(entry)
    entries.append(entry)
  }
}
