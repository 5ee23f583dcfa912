import Foundation
import TestSupport
import Testing

@testable import BenchResults
@testable import YapBenchCommand

/// `run --shard` and `merge`, with runs that are made up.
struct MergeCommandTests {
  private let folder: TemporaryFolder
  private let shards: String
  private let out: String
  private let scenario: String

  private static let text = """
    format: 1
    name: grid
    summary: Three variants, three times each.
    seed: 7
    engine: {driver: "null"}
    dataset: {rows: {rows: 10, value: {size: 64B}}}
    connections: {only: {}}
    actors: {loop: {connection: only, operations: {get: 1}, collection: rows, keys: uniform, load: closed}}
    phases: [{name: run, for: 1s, actors: [loop]}]
    matrix: {dataset.rows.rows: [10, 20, 30]}
    repeat: 3

    """

  init() throws {
    folder = try TemporaryFolder()
    (shards, out) = (folder.path + "/shards", folder.path + "/out")
    scenario = try folder.write(Self.text, to: "grid.yaml")
  }

  private func run(
    _ shard: String,
    _ arguments: String...,
    verdict: BenchResults.ExitStatus = .passed,
    to name: String? = nil
  ) -> (code: Int32, trial: Trial) {
    var trial = Trial()
    trial.runner = MadeUpRunner([verdict]).runner
    let target = "\(shards)/\(name ?? shard.replacing("/", with: "-of-"))"
    let files = arguments.contains { $0.hasSuffix(".yaml") } ? [] : [scenario]
    return (trial.run(["run", "--shard", shard, "--out", target] + arguments + files), trial)
  }

  private func merge(_ folders: String...) -> (code: Int32, trial: Trial) {
    let trial = Trial()
    return (trial.run(["merge", "--out", out] + (folders.isEmpty ? [shards] : folders)), trial)
  }

  /// The newest merged record.
  private func merged() throws -> ScenarioResult {
    let names = try folder.names(in: "out").filter { !$0.hasSuffix(".html") }
    let newest = try #require(names.max { ($0.count, $0) < ($1.count, $1) })
    return try RunRecord("\(out)/\(newest)").read()
  }

  private static func rows(_ result: ScenarioResult) -> [String] { result.runs.map { result.label(of: $0) } }

  @Test func `The merge of all shards has the rows of the run without shards`() throws {
    var trial = Trial()
    trial.runner = MadeUpRunner().runner
    let whole = folder.path + "/whole"
    #expect(trial.run("run", "--out", whole, scenario) == 0)
    let name = try #require(try folder.names(in: "whole").first { $0 != "index.html" })
    let expected = try RunRecord("\(whole)/\(name)").read()
    for number in 1...4 { #expect(run("\(number)/4").code == 0) }
    let (code, merging) = merge()
    #expect(code == 0)
    #expect(merging.output.text.contains("shards: 4 of 4 complete, 9 runs on 1 machine\n"))
    let result = try merged()
    #expect(Self.rows(result) == Self.rows(expected) && result.runs.count == 9)
    #expect(result.runs.map(\.runID) == expected.runs.map(\.runID))
    #expect(result.scenarioYAML == expected.scenarioYAML && result.variants == expected.variants)
    #expect(result.shard == nil && result.merge?.problems == [] && !result.isPartial)
    // A second merge overwrites nothing, and does not take the first one for a shard.
    let names = try folder.names(in: "out")
    #expect(merge(shards, out).code == 0)
    try #expect(Set(folder.names(in: "out")).isSuperset(of: names) && folder.names(in: "out").count == names.count + 1)
  }

  @Test func `A missing shard is named with the command that completes the set`() throws {
    for number in [1, 2, 4] { #expect(run("\(number)/4").code == 0) }
    let (code, merging) = merge()
    #expect(code == 3)
    let missing = "shard 3 of 4 is missing, with 2 planned runs"
    #expect(merging.output.lines.first == "INCOMPLETE: \(missing) (exit 3)")
    let line = try #require(merging.output.lines.first { $0.hasPrefix("repeat shard 3: ") })
    let result = try merged()
    #expect(result.runs.count == 7 && result.isPartial)
    let report = try String(contentsOfFile: "\(out)/20260203-040506-grid-nocommit/report.md", encoding: .utf8)
    #expect(report.contains(missing) && report.contains(line.dropFirst("repeat shard 3: ".count)))
    var trial = Trial()
    trial.runner = MadeUpRunner().runner
    let words = line.split(separator: " ").map(String.init)
    let start = try #require(words.firstIndex(of: "run"))
    #expect(trial.run(Array(words[start...])) == 0)
    #expect(merge().code == 0)
    try #expect(merged().runs.count == 9)
  }

  @Test func `A shard that is there twice is left out once, and reported`() throws {
    for number in 1...2 { #expect(run("\(number)/2").code == 0) }
    #expect(run("2/2", to: "again").code == 0)
    let (code, merging) = merge()
    #expect(code == 3)
    #expect(merging.output.text.contains("was left out: shard 2 of 2 is also in \(shards)/2-of-2/"))
    try #expect(merged().runs.count == 9)
    // The same folder may be named twice.
    let folders = ["\(shards)/1-of-2", "\(shards)/2-of-2", "\(shards)/1-of-2/../1-of-2"]
    #expect(Trial().run(["merge", "--out", out] + folders) == 0)
  }

  @Test func `An interrupted shard is named until its repetition replaces it`() throws {
    #expect(run("1/2").code == 0)
    #expect(run("2/2", verdict: .interrupted).code == 130)
    let (code, merging) = merge()
    #expect(code == 3)
    #expect(merging.output.text.contains("shard 2 of 2 failed: it made 0 of 5 planned runs"))
    #expect(merging.output.lines.contains { $0.hasPrefix("repeat shard 2: /") })
    #expect(run("2/2", to: "again").code == 0)
    #expect(merge().code == 0)
  }

  @Test func `Shards of another seed, text, number of shards or scenario are left out`() throws {
    for number in 1...2 { #expect(run("\(number)/3").code == 0) }
    #expect(run("3/3", "--seed", "8", to: "seed").code == 0)
    #expect(run("3/3", "--set", "phases.run.for=2s", to: "text").code == 0)
    #expect(run("1/2", to: "count").code == 0)
    #expect(run("1/3", "--only", "10", to: "variants").code == 0)
    let (code, merging) = merge()
    #expect(code == 3)
    for reason in [
      "/seed/20260203-040506-grid-nocommit was left out: another seed of grid: 8; expected 7",
      "was left out: another text of grid: ",
      "was left out: another number of shards: 2; expected 3",
      "was left out: another set of cases: grid (3); expected grid (9)",
      "shard 3 of 3 is missing",
    ] {
      #expect(merging.output.text.contains(reason), "\(reason)")
    }
    try #expect(merged().runs.count == 6)
  }

  @Test func `A shard of another build is left out`() throws {
    for number in 1...3 { #expect(run("\(number)/3").code == 0) }
    let path = "\(shards)/2-of-3/20260203-040506-grid-nocommit/run.json"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let changed = text.replacing(/"program":"[0-9a-f]{4}/, with: "\"program\":\"0000")
    try changed.write(toFile: path, atomically: true, encoding: .utf8)
    let (code, merging) = merge()
    #expect(code == 3)
    #expect(merging.output.text.contains("was left out: another build of the program: 0000"))
    #expect(merging.output.text.contains("shard 2 of 3 is missing"))
  }

  @Test func `Several scenarios are divided together, and an absent one is named`() throws {
    for number in 1...2 { #expect(run("\(number)/2", Project.null, Project.stalledReader).code == 0) }
    try #expect(folder.names(in: "shards/1-of-2").contains("20260203-040506-null-nocommit"))
    try #expect(folder.names(in: "shards/2-of-2").contains("20260203-040506-stalled-reader-nocommit"))
    let (code, merging) = merge()
    #expect(code == 0)
    #expect(merging.output.lines.filter { $0.hasPrefix("shards: 1 of 1 complete") }.count == 2)
    let (partial, partialMerge) = merge("\(shards)/1-of-2")
    #expect(partial == 3)
    #expect(partialMerge.output.text.contains("stalled-reader: all shards with runs of this scenario are missing"))
    let repetition = try #require(partialMerge.output.lines.first { $0.hasPrefix("repeat shard 2: ") })
    #expect(repetition.hasSuffix(" \(Project.stalledReader)") && repetition.contains("-null-nocommit/scenario.yaml "))
  }

  @Test func `A shard without runs does nothing, and is not missing`() throws {
    let (code, trial) = run("1/20")
    #expect(code == 0)
    #expect(trial.output.lines == ["shard 1 of 20 has nothing to do: there are only 9 planned runs"])
    #expect(!FileManager.default.fileExists(atPath: shards))
    for number in 2...20 { #expect(run("\(number)/20").code == 0) }
    #expect(merge().code == 0)
    try #expect(merged().runs.count == 9)
  }

  @Test func `All shards need the same seed, so it must be given`() throws {
    let text = try String(contentsOfFile: scenario, encoding: .utf8).replacing("seed: 7\n", with: "")
    let file = try folder.write(text, to: "unseeded/grid.yaml")
    let (code, trial) = run("1/2", file)
    #expect(code == 64)
    #expect(
      trial.errors.lines == [
        "error: \(file) has no seed, and each shard would draw another one; give the same --seed to all shards"
      ]
    )
    #expect(run("1/2", file, "--seed", "7").code == 0)
  }

  @Test func `The shard of a job's environment is made`() throws {
    var trial = Trial()
    trial.runner = MadeUpRunner().runner
    trial.environment = ["JOB_COMPLETION_INDEX": "1"]
    #expect(trial.run("run", "--shard", "auto/9", "--out", shards, scenario) == 0)
    #expect(trial.errors.lines.first?.hasSuffix(", seed 7, shard 2 of 9: 1 run") == true)
    trial.environment = [:]
    #expect(trial.run("run", "--shard", "auto", "--out", shards, scenario) == 64)
    #expect(trial.run("run", "--shard", "0/4", scenario) == 64)
    let expected = "expected I/N with I from 1 to N, auto, or auto/N, found \"0/4\""
    #expect(trial.errors.text.contains(expected))
  }

  @Test func `Folders without shards are rejected`() throws {
    #expect(merge(folder.path + "/nowhere").code == 66)
    let (code, trial) = merge(folder.path)
    #expect(code == 66)
    #expect(
      trial.errors.lines == [
        "error: \(folder.path): there is no report of a shard; expected folders that yapbench "
          + "run, stress or calibrate has written with --shard"
      ]
    )
    var whole = Trial()
    whole.runner = MadeUpRunner().runner
    #expect(whole.run("run", "--out", shards, Project.null) == 0)
    let single = "\(shards)/20260203-040506-null-nocommit"
    #expect(merge(single).code == 64)
    #expect(merge().code == 66)
    try Data("{".utf8).write(to: URL(fileURLWithPath: single + "/run.json"))
    #expect(run("1/1").code == 0)
    let (damaged, damagedMerge) = merge()
    #expect(damaged == 3)
    #expect(damagedMerge.errors.text.contains("\(single)/run.json: ") && damagedMerge.errors.text.contains("left out"))
  }
}
