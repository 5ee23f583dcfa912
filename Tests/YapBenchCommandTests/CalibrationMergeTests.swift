import BenchReports
import ComparisonFixtures
import Foundation
import HarnessPrimitives
import TestSupport
import Testing

@testable import BenchResults
@testable import YapBenchCommand

/// `merge` of the shards of a calibration, which are made up.
struct CalibrationMergeTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Writes the report of a shard, which has one of two scenarios.
  private func write(
    _ number: Int,
    machine: String,
    to name: String? = nil,
    _ change: (inout ComparisonOutcome) -> Void = { _ in }
  ) throws {
    let names = ["commits", "reads"]
    var figure = FigureResult.madeUp(changedBy: Double(number))
    figure.name = FigureName(workload: "\(names[number - 1])/run/a", metric: "p50")
    var outcome = ComparisonOutcome.madeUp([figure])
    outcome.design.scenarios = [names[number - 1]]
    let command = ShardedCommand(
      name: "calibrate",
      unit: .scenario,
      shards: 2,
      program: "ab",
      sqlite: "3.50.4",
      options: ["--pairs", "20"],
      groups: names.map { .init(name: $0, seed: 1, digest: "1f", cases: 1) }
    )
    let options = ["--pairs", "20", "--seed", "1"]
    outcome.shard = ShardRecord(number: number, command: command, machine: machine, options: options)
    change(&outcome)
    let text = String(decoding: try StableJSON.document(outcome), as: UTF8.self)
    try folder.write(text, to: "shards/\(name ?? "shard-\(number)")/compare.json")
  }

  private func merge() -> (code: Int32, output: CapturedOutput) {
    let trial = Trial()
    return (trial.run("merge", folder.path + "/shards"), trial.output)
  }

  @Test func `the noise of each machine is shown, and none is pooled`() throws {
    try write(1, machine: "node-1: EPYC, 2 cores")
    try write(2, machine: "node-2: EPYC, 2 cores")
    let (code, output) = merge()
    #expect(code == 0)
    let lines = output.lines
    #expect(lines.first == "shards: 2 of 2 complete, 2 scenarios on 2 machines")
    let second = try #require(lines.firstIndex { $0.hasPrefix("node-2: EPYC, 2 cores, ") })
    #expect(lines[1].hasPrefix("node-1: EPYC, 2 cores, "))
    #expect(lines[..<second].contains { $0.contains("commits/run/a p50  1.00 %") })
    #expect(!lines[..<second].contains { $0.contains("reads/run/a") })
    #expect(lines[second...].contains { $0.contains("reads/run/a p50  2.00 %") })
    #expect(lines[second...].contains("  noise in 1 comparison of equal builds on this machine:"))
  }

  @Test func `a missing shard is named with its command`() throws {
    try write(1, machine: "node-1")
    let (code, output) = merge()
    #expect(code == 3)
    #expect(output.lines.contains("  - shard 2 of 2 is missing, with 1 planned scenario"))
    let command = try #require(output.lines.first { $0.hasPrefix("repeat shard 2: ") })
    let out = "\(folder.path)/shards/shard-2"
    #expect(command.hasSuffix(" calibrate --pairs 20 --seed 1 --shard 2/2 --out \(out)"))
  }

  @Test func `shards of another seed, build, text or number of pairs, and repeated ones, are left out`() throws {
    try write(1, machine: "node-1")
    try write(1, machine: "node-2", to: "again")
    try write(2, machine: "node-2", to: "seed") { $0.shard?.command.groups[1].seed = 2 }
    try write(2, machine: "node-2", to: "build") { $0.shard?.command.program = "cd" }
    try write(2, machine: "node-2", to: "text") { $0.shard?.command.groups[1].digest = "20" }
    try write(2, machine: "node-2", to: "pairs") { $0.shard?.command.options = ["--pairs", "30"] }
    let (code, output) = merge()
    #expect(code == 3)
    for reason in [
      "was left out: another seed of reads: 2; expected 1",
      "was left out: another build of the program: cd; expected ab",
      "was left out: another text of reads: 20; expected 1f",
      "was left out: another list of options: --pairs 30; expected --pairs 20",
      "was left out: shard 1 of 2 is also in ",
      "shard 2 of 2 is missing",
    ] {
      #expect(output.text.contains(reason), "\(reason)")
    }
  }

  @Test func `a record that contradicts itself is left out`() throws {
    try write(1, machine: "node-1")
    try write(2, machine: "node-1") { $0.shard?.number = 3 }
    let (code, output) = merge()
    #expect(code == 3 && output.text.contains("shard 2 of 2 is missing"))
  }

  @Test func `a shard whose runs failed is failed, and a false alarm is not`() throws {
    try write(1, machine: "node-1") { $0.exitCode = .regressed }
    try write(2, machine: "node-1") { $0.exitCode = .incomparable }
    let (code, output) = merge()
    #expect(code == 3 && output.text.contains("shards: 1 of 2 complete"))
    #expect(output.text.contains("shard 2 of 2 failed: it made 0 of 1 planned scenario"))
  }

  @Test func `a shard needs a seed, and one without scenarios does nothing`() {
    let scenario = Project.path + "/Scenarios/compare/cached-read.yaml"
    let trial = Trial()
    #expect(trial.run("calibrate", "--shard", "1/2", "--scenario", scenario) == 64)
    #expect(trial.errors.text.contains("give the same --seed to all shards"))
    #expect(trial.run("calibrate", "--shard", "1/2", "--seed", "1", "--scenario", scenario) == 0)
    #expect(trial.output.lines == ["shard 1 of 2 has nothing to do: there is only 1 planned scenario"])
  }
}
