/// The number of a shard, and the number of shards of its command.
public struct ShardNumber: Codable, Sendable, Equatable {
  public static let mostShards = 1_000_000

  /// From 1.
  public var number: Int
  public var count: Int

  public init(_ number: Int, of count: Int) { (self.number, self.count) = (number, count) }

  /// Such as `shard 2 of 4`.
  public var text: String { "shard \(number) of \(count)" }

  /// The value of `--shard`, such as `2/4`.
  public var argument: String { "\(number)/\(count)" }

  /// Returns the indices of the shard's contiguous part of a list.
  /// - Parameter total: The length of the list, at most 10¹².
  public func part(of total: Int) -> Range<Int> { (number - 1) * total / count..<number * total / count }

  /// Returns the number of a campaign's cases that belong to the shard: every `count`-th one from `number` - 1 on.
  /// - Parameter total: The number of cases of the campaign, which begin with 0.
  public func cases(of total: Int) -> Int { (total - number + count) / count }

  /// The reason why there is no such shard; nil if there is one.
  var problem: String? {
    guard (1...Self.mostShards).contains(count), (1...count).contains(number) else {
      return "it has the shard \(number) of \(count); expected 1 to the number of shards, at most \(Self.mostShards)"
    }
    return nil
  }
}

/// The result of a command of which a shard can be made.
public protocol ShardResult: Sendable {
  /// nil for the result of a whole command.
  var shardNumber: ShardNumber? { get }
  /// Whether the shard did all that it should.
  var isWhole: Bool { get }
}

/// The report of a shard.
public struct ShardRecord<Result: ShardResult>: Sendable {
  /// The path of its folder, for messages.
  public var path: String
  public var result: Result

  public init(path: String, result: Result) { (self.path, self.result) = (path, result) }
}

extension Array {
  /// Leaves the reports that agree with the most others.
  /// - Parameter difference: Returns the reason why two results are not of one command; nil if they may be.
  /// - Returns: The reasons for which the other reports were left out.
  public mutating func keepLargestGroup<Result>(
    _ difference: (_ result: Result, _ expected: Result) -> String?
  ) -> [String] where Element == ShardRecord<Result> {
    let sizes = map { expected in count { difference($0.result, expected.result) == nil } }
    guard let most = sizes.max(), let index = sizes.firstIndex(of: most) else { return [] }
    let reference = self[index].result
    var rejected: [String] = []
    removeAll { record in
      guard let difference = difference(record.result, reference) else { return false }
      rejected.append("\(record.path) was left out: \(difference)")
      return true
    }
    return rejected
  }

  /// Leaves one report of each shard, in the order of the shards. The report of a whole shard replaces the report of a
  /// failed one, which it repeats.
  /// - Returns: The reasons for which other reports were left out.
  public mutating func keepOneOfEachShard<Result>() -> [String] where Element == ShardRecord<Result> {
    var rejected: [String] = []
    var chosen: [Int: Element] = [:]
    for record in self {
      guard let shard = record.result.shardNumber else { continue }
      guard let other = chosen[shard.number] else {
        chosen[shard.number] = record
        continue
      }
      let (isWhole, isOtherWhole) = (record.result.isWhole, other.result.isWhole)
      if isWhole, !isOtherWhole { chosen[shard.number] = record }
      if isWhole == isOtherWhole {
        rejected.append("\(record.path) was left out: \(shard.text) is also in \(other.path)")
      }
    }
    self = chosen.sorted { $0.key < $1.key }.map(\.value)
    return rejected
  }
}

extension MergeResult {
  /// - Parameters:
  ///   - records: The accepted ones, at most one of each shard.
  ///   - planned: Returns the number of the planned units of a shard; nil if it is not known.
  ///   - made: Returns the number of units that a result has.
  ///   - command: Returns the command that makes a shard, given the record of a failed one.
  public init<Result>(
    of records: [ShardRecord<Result>],
    shardCount: Int,
    program: String,
    rejected: [String],
    planned: (ShardNumber) -> Int?,
    made: (Result) -> Int,
    command: (ShardNumber, ShardRecord<Result>?) -> String
  ) {
    let parts = (1...shardCount).compactMap { number -> Part? in
      let shard = ShardNumber(number, of: shardCount)
      let planned = planned(shard)
      guard planned != 0 else { return nil }
      let record = records.first { $0.result.shardNumber == shard }
      let isComplete = record?.result.isWhole == true
      return Part(
        number: number,
        state: isComplete ? .complete : record == nil ? .missing : .failed,
        planned: planned,
        made: record.map { made($0.result) } ?? 0,
        command: isComplete ? nil : command(shard, record)
      )
    }
    self.init(shardCount: shardCount, program: program, parts: parts, rejected: rejected)
  }
}

/// The reasons why two shards of any command are not of the same one.
package enum ShardDifference {
  package static func ofCounts(_ count: Int, _ expected: Int) -> String? {
    count == expected ? nil : "it is one of \(count) shards; expected one of \(expected)"
  }

  package static func ofSeeds(_ seed: UInt64, _ expected: UInt64) -> String? {
    seed == expected ? nil : "it has the seed \(seed); expected \(expected)"
  }

  /// - Parameter program: The SHA-256 digest of a program.
  package static func ofPrograms(_ program: String, _ expected: String) -> String? {
    program == expected
      ? nil
      : "it was made by another build of the program (SHA-256 \(program.prefix(12)), expected \(expected.prefix(12)))"
  }

  package static func ofSQLite(_ version: String, _ expected: String) -> String? {
    version == expected ? nil : "it ran on SQLite \(version); expected \(expected)"
  }
}
