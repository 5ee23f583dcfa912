import Foundation
import Testing

@testable import BenchResults

@Suite("The shards of a command") struct ShardTests {
  private func command(_ cases: [Int?], of shards: Int, unit: ShardedCommand.Unit = .run) -> ShardedCommand {
    ShardedCommand(
      name: "run",
      unit: unit,
      shards: shards,
      program: "1f",
      sqlite: "3",
      options: [],
      groups: cases.enumerated().map { .init(name: "s\($0)", seed: 1, digest: "2e", cases: $1) }
    )
  }

  private func record(
    _ number: Int,
    of shards: Int,
    cases: [Int?] = [1],
    unit: ShardedCommand.Unit = .run
  ) -> ShardRecord {
    ShardRecord(number: number, command: command(cases, of: shards, unit: unit), machine: "node", options: [])
  }

  /// Numbers of shards around and far beyond the number of cases.
  private func counts(_ total: Int) -> [Int] { Array(1...(total + 3)) + [1_000] }

  @Test(arguments: [[1], [2], [24], [1, 1, 1], [5, 1, 40], [3, 100, 7, 1]])
  func `Every planned run is in exactly one shard, whatever the number of shards`(runs: [Int]) {
    let total = runs.reduce(0, +)
    for count in counts(total) {
      let command = command(runs, of: count)
      for group in runs.indices {
        let all = (1...count).flatMap { Array(command.cases(of: $0, inGroup: group)) }
        #expect(all == Array(0..<runs[group]), "\(count) of \(runs)")
      }
      let sizes = (1...count).compactMap { command.caseCount(of: $0, inGroup: nil) }
      #expect(sizes.count == count && sizes.reduce(0, +) == total)
      #expect((sizes.max() ?? 0) - (sizes.min() ?? 0) <= 1)
      #expect(sizes == (1...count).map { Shard($0, of: count).block(of: total).count })
    }
  }

  @Test(arguments: [0, 1, 2, 7, 24])
  func `Every case of a campaign is in exactly one shard, and keeps it if the campaign grows`(total: Int) {
    for count in counts(total) {
      let shards = (1...count).map { Shard($0, of: count) }
      #expect(shards.flatMap { Array($0.turns(of: total)) }.sorted() == Array(0..<total))
      for shard in shards {
        let cases = Array(shard.turns(of: total))
        #expect(shard.turnCount(of: total) == cases.count, "\(shard.text) of \(total)")
        #expect(command([total], of: count, unit: .case).caseCount(of: shard.number, inGroup: nil) == cases.count)
        #expect(Array(shard.turns(of: total + 5)).starts(with: cases))
        #expect(Array(shard.turns(of: nil).prefix(cases.count)) == cases)
      }
    }
    #expect(command([nil], of: 3, unit: .case).caseCount(of: 1, inGroup: nil) == nil)
  }

  @Test func `The largest plan does not overflow`() {
    let last = Shard(Shard.mostShards, of: Shard.mostShards)
    let command = command(Array(repeating: 1_000_000, count: 1_000), of: Shard.mostShards)
    #expect(command.cases(of: Shard.mostShards, inGroup: 999) == 999_000..<1_000_000)
    #expect(last.block(of: 1_000_000_000_000).upperBound == 1_000_000_000_000)
    #expect(last.turnCount(of: 1_000_000_000_000) == 1_000_000)
  }

  @Test func `The repetitions of a round stay together`() {
    // Three variants, four repetitions, two shards: two whole rounds each.
    #expect(record(1, of: 2, cases: [12]).cases == 0..<6)
    #expect(record(2, of: 2, cases: [12]).cases == 6..<12)
  }

  /// Whether the record can be read once it is written.
  private func isRead(_ record: ShardRecord) throws -> Bool {
    let data = try JSONEncoder().encode(record)
    do { return try JSONDecoder().decode(ShardRecord.self, from: data) == record } catch is DecodingError {
      return false
    }
  }

  @Test func `A record that contradicts itself is rejected`() throws {
    #expect(try isRead(record(1, of: 1)))
    for (number, count) in [(0, 2), (3, 2), (1, 0), (1, -1), (1, Shard.mostShards + 1), (.min, .max)] {
      #expect(try !isRead(record(number, of: count)))
    }
    let trillion = 1_000_000_000_000
    for cases in [[], [-1], [1, -1], [trillion + 1], [trillion, 1], [.max, .max], [.min]] as [[Int?]] {
      for unit in [.run, .case] as [ShardedCommand.Unit] {
        #expect(try !isRead(record(1, of: 2, cases: cases, unit: unit)))
      }
    }
    for cases in [0, nil, trillion] as [Int?] { #expect(try isRead(record(1, of: 2, cases: [cases], unit: .case))) }
    // The report of a group names the file of each group.
    var grouped = record(1, of: 2, cases: [1, 1])
    for (files, groups) in [([], []), (["a"], []), (["a", "b"], [0, 1])] as [([String], [Int])] {
      grouped.files = files
      for group in -1...2 {
        grouped.group = group
        #expect(try isRead(grouped) == groups.contains(group))
      }
    }
  }

  @Test func `Each difference between two commands is named`() {
    func difference(_ change: (inout ShardedCommand) -> Void) -> String? {
      var other = command([4, 2], of: 3)
      change(&other)
      return other.difference(from: command([4, 2], of: 3))
    }
    #expect(difference { _ in } == nil)
    #expect(difference { $0.name = "calibrate" } == "another command: calibrate; expected run")
    #expect(difference { $0.shards = 2 } == "another number of shards: 2; expected 3")
    #expect(
      difference { $0.program = "2e" }
        == "another build of the program: 2e; expected 1f"
    )
    #expect(difference { $0.sqlite = "4" } == "another SQLite: 4; expected 3")
    #expect(difference { $0.groups[1].seed = 2 } == "another seed of s1: 2; expected 1")
    #expect(difference { $0.options = ["--pairs", "6"] } == "another list of options: --pairs 6; expected none")
    #expect(difference { $0.groups[1].cases = 3 } == "another set of cases: s0 (4), s1 (3); expected s0 (4), s1 (2)")
    #expect(difference { $0.groups[1].name = "x" } == "another set of cases: s0 (4), x (2); expected s0 (4), s1 (2)")
    #expect(difference { $0.groups.removeLast() } == "another set of cases: s0 (4); expected s0 (4), s1 (2)")
    #expect(difference { $0.groups[1].digest = "3d" } == "another text of s1: 3d; expected 2e")
  }

  @Test func `Runs are on one machine only if its name and its hardware are equal`() {
    var run = RunResult()
    run.environment.machine = "node-1"
    run.environment.cpu = "EPYC"
    run.environment.coreCount = 2
    var other = run
    other.variant = "a=2"
    other.environment.machine = "node-2"
    var result = ScenarioResult(scenarioYAML: "", variants: [], repetitions: 1, runs: [run, other, run])
    result.variants = [nil, "a=2"].map { .init(name: $0, label: $0 ?? "", settings: []) }
    #expect(result.machines == ["node-1: EPYC, 2 cores", "node-2: EPYC, 2 cores"])
    #expect(result.byMachine.map(\.runs.count) == [2, 1])
    #expect(result.byMachine.map { $0.variants.map(\.name) } == [[nil], ["a=2"]])
    result.runs[1].environment.machine = "node-1"
    #expect(result.byMachine.map(\.runs.count) == [3])
    result.runs[1].environment.coreCount = 4
    #expect(result.machines.last == "node-1: EPYC, 4 cores")
  }
}
