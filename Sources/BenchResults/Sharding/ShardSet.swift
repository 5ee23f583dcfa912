/// The result of a command of which a shard can be made.
public protocol ShardResult: Sendable {
  /// nil for the result of a whole command.
  var shard: ShardRecord? { get }
  /// Whether the shard did all that it should.
  var isWhole: Bool { get }
  /// The number of planned cases that were made and not broken off.
  var casesMade: Int { get }
}

/// The report of a shard.
public struct ShardReport<Result: ShardResult>: Sendable {
  /// The path of its folder.
  public var path: String
  public var result: Result
  public var record: ShardRecord

  /// - Returns: nil for the result of a whole command.
  public init?(path: String, result: Result) {
    guard let record = result.shard else { return nil }
    (self.path, self.result, self.record) = (path, result, record)
  }
}

/// The reports of one command, at most one for each of its shards and groups. The order of the found reports is
/// irrelevant.
public struct ShardSet<Result: ShardResult>: Sendable {
  /// A record of any shard of the command.
  public let record: ShardRecord
  /// In the order of the groups, then of the shards.
  public let reports: [ShardReport<Result>]
  /// The reports that were left out, with the reasons. `group` is nil if the command is another one.
  private let rejected: [(group: Int?, text: String)]

  /// Accepts the reports of the command that most reports are of. The report of a whole shard replaces the reports of
  /// failed ones, which it repeats.
  /// - Parameter problem: Returns the reason why a report contradicts its record; nil if it does not.
  /// - Returns: nil if there is no report.
  public init?(_ found: [ShardReport<Result>], problem: (ShardReport<Result>) -> String? = { _ in nil }) {
    let found = found.sorted { $0.path < $1.path }
    let sizes = Dictionary(found.map { ($0.record.command, 1) }, uniquingKeysWith: +)
    guard let most = found.max(by: { sizes[$0.record.command, default: 0] < sizes[$1.record.command, default: 0] })
    else { return nil }
    var chosen: [[Int]: ShardReport<Result>] = [:]
    var rejected: [(group: Int?, text: String)] = []
    for report in found.filter(\.result.isWhole) + found.filter({ !$0.result.isWhole }) {
      let key = [report.record.group ?? 0, report.record.number]
      let difference = report.record.command.difference(from: most.record.command)
      var reason = difference ?? problem(report)
      if reason == nil, let other = chosen[key] {
        guard other.result.isWhole == report.result.isWhole else { continue }
        reason = "\(report.record.shard.text) is also in \(other.path)"
      }
      if let reason {
        rejected.append((difference == nil ? report.record.group : nil, "\(report.path) was left out: \(reason)"))
      } else {
        chosen[key] = report
      }
    }
    (record, self.rejected) = (most.record, rejected)
    reports = chosen.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
  }

  public var command: ShardedCommand { record.command }

  /// The reports of each machine and file system, in the order of their first shards. Figures of different machines are
  /// never pooled.
  public func byMachine(_ fileSystem: (Result) -> String) -> [[ShardReport<Result>]] {
    Dictionary(grouping: reports) { [$0.record.machine, fileSystem($0.result)] }.values
      .sorted { $0[0].record.number < $1[0].record.number }
  }

  /// Returns the record of the merge.
  /// - Parameters:
  ///   - group: The index of the group that is merged; nil for all together.
  ///   - repetition: Returns the command that makes a shard, given its number and its incomplete report.
  public func merge(ofGroup group: Int? = nil, repetition: (Int, ShardReport<Result>?) -> String) -> MergeResult {
    let own = reports.filter { group == nil || $0.record.group == group }
    let byNumber = Dictionary(own.map { ($0.record.number, $0) }) { first, _ in first }
    let parts = (1...command.shards).compactMap { number -> MergeResult.Part? in
      let planned = command.caseCount(of: number, inGroup: group)
      guard planned != 0 else { return nil }
      let report = byNumber[number]
      let isComplete = report?.result.isWhole == true
      return MergeResult.Part(
        number: number,
        state: isComplete ? .complete : report == nil ? .missing : .failed,
        planned: planned,
        made: report?.result.casesMade ?? 0,
        command: isComplete ? nil : repetition(number, report)
      )
    }
    let rejected = rejected.filter { group == nil || $0.group == nil || $0.group == group }.map(\.text)
    return MergeResult(
      shardCount: command.shards,
      unit: command.unit,
      program: command.program,
      parts: parts,
      rejected: rejected
    )
  }
}

/// The record of a merge of shards.
public struct MergeResult: Codable, Sendable, Equatable {
  public enum State: String, Codable, Sendable {
    case complete
    /// It did not make all of its cases, or was interrupted.
    case failed
    case missing
  }

  public struct Part: Codable, Sendable, Equatable {
    /// The number of the shard, from 1.
    public var number: Int
    public var state: State
    /// The number of its planned cases; nil if only a time ends the campaign.
    public var planned: Int?
    /// The number of planned cases that it made and did not break off.
    public var made: Int
    /// The command that repeats this shard alone; nil for a complete one.
    public var command: String?
  }

  /// The number of shards of the command.
  public var shardCount: Int
  public var unit: ShardedCommand.Unit
  /// The SHA-256 digest of the program that made the shards.
  public var program: String
  /// The shards that have planned cases.
  public var parts: [Part]
  /// The reports that were left out, with the reasons: duplicates, and shards of another command.
  public var rejected: [String]

  /// Whether all shards are complete, also if reports were left out.
  public var isComplete: Bool { parts.allSatisfy { $0.state == .complete } }

  /// The reasons why the merge is incomplete, in the order of the shards; empty if it is complete.
  public var problems: [String] {
    parts.compactMap { part in
      let shard = Shard(part.number, of: shardCount).text
      let planned = part.planned.map { "\($0) planned \(unit.rawValue)\($0 == 1 ? "" : "s")" }
      switch part.state {
      case .complete: return nil
      case .missing: return shard + " is missing" + (planned.map { ", with " + $0 } ?? "")
      case .failed: return shard + " failed: it made \(part.made) \(planned.map { "of " + $0 } ?? "\(unit.rawValue)s")"
      }
    } + rejected
  }
}
