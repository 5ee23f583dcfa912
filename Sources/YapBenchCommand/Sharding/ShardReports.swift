internal import BenchReports
internal import BenchResults
internal import EngineStress
internal import Foundation
internal import HarnessPrimitives

/// The reports of shards below some folders.
struct ShardReports {
  /// The journal of a campaign that was killed, so that it has no report.
  struct Killed {
    /// The path of its folder.
    let path: String
    let header: CampaignHeader
  }

  private(set) var runs: [ShardRecord<ScenarioResult>] = []
  private(set) var campaigns: [ShardRecord<StressResult>] = []
  private(set) var calibrations: [ShardRecord<ComparisonOutcome>] = []
  private(set) var killed: [Killed] = []
  /// The reports that cannot be read.
  private(set) var unreadable: [Failure] = []

  private static let run = "run.json"
  private static let journal = "journal.jsonl"
  private static let comparison = "compare.json"

  /// - Throws: `Failure` if an argument is no folder, or is the folder of a report that belongs to no shard.
  init(below folders: [String]) throws(Failure) {
    var known: Set<String> = []
    let names = [Self.run, StressFolder.recordName, Self.comparison, Self.journal]
    for folder in folders {
      guard let entries = FolderTree.entries(below: folder, suffixes: names) else {
        throw Failure("\(folder): there is no such folder", .missingInput)
      }
      for entry in entries {
        switch entry {
        case .problem(let path, let text): unreadable.append(Failure("\(folder)/\(path): \(text)", .incomparable))
        case .file(let path):
          let file = "\(folder)/\(path)"
          let isNew = known.insert(URL(fileURLWithPath: file).resolvingSymlinksInPath().path).inserted
          guard isNew else { continue }
          let parts = PathParts(file)
          let name = parts.name
          let isShard = add(name, in: parts.folder)
          guard isShard || path != name else {
            throw Failure("\(folder): this \(Self.unit(name)) is no shard; expected one that --shard has made", .usage)
          }
        }
      }
    }
  }

  private static func unit(_ name: String) -> String {
    [run: "run", StressFolder.recordName: "campaign"][name] ?? "comparison"
  }

  /// Adds the record of a shard.
  /// - Returns: Whether it belongs to a shard, or may belong to one.
  private mutating func add(_ name: String, in folder: String) -> Bool {
    do throws(Failure) {
      switch name {
      case Self.run:
        let result = try RunRecord(folder).read()
        if result.shard == nil { return false }
        runs.append(ShardRecord(path: folder, result: result))
      case StressFolder.recordName:
        let result: StressResult
        do { result = try StressFolder.read(folder) } catch { throw Failure(error) }
        if result.shard == nil { return false }
        campaigns.append(ShardRecord(path: folder, result: result))
      case Self.comparison:
        let result = try comparison("\(folder)/\(name)")
        if result.shard == nil { return false }
        calibrations.append(ShardRecord(path: folder, result: result))
      case Self.journal:
        // A finished campaign is judged by its report. Other journals do not belong to campaigns.
        guard !FileManager.default.fileExists(atPath: "\(folder)/\(StressFolder.recordName)"),
          let header = try? CampaignHeader.read(fromFolder: folder), header.shard != nil
        else { break }
        killed.append(Killed(path: folder, header: header))
      default: break
      }
    } catch {
      unreadable.append(Failure(error.text + "; it was left out", .incomparable))
    }
    return true
  }

  private func comparison(_ path: String) throws(Failure) -> ComparisonOutcome {
    do {
      let result = try ComparisonDocument.decode(Data(RegularFile(path: path).contents(upTo: RunRecord.maximumBytes)))
      if let problem = result.shard?.problem { throw Failure(problem, .invalidScenario) }
      return result
    } catch { throw Failure("\(path): \(Failure(error).text)", .invalidScenario) }
  }
}

/// Lines about shards that merges of all kinds print.
enum ShardText {
  /// - Parameter total: The runs, cases or scenarios of the shards, such as `9 runs on 2 machines`.
  static func complete(_ merge: MergeResult, _ total: String) -> String {
    "shards: \(merge.parts.count { $0.state == .complete }) of \(merge.parts.count) complete, \(total)"
  }

  static func repetitions(_ merge: MergeResult) -> [String] {
    merge.parts.compactMap { part in part.command.map { "repeat shard \(part.number): \($0)" } }
  }
}
