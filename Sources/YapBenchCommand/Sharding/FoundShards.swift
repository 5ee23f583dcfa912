internal import BenchReports
internal import BenchResults
internal import EngineStress
internal import Foundation
internal import HarnessPrimitives

/// The reports of shards below some folders.
struct FoundShards {
  private let folders: [String]
  private(set) var runs: [ShardReport<ScenarioResult>] = []
  private(set) var campaigns: [ShardReport<StressResult>] = []
  private(set) var calibrations: [ShardReport<ComparisonOutcome>] = []
  /// The folders of campaigns that were killed, so that they have a journal and no report.
  private var killed: [(path: String, record: ShardRecord)] = []
  /// The reports that cannot be read.
  private(set) var unreadable: [Failure] = []

  /// The names of the files with results, and the words for their commands.
  private static let units = ["run.json": "run", StressFolder.recordName: "campaign", "compare.json": "comparison"]

  /// - Throws: `Failure` if an argument is no folder, or is the folder of a report that belongs to no shard.
  init(below folders: [String]) throws(Failure) {
    self.folders = folders
    var known: Set<String> = []
    let names = Self.units.keys.sorted() + ["journal.jsonl"]
    for folder in folders {
      guard let entries = FolderTree.entries(below: folder, suffixes: names) else {
        throw Failure("\(folder): there is no such folder", .missingInput)
      }
      for entry in entries {
        switch entry {
        case .problem(let path, let text): unreadable.append(Failure("\(folder)/\(path): \(text)", .incomparable))
        case .file(let path):
          let file = "\(folder)/\(path)"
          let parts = PathParts(file)
          guard known.insert(URL(fileURLWithPath: file).resolvingSymlinksInPath().path).inserted else { continue }
          if !add(parts.name, in: parts.folder), path == parts.name {
            let unit = Self.units[path] ?? path
            throw Failure("\(folder): this \(unit) is no shard; expected one that --shard has made", .usage)
          }
        }
      }
    }
  }

  /// Adds the report of a shard.
  /// - Returns: Whether it belongs to a shard, or may belong to one.
  private mutating func add(_ name: String, in folder: String) -> Bool {
    let path = "\(folder)/\(name)"
    do {
      switch name {
      case "run.json": return Self.add(try RunRecord(folder).read(), in: folder, to: &runs)
      case StressFolder.recordName: return Self.add(try StressFolder.read(folder), in: folder, to: &campaigns)
      case "compare.json":
        let contents = try RegularFile(path: path).contents(upTo: RunRecord.maximumBytes)
        return Self.add(try ComparisonOutcome.decode(Data(contents)), in: folder, to: &calibrations)
      case "journal.jsonl":
        // A finished campaign is judged by its report. Other journals do not belong to campaigns.
        let isFinished = FileManager.default.fileExists(atPath: "\(folder)/\(StressFolder.recordName)")
        if !isFinished, let record = try? CampaignHeader.read(fromFolder: folder).shard {
          killed.append((folder, record))
        }
      default: break
      }
    } catch let error as DocumentError {
      unreadable.append(Failure("\(path): \(error); it was left out", .incomparable))
    } catch {
      unreadable.append(Failure(Failure(error).text + "; it was left out", .incomparable))
    }
    return true
  }

  private static func add<R>(_ result: R, in folder: String, to reports: inout [ShardReport<R>]) -> Bool {
    let report = ShardReport(path: folder, result: result)
    if let report { reports.append(report) }
    return report != nil
  }

  /// Returns the record of a merge. The command of an incomplete shard makes it again, or continues a campaign.
  /// - Parameter group: The index of the group that is merged; nil for all together.
  func record<R>(of set: ShardSet<R>, group: Int? = nil) -> MergeResult {
    let files = set.record.files.enumerated().map { group, file in
      set.reports.first { $0.record.group == group }.map { "\($0.path)/scenario.yaml".absolutePath } ?? file
    }
    return set.merge(ofGroup: group) { number, report in
      let killed = killed.first { $0.record.number == number && $0.record.command == set.command }?.path
      let begun = set.command.unit == .case ? report?.path ?? killed : nil
      let folder = begun.map { ["--resume", $0.absolutePath] } ?? ["--out", newFolder(number)]
      return RepeatCommand.line(set.record.command(of: number, folder: folder, files: files))
    }
  }

  /// Returns a folder beside those of other shards.
  private func newFolder(_ number: Int) -> String {
    let first = folders[0]
    let isReport = Self.units.keys.contains { FileManager.default.fileExists(atPath: "\(first)/\($0)") }
    return "\(folders.count > 1 || isReport ? "\(first)/.." : first)/shard-\(number)".absolutePath
  }
}
