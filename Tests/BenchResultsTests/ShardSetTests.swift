import Testing

@testable import BenchResults

/// The choice of the reports of one command, for results of any kind.
struct ShardSetTests {
  private struct Result: ShardResult, Equatable {
    var shard: ShardRecord?
    var isWhole = true
    var casesMade = 2
  }

  private static func report(
    _ number: Int,
    of shards: Int = 4,
    seed: UInt64 = 1,
    group: Int? = nil,
    isWhole: Bool = true,
    at path: String? = nil
  ) throws -> ShardReport<Result> {
    let command = ShardedCommand(
      name: "run",
      unit: .run,
      shards: shards,
      program: "1f",
      sqlite: "3",
      options: [],
      groups: [.init(name: "a", seed: seed, digest: nil, cases: 5), .init(name: "b", seed: 1, digest: nil, cases: 3)]
    )
    var record = ShardRecord(number: number, command: command, machine: "node", options: [])
    record.group = group
    let result = Result(shard: record, isWhole: isWhole)
    return try #require(ShardReport(path: path ?? "shard-\(number)", result: result))
  }

  private static func merge(_ set: ShardSet<Result>, group: Int? = nil) -> MergeResult {
    set.merge(ofGroup: group) { "repeat \($0)" + ($1 == nil ? "" : " again") }
  }

  @Test func `Each missing, failed, doubled and foreign shard is named`() throws {
    let found = [
      try Self.report(1), try Self.report(3, isWhole: false), try Self.report(1, at: "x"), try Self.report(2, seed: 9),
    ]
    let merge = Self.merge(try #require(ShardSet(found)))
    #expect(
      merge.problems == [
        "shard 2 of 4 is missing, with 2 planned runs", "shard 3 of 4 failed: it made 2 of 2 planned runs",
        "shard 4 of 4 is missing, with 2 planned runs",
        "shard-2 was left out: another seed of a: 9; expected 1", "x was left out: shard 1 of 4 is also in shard-1",
      ]
    )
    #expect(merge.parts.map(\.command) == [nil, "repeat 2", "repeat 3 again", "repeat 4"] && !merge.isComplete)
    #expect(ShardSet<Result>([]) == nil)
    #expect(ShardReport(path: "whole", result: Result(shard: nil)) == nil)
  }

  @Test func `The order in which reports are found is irrelevant`() throws {
    // Two commands with as many reports each, and shards that are there twice, whole and failed.
    let found = [
      try Self.report(1), try Self.report(2, isWhole: false), try Self.report(2, at: "b"),
      try Self.report(3, isWhole: false, at: "c"), try Self.report(3, isWhole: false, at: "d"),
      try Self.report(1, of: 3, at: "e"), try Self.report(1, of: 3, at: "f"), try Self.report(2, of: 3, at: "g"),
      try Self.report(2, of: 3, at: "h"), try Self.report(3, of: 3, at: "i"),
    ]
    let expected = try #require(ShardSet(found))
    // The command of the first path counts: that of "b".
    #expect(expected.reports.map(\.path) == ["shard-1", "b", "c"])
    for kept in 0..<4 {
      let some = Array(found[kept...].prefix(6))
      let expected = try #require(ShardSet(some))
      for order in Self.permutations(of: some) {
        let set = try #require(ShardSet(order))
        #expect(set.reports.map(\.path) == expected.reports.map(\.path))
        #expect(Self.merge(set) == Self.merge(expected))
      }
    }
  }

  private static func permutations<Element>(of elements: [Element]) -> [[Element]] {
    guard let first = elements.first else { return [[]] }
    return permutations(of: Array(elements.dropFirst())).flatMap { rest in
      (0...rest.count).map { Array(rest[..<$0]) + [first] + Array(rest[$0...]) }
    }
  }

  @Test func `A whole shard replaces the failed ones that it repeats`() throws {
    let found = [
      try Self.report(1, of: 1, isWhole: false, at: "a"), try Self.report(1, of: 1, at: "b"),
      try Self.report(1, of: 1, isWhole: false, at: "c"),
    ]
    let set = try #require(ShardSet(found))
    #expect(set.reports.map(\.path) == ["b"] && Self.merge(set).problems == [])
  }

  @Test func `The groups of a command are merged one by one`() throws {
    // Shard 3 of 4 has runs of both groups.
    let found = [
      try Self.report(1, group: 0), try Self.report(2, group: 0), try Self.report(3, group: 0, at: "3a"),
      try Self.report(3, group: 1, at: "3b"), try Self.report(4, group: 1), try Self.report(4, group: 1, at: "x"),
    ]
    var set = try #require(ShardSet(found))
    #expect(Self.merge(set, group: 0).problems == [])
    #expect(Self.merge(set, group: 0).parts.map(\.planned) == [2, 2, 1])
    #expect(Self.merge(set, group: 1).parts.map(\.number) == [3, 4])
    #expect(Self.merge(set, group: 1).problems == ["x was left out: shard 4 of 4 is also in shard-4"])
    set = try #require(ShardSet(found) { ["3b", "shard-4"].contains($0.path) ? "its runs are wrong" : nil })
    // A report that contradicts its record does not displace its repetition.
    #expect(set.reports.map(\.path) == ["shard-1", "shard-2", "3a", "x"])
    #expect(
      Self.merge(set, group: 1).problems == [
        "shard 3 of 4 is missing, with 1 planned run", "3b was left out: its runs are wrong",
        "shard-4 was left out: its runs are wrong",
      ]
    )
    #expect(Self.merge(set, group: 0).problems == [])
    // A report of another command is named with each group.
    set = try #require(ShardSet(found + [try Self.report(1, of: 5, group: 1, at: "z")]))
    for group in 0...1 {
      #expect(Self.merge(set, group: group).problems.last == "z was left out: another number of shards: 5; expected 4")
    }
  }
}
