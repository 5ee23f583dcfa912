import BenchReports
import BenchResults
import Foundation
import TestSupport
import Testing
import ThreadingPrimitives

@testable import YapBenchCommand

/// `stress --shard` and `merge`, with small campaigns that are run.
struct StressMergeTests {
  private let folder: TemporaryFolder
  private let shards: String
  private let out: String

  init() throws {
    folder = try TemporaryFolder(prefersMemory: true)
    (shards, out) = (folder.path + "/shards", folder.path + "/out")
  }

  private static let damage = ["damage", "--cases", "7", "--seed", "3"]

  private func stress(
    _ arguments: [String] = damage,
    _ shard: String? = nil,
    to name: String,
    trial: Trial = Trial()
  ) -> (code: Int32, trial: Trial) {
    let options = (shard.map { ["--shard", $0] } ?? []) + ["--out", "\(shards)/\(name)"]
    return (trial.run(["stress"] + arguments + options), trial)
  }

  /// Runs all shards of the campaign but the excluded ones.
  private func makeShards(of count: Int, except excluded: Set<Int> = []) {
    for number in 1...count where !excluded.contains(number) {
      #expect(stress(Self.damage, "\(number)/\(count)", to: "\(number)").code == 0)
    }
  }

  private func merge(_ folders: String...) -> (code: Int32, trial: Trial) {
    let trial = Trial()
    return (trial.run(["merge", "--out", out] + (folders.isEmpty ? [shards] : folders)), trial)
  }

  private func result(in parent: String) throws -> StressResult {
    let newest = try #require(try folder.names(in: parent).max { ($0.count, $0) < ($1.count, $1) })
    return try StressFolder.read("\(folder.path)/\(parent)/\(newest)")
  }

  private func merged() throws -> StressResult { try result(in: "out") }

  /// Changes a record of a shard.
  private func edit(_ name: String, _ change: (inout StressResult) -> Void) throws {
    let campaign = try #require(try folder.names(in: "shards/\(name)").first)
    var found = try result(in: "shards/\(name)")
    change(&found)
    try StressFolder.write(found, in: "\(shards)/\(name)/\(campaign)")
  }

  /// Runs a command that a merge has printed.
  private func perform(_ line: String?, of number: Int) throws -> Int32 {
    let words = try #require(line).dropFirst("repeat shard \(number): ".count).split(separator: " ").map(String.init)
    return Trial().run(Array(words[try #require(words.firstIndex(of: "stress"))...]))
  }

  @Test func `the merge has the counts and the verdict of the campaign without shards`() throws {
    let whole = stress(to: "../whole")
    makeShards(of: 3)
    let (code, merging) = merge()
    #expect(code == whole.code && code == 113)
    let (expected, found) = (try result(in: "whole"), try merged())
    #expect(found.counts == expected.counts && found.shortcomings == expected.shortcomings)
    #expect(found.cases == 7 && found.plannedCases == 7 && found.untested == expected.untested)
    #expect(found.shard == nil && found.merge?.problems == [] && found.command == expected.command)
    #expect(found.machines?.map(\.cases) == [7] && found.machines?.first?.seconds.count == 3)
    let total = "shards: 3 of 3 complete, 7 cases on 1 machine"
    #expect(merging.output.lines.contains(total) && merging.output.text.contains("not enough was tested: "))
    // A second merge overwrites nothing, and does not take the first one for a shard.
    #expect(merge(shards, out).code == 113)
    #expect(try folder.names(in: "out").count == 2)
  }

  @Test func `a missing shard is named with the command that completes the campaign`() throws {
    makeShards(of: 3, except: [2])
    let (code, merging) = merge()
    #expect(code == 3)
    let missing = "shard 2 of 3 is missing, with 2 planned cases"
    #expect(merging.output.lines.first == "INCOMPLETE: \(missing)" && !merging.output.text.contains("not enough"))
    try #expect(merged().cases == 5)
    try #expect(perform(merging.output.lines.first { $0.hasPrefix("repeat shard 2: ") }, of: 2) == 0)
    #expect(merge().code == 113)
    try #expect(merged().cases == 7 && merged().mergeProblems == [])
  }

  @Test func `an interrupted or killed shard is continued by the command that the merge prints`() throws {
    makeShards(of: 2, except: [2])
    let trial = Trial()
    trial.interruption.raise()
    #expect(stress(Self.damage, "2/2", to: "2", trial: trial).code == 130)
    let (code, merging) = merge()
    #expect(code == 3 && merging.output.text.contains("shard 2 of 2 failed: it made 0 of 3 planned cases"))
    let campaign = "\(shards)/2/" + (try #require(try folder.names(in: "shards/2").first))
    let line = try #require(merging.output.lines.first { $0.hasPrefix("repeat shard 2: ") })
    #expect(line.hasSuffix(" --shard 2/2 --resume \(campaign)"))
    // A killed campaign has a journal, and no report.
    try FileManager.default.removeItem(atPath: campaign + "/stress.json")
    let (_, second) = merge()
    #expect(second.output.text.contains("shard 2 of 2 is missing, with 3 planned cases"))
    #expect(second.output.lines.contains(line))
    try #expect(perform(line, of: 2) == 0)
    #expect(merge().code == 113)
    try #expect(merged().cases == 7 && folder.names(in: "shards/2").count == 1)
  }

  @Test func `shards of another seed, campaign, number, build or SQLite, and repeated ones, are left out`() throws {
    makeShards(of: 3, except: [2])
    _ = stress(["damage", "--cases", "7", "--seed", "4"], "2/3", to: "seed")
    _ = stress(["damage", "--cases", "8", "--seed", "3"], "2/3", to: "cases")
    _ = stress(["faults", "--cases", "2", "--seed", "3"], "1/3", to: "kind")
    _ = stress(Self.damage, "2/4", to: "count")
    for name in ["build", "sqlite"] { _ = stress(Self.damage, "2/3", to: name) }
    try edit("build") { $0.shard?.command.program = "0000" }
    try edit("sqlite") { $0.shard?.command.sqlite = "another" }
    _ = stress(Self.damage, "1/3", to: "again")
    let (code, merging) = merge()
    #expect(code == 3)
    for reason in [
      "was left out: another seed of stress damage: 4; expected 3",
      "was left out: another list of options: --cases 8; expected --cases 7",
      "was left out: another command: stress faults; expected stress damage",
      "was left out: another number of shards: 4; expected 3",
      "was left out: another build of the program: 0000; expected ",
      "was left out: another SQLite: another; expected 3.",
      "was left out: shard 1 of 3 is also in ", "shard 2 of 3 is missing, with 2 planned cases",
    ] {
      #expect(merging.output.text.contains(reason), "\(reason)")
    }
    try #expect(merged().cases == 5)
  }

  @Test func `a shard of another text of the scenario is left out`() throws {
    func text(_ rows: Int) -> String {
      """
      {format: 1, name: small, summary: Small., engine: {driver: yap}, connections: {one: {}},
       dataset: {a: {rows: \(rows), value: {size: 64B}}},
       actors: {writer: {connection: one, operations: {set: 1}, collection: a, load: closed}},
       phases: [{name: run, operations: 50, actors: [writer]}]}
      """
    }
    let file = try folder.write(text(50), to: "small.yaml")
    let arguments = ["load", "--repetitions", "4", "--seed", "3", file]
    #expect(stress(arguments, "1/4", to: "1").code == 0)
    #expect(stress(arguments, "2/4", to: "2").code == 0)
    try folder.write(text(51), to: "small.yaml")
    #expect(stress(arguments, "3/4", to: "3").code == 0)
    let (code, merging) = merge()
    #expect(code == 3 && merging.output.text.contains(" was left out: another text of stress load: "))
    try #expect(merged().cases == 2)
  }

  @Test func `failures of any shard fail the campaign, and machines are side by side`() throws {
    makeShards(of: 2)
    try edit("1") { $0.shard?.machine = "node-1" }
    try edit("2") {
      $0.shard?.machine = "node-2"
      $0.failures = [StressFailure(number: 5, text: "a row is wrong", folder: "failures/case-5", command: "repeat it")]
    }
    let (code, merging) = merge()
    #expect(code == 111 && merging.output.lines.first == "WRONG DATA: case 5: a row is wrong")
    let found = try merged()
    #expect(found.machines?.map(\.name) == ["node-1", "node-2"] && found.machines?.map(\.cases) == [4, 3])
    #expect(found.failures.first?.folder?.hasPrefix("\(shards)/2/") == true)
    let name = try #require(try folder.names(in: "out").first)
    let report = try String(contentsOfFile: "\(out)/\(name)/report.md", encoding: .utf8)
    #expect(report.contains("| node-1 ") && report.contains("| node-2 "))
  }

  @Test func `a shard of a time needs a seed, and one without cases does nothing`() throws {
    let (code, trial) = stress(["damage", "--for", "1h"], "1/2", to: "1")
    #expect(code == 64)
    #expect(
      trial.errors.lines == [
        "error: the campaign has no seed, and each shard would draw another one; give the same --seed to all shards"
      ]
    )
    let (empty, emptyTrial) = stress(Self.damage, "8/8", to: "8")
    #expect(empty == 0)
    #expect(emptyTrial.output.lines == ["shard 8 of 8 has nothing to do: there are only 7 planned cases"])
    #expect(!FileManager.default.fileExists(atPath: shards))
    #expect(stress(Self.damage + ["--case", "1"], "1/2", to: "1").code == 64)
    var job = Trial()
    job.environment = ["JOB_COMPLETION_INDEX": "6"]
    #expect(stress(Self.damage, "auto/7", to: "7", trial: job).code == 0)
    try #expect(result(in: "shards/7").shard?.shard == Shard(7, of: 7))
  }

  @Test func `shards of a campaign and of a run are not merged`() throws {
    makeShards(of: 1)
    var trial = Trial()
    trial.runner = MadeUpRunner().runner
    #expect(trial.run("run", "--shard", "1/1", "--seed", "7", "--out", "\(shards)/run", Project.null) == 0)
    let (code, merging) = merge()
    #expect(code == 64 && merging.errors.text.contains("shards of one command are expected, found "))
    #expect(stress(to: "whole").code == 113)
    let whole = "\(shards)/whole/" + (try #require(try folder.names(in: "shards/whole").first))
    #expect(merge(whole).code == 64)
  }
}
