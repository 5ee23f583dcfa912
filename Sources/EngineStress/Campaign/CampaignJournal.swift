package import BenchResults
internal import Foundation
internal import HarnessPrimitives

/// The description of a campaign, which is the first line of its journal. A campaign can be resumed only by the same
/// program with the same seed, arguments, files, shard, SQLite and file system.
package struct CampaignHeader: Codable, Sendable, Equatable {
  package static let currentSchema = "yapbench-stress-journal/1"

  package var schema = currentSchema
  package var kind: StressKind
  package var seed: UInt64
  package var arguments: [String]
  /// The digest of the files that the arguments name; nil if they do not determine the cases.
  package var inputDigest: String?
  /// The part of the campaign's cases; nil for all.
  package var shard: ShardRecord?
  package var environment: StressEnvironment
  package var startedAt: String

  /// Reads the header of the campaign in a folder.
  /// - Throws: `CampaignMismatch` if the folder contains no campaign.
  package static func read(fromFolder folder: String) throws -> CampaignHeader {
    let path = folder + "/journal.jsonl"
    guard let contents = try? RegularFile(path: path).contents(upTo: .max),
      let line = contents.split(separator: UInt8(ascii: "\n"), maxSplits: 1).first,
      let header = try? JSONDecoder().decode(CampaignHeader.self, from: Data(line))
    else { throw CampaignMismatch(path: path, problem: "expected the journal of a stress campaign") }
    return header
  }

  /// Returns the first difference that prevents resuming; nil if there is none.
  func difference(from found: CampaignHeader) -> String? {
    if found.kind != kind { return "the journal belongs to `stress \(found.kind.rawValue)`" }
    if found.seed != seed { return "its seed is \(found.seed)" }
    if found.arguments != arguments { return "its arguments are \(found.arguments.joined(separator: " "))" }
    if found.inputDigest != inputDigest { return "its scenarios had another text" }
    if found.shard?.shard != shard?.shard { return "the journal covers \(found.shard?.shard.text ?? "all shards")" }
    if found.environment.program != environment.program { return "another build of the program wrote it" }
    if found.environment.sqliteSourceID != environment.sqliteSourceID {
      return "it was written with SQLite \(found.environment.sqliteVersion)"
    }
    if found.environment.fileSystem != environment.fileSystem {
      return "its databases are on \(found.environment.fileSystem), not on \(environment.fileSystem)"
    }
    return found.environment == environment ? nil : "its build is different"
  }
}

/// The journal of a campaign: a line of JSON that describes it, and one for each finished case.
// Used by one thread at a time: while the cases run, by the thread that holds the campaign's lock.
struct CampaignJournal: @unchecked Sendable {
  struct Entry: Codable {
    var number: Int
    /// The time for which the campaign had run, without the pauses before it was resumed.
    var seconds: Double
    var outcome: CaseOutcome
  }

  let header: CampaignHeader
  /// The cases that were finished when the journal was opened.
  let entries: [Entry]
  let file: JournalFile

  /// Opens the journal of a campaign, or begins one.
  /// - Throws: `JournalProblem` if the file cannot be used; `CampaignMismatch` if it belongs to another campaign.
  init(at path: String, _ header: CampaignHeader) throws {
    file = try JournalFile(at: path)
    guard let first = file.initialLines.first else {
      (self.header, entries) = (header, [])
      try file.append(header)
      return
    }
    guard let found = try? JSONDecoder().decode(CampaignHeader.self, from: first) else {
      throw CampaignMismatch(path: path, problem: "expected the journal of a stress campaign")
    }
    if let difference = header.difference(from: found) {
      throw CampaignMismatch(path: path, problem: "it belongs to another campaign: \(difference)")
    }
    self.header = found
    entries = try file.initialLines.dropFirst().enumerated().map { index, line in
      do { return try JSONDecoder().decode(Entry.self, from: line) } catch {
        throw CampaignMismatch(path: path, problem: "line \(index + 2) is not a finished case")
      }
    }
  }

  /// The time for which the campaign has run until its last entry, without pauses.
  var activeSeconds: Double { entries.map(\.seconds).max() ?? 0 }
}

/// The error of resuming a campaign with another one's journal.
package struct CampaignMismatch: Error, CustomStringConvertible {
  package let path: String
  package let problem: String

  package var description: String {
    "\(path): \(problem). Resume it with the same program, seed and options, or choose another --out."
  }
}
