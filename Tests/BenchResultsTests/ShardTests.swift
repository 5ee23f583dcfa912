import Testing

@testable import BenchResults

@Suite("The shards of a command") struct ShardTests {
  private func shard(_ number: Int, of count: Int, runs: [Int]) -> Shard {
    Shard(
      number: number,
      count: count,
      scenarios: runs.enumerated().map { .init(name: "s\($0)", file: "/s\($0).yaml", runs: $1) },
      scenario: 0,
      program: "1f",
      options: []
    )
  }

  @Test(arguments: [[1], [2], [24], [1, 1, 1], [5, 1, 40], [3, 100, 7, 1]])
  func `Every planned run is in exactly one shard, whatever the number of shards`(runs: [Int]) {
    let total = runs.reduce(0, +)
    for count in Array(1...(total + 3)) + [1_000] {
      let shards = (1...count).map { shard($0, of: count, runs: runs) }
      for index in runs.indices {
        #expect(shards.flatMap { Array($0.runs(ofScenario: index)) } == Array(0..<runs[index]), "\(count) of \(runs)")
      }
      let sizes = shards.map { shard in runs.indices.reduce(0) { $0 + shard.runs(ofScenario: $1).count } }
      #expect((sizes.max() ?? 0) - (sizes.min() ?? 0) <= 1)
    }
  }

  @Test(arguments: [0, 1, 2, 7, 24])
  func `Every case of a campaign is in exactly one shard`(total: Int) {
    for count in Array(1...(total + 3)) + [1_000] {
      let shards = (1...count).map { ShardNumber($0, of: count) }
      for shard in shards {
        let cases = stride(from: shard.number - 1, to: total, by: count)
        #expect(shard.cases(of: total) == Array(cases).count, "\(shard.text) of \(total)")
      }
      #expect(shards.reduce(0) { $0 + $1.cases(of: total) } == total)
    }
  }

  @Test func `The largest plan does not overflow`() {
    let runs = Array(repeating: 1_000_000, count: 1_000)
    let last = shard(ShardNumber.mostShards, of: ShardNumber.mostShards, runs: runs)
    #expect(last.runs(ofScenario: 999) == 999_000..<1_000_000)
    let number = ShardNumber(ShardNumber.mostShards, of: ShardNumber.mostShards)
    #expect(number.part(of: 1_000_000_000_000).upperBound == 1_000_000_000_000)
  }

  @Test func `The repetitions of a round stay together`() {
    // Three variants, four repetitions, two shards: two whole rounds each.
    #expect(shard(1, of: 2, runs: [12]).runs == 0..<6)
    #expect(shard(2, of: 2, runs: [12]).runs == 6..<12)
  }

  @Test func `A record whose shard contradicts itself is rejected`() {
    #expect(shard(1, of: 1, runs: [1]).problem == nil)
    #expect(shard(0, of: 2, runs: [1]).problem?.hasPrefix("it has the shard 0 of 2") == true)
    #expect(shard(3, of: 2, runs: [1]).problem?.hasPrefix("it has the shard 3 of 2") == true)
    #expect(shard(1, of: ShardNumber.mostShards + 1, runs: [1]).problem != nil)
    #expect(shard(1, of: 2, runs: [0]).problem?.hasPrefix("its shard has no scenario 0") == true)
    var other = shard(1, of: 2, runs: [1])
    other.scenario = 1
    #expect(other.problem?.hasPrefix("its shard has no scenario 1") == true)
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
