/// One of the shards of a command: the part of its numbered cases that one process makes.
public struct Shard: Sendable, Equatable {
  public static let mostShards = 1_000_000

  /// From 1.
  public var number: Int
  public var count: Int

  public init(_ number: Int, of count: Int) { (self.number, self.count) = (number, count) }

  public var isPossible: Bool { (1...Self.mostShards).contains(count) && (1...count).contains(number) }

  /// Such as `shard 2 of 4`.
  public var text: String { "shard \(number) of \(count)" }

  /// The value of `--shard`, such as `2/4`.
  public var argument: String { "\(number)/\(count)" }

  /// Returns the shard's contiguous part of the cases, so that neighbours stay together.
  /// - Parameter total: The number of cases, at most 10¹².
  public func block(of total: Int) -> Range<Int> { (number - 1) * total / count..<number * total / count }

  /// Returns every `count`-th case. A case keeps its shard if the number of cases is raised.
  /// - Parameter total: The number of cases; nil if there is always another one.
  public func turns(of total: Int?) -> StrideTo<Int> { stride(from: number - 1, to: total ?? .max, by: count) }

  /// Returns the number of cases that `turns` has.
  public func turnCount(of total: Int) -> Int { (total - number + count) / count }
}

/// A command whose numbered cases are divided into shards. All of its shards record the same value.
public struct ShardedCommand: Codable, Sendable, Hashable {
  /// The cases of a command: its planned runs, the scenarios of a calibration, or the cases of a campaign.
  public enum Unit: String, Codable, Sendable { case run, scenario, `case` }

  /// Cases that follow each other: the planned runs of a scenario, a scenario of a calibration, or a whole campaign.
  public struct Group: Codable, Sendable, Hashable {
    public var name: String
    @PortableInteger public var seed: UInt64
    /// The digest of the scenarios' texts; nil if no file determines the cases.
    public var digest: String?
    /// nil for a campaign that only a time ends.
    public var cases: Int?

    public init(name: String, seed: UInt64, digest: String?, cases: Int?) {
      (self.name, self.seed, self.digest, self.cases) = (name, seed, digest, cases)
    }
  }

  /// The words before the options, such as `stress crash`.
  public var name: String
  public var unit: Unit
  /// The number of shards.
  public var shards: Int
  /// The SHA-256 digest of the program.
  public var program: String
  /// The version of SQLite, with its source.
  public var sqlite: String
  /// The options that determine the cases, and are in no text of a scenario.
  public var options: [String]
  /// In the order of their cases.
  public var groups: [Group]

  public init(
    name: String,
    unit: Unit,
    shards: Int,
    program: String,
    sqlite: String,
    options: [String],
    groups: [Group]
  ) {
    (self.name, self.unit, self.shards, self.options, self.groups) = (name, unit, shards, options, groups)
    (self.program, self.sqlite) = (program, sqlite)
  }

  /// Returns the cases of a shard by their indices in one group. Not for campaigns, whose shards take turns.
  public func cases(of number: Int, inGroup group: Int) -> Range<Int> {
    let sizes = groups.map { $0.cases ?? 0 }
    let first = sizes[..<group].reduce(0, +)
    let own = Shard(number, of: shards).block(of: sizes.reduce(0, +)).clamped(to: first..<first + sizes[group])
    return own.lowerBound - first..<own.upperBound - first
  }

  /// Returns the number of a shard's cases; nil for a campaign that only a time ends.
  /// - Parameter group: The index of the group whose cases count; nil for all.
  public func caseCount(of number: Int, inGroup group: Int? = nil) -> Int? {
    if unit == .case { return groups[0].cases.map(Shard(number, of: shards).turnCount) }
    let counted = group.map { $0...$0 } ?? 0...groups.count - 1
    return counted.reduce(0) { $0 + cases(of: number, inGroup: $1).count }
  }

  /// Returns the first difference from another command, such as `another seed of grid: 8; expected 7`; nil if the
  /// commands are equal.
  public func difference(from other: ShardedCommand) -> String? {
    zip(facts, other.facts).first { $0 != $1 }.map { "another \($0.name): \($0.value); expected \($1.value)" }
  }

  /// The facts that all shards have in common, the most general first.
  private var facts: [(name: String, value: String)] {
    let cases = groups.map { group in group.name + (group.cases.map { " (\($0))" } ?? "") }
    return [
      ("command", name), ("number of shards", String(shards)), ("build of the program", String(program.prefix(12))),
      ("SQLite", sqlite), ("list of options", options.isEmpty ? "none" : options.joined(separator: " ")),
      ("set of cases", cases.joined(separator: ", ")),
    ]
      + groups.flatMap { group in
        [("seed of \(group.name)", String(group.seed)), ("text of \(group.name)", group.digest ?? "none")]
      }
  }
}

/// The description of a shard in its report and in its journal, for commands of all kinds.
public struct ShardRecord: Codable, Sendable, Equatable {
  /// From 1.
  public var number: Int
  public var command: ShardedCommand
  /// The index of the group that the report is about; nil if it is about all.
  public var group: Int?
  /// The machine's name, processor, number of cores and limits.
  public var machine: String
  /// The options that repeat the command, beside `--shard` and the folder of its report.
  public var options: [String]
  /// The absolute paths of the scenarios that follow the options, one for each group; empty if the options name them.
  public var files: [String]

  public init(
    number: Int,
    command: ShardedCommand,
    machine: String,
    options: [String],
    files: [String] = [],
    group: Int? = nil
  ) {
    (self.number, self.command, self.machine) = (number, command, machine)
    (self.options, self.files, self.group) = (options, files, group)
  }

  /// - Throws: `DecodingError`, also if the values contradict each other.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    number = try values.decode(Int.self, forKey: .number)
    command = try values.decode(ShardedCommand.self, forKey: .command)
    group = try values.decodeIfPresent(Int.self, forKey: .group)
    machine = try values.decode(String.self, forKey: .machine)
    options = try values.decode([String].self, forKey: .options)
    files = try values.decode([String].self, forKey: .files)
    let (sizes, groups) = (command.groups.map { $0.cases ?? 0 }, command.groups.indices)
    guard shard.isPossible, (1...1_000_000).contains(sizes.count), sizes.allSatisfy((0...Self.mostCases).contains),
      sizes.reduce(0, +) <= Self.mostCases, group.map({ groups.contains($0) && files.count == groups.count }) ?? true
    else {
      let problem =
        "expected a number up to that of the shards, which is at most \(Shard.mostShards), the index of a "
        + "group with a file, and at most \(Self.mostCases) cases"
      throw DecodingError.dataCorruptedError(forKey: .number, in: values, debugDescription: problem)
    }
  }

  /// With it, the arithmetic of shards does not overflow.
  private static let mostCases = 1_000_000_000_000

  public var shard: Shard { Shard(number, of: command.shards) }

  /// The cases of this shard by their indices in the group of the report.
  public var cases: Range<Int> { command.cases(of: number, inGroup: group ?? 0) }

  /// Returns the words of the command without `--shard`, and without the program.
  public var wholeCommand: [String] { command.name.split(separator: " ").map(String.init) + options }

  /// Returns the words of the command that makes a shard, without the program.
  /// - Parameters:
  ///   - number: The number of the shard, from 1.
  ///   - folder: The option with the folder of the report.
  public func command(of number: Int, folder: [String], files: [String]) -> [String] {
    wholeCommand + ["--shard", Shard(number, of: command.shards).argument] + folder + files
  }
}
