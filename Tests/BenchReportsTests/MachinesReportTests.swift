import Testing

@testable import BenchReports
@testable import BenchResults

/// Figures of different machines are side by side, and never pooled.
struct MachinesReportTests {
  /// The first repetitions are from one machine, the second ones from another.
  private static let result: ScenarioResult = {
    var result = PolicyRuns.result
    for index in result.runs.indices {
      result.runs[index].environment.machine = "node-\(result.runs[index].repetition)"
    }
    result.merge = MergeResult(
      shardCount: 3,
      unit: .run,
      program: "1f",
      parts: [
        .init(number: 1, state: .complete, planned: 2, made: 2, command: nil),
        .init(number: 3, state: .missing, planned: 2, made: 0, command: "yapbench run --shard 3/3"),
      ],
      rejected: ["a was left out: it has the seed 8; expected 7"]
    )
    return result
  }()

  private let names = Self.result.machines

  @Test func `Each machine has its own tables of variants and its environment`() throws {
    #expect(names.count == 2)
    let text = ScenarioReport(result: Self.result, command: "").text
    for name in names {
      #expect(text.contains("## Variants side by side on \(name)\n"))
      #expect(text.contains("## Environment of \(name)\n"))
    }
    let pooled = ScenarioReport(result: PolicyRuns.result, command: "").text
    #expect(pooled.contains("## Variants side by side\n") && pooled.contains("…"))
    // Each machine has one repetition, so there is no range of repetitions.
    let own = try #require(text.split(separator: "## Variants side by side on ").dropFirst().first)
    #expect(!own.split(separator: "\n## ")[0].contains("…"))
    let page = try XMLPage(html: ScenarioReport(result: Self.result, command: "").page)
    #expect(page.texts(of: "h2").filter { $0.hasPrefix("Variants side by side on") }.count == 2)
  }

  @Test func `The shards are listed, with the command that repeats a missing one`() {
    let text = ScenarioReport(result: Self.result, command: "").text
    #expect(text.contains("The command has 3 shards, and these runs are from 2 machines; figures of different "))
    #expect(text.contains("|     3 | missing  |            2 |    0 |"))
    #expect(text.contains("yapbench run --shard 3/3\n") && text.contains("it has the seed 8; expected 7"))
    #expect(!ScenarioReport(result: PolicyRuns.result, command: "").text.contains("## Shards"))
  }

  @Test func `Tables and exports name the machine`() throws {
    let rows = CSVReader.rows(VariantsTable.table(of: Self.result).contents).dropFirst()
    let pooled = CSVReader.rows(VariantsTable.table(of: PolicyRuns.result).contents).dropFirst()
    #expect(rows.count == 2 * pooled.count)
    #expect(rows.allSatisfy { $0[8] == "1" } && pooled.allSatisfy { $0[8] == "2" })
    #expect(Set(rows.map { $0[10] }) == ["node-1", "node-2"] && pooled.allSatisfy { $0[10] == "" })
    let series = try LatencySeries.all(of: Self.result)
    #expect(Set(series.map { $0.path[1].name }) == Set(names) && series.allSatisfy { $0.parts.count == 1 })
    try #expect(LatencySeries.all(of: PolicyRuns.result).allSatisfy { $0.parts.count == 2 && $0.machine == nil })
    #expect(Set(WALPeak.all(of: Self.result).map(\.name)).count == 2 * WALPeak.all(of: PolicyRuns.result).count)
    let lines = ConsoleSummary.lines(Self.result)
    #expect(lines.filter { $0.hasPrefix("on node-") } == names.map { "on \($0):" })
  }

  @Test func `A report of several machines, or of a shard, is not compared with another run`() {
    let obstacles = StoredRunsReport.obstacles(Self.result, PolicyRuns.result)
    #expect(obstacles == ["the base was measured on 2 machines"])
    var shard = PolicyRuns.result
    shard.shard = .madeUp(1, of: 2)
    #expect(StoredRunsReport.obstacles(PolicyRuns.result, shard) == ["the head is only shard 1 of 2"])
  }
}

extension ShardRecord {
  /// A shard of two scenarios, whose report is about the second one.
  static func madeUp(_ number: Int, of shards: Int) -> ShardRecord {
    let command = ShardedCommand(
      name: "run",
      unit: .run,
      shards: shards,
      program: "1f",
      sqlite: "3.50.4 (2025)",
      options: ["--smoke"],
      groups: [
        .init(name: "null", seed: 1, digest: "2e", cases: 3),
        .init(name: "stalled-reader", seed: 1, digest: "3d", cases: 4),
      ]
    )
    let options = ["--strict", "--data-dir", "/ssd"]
    let files = ["/a/null.yaml", "/b.yaml"]
    return ShardRecord(number: number, command: command, machine: "node-1", options: options, files: files, group: 1)
  }
}
