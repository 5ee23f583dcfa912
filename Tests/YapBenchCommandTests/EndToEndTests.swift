import BenchResults
import BenchScenario
import Foundation
import TestSupport
import Testing
import ThreadingPrimitives

@testable import YapBenchCommand

/// Complete runs from the command line to the report, with the real runner.
@Suite("The command, from its arguments to its report")
struct EndToEndTests {
  private let folder: TemporaryFolder
  private let out: String
  private var trial = Trial()

  init() throws {
    folder = try TemporaryFolder()
    out = folder.path + "/out"
    trial.build = Trial.debug
    trial.runner = CommandContext.process().runner
  }

  private static let reportFiles = [
    "checkpoints.csv", "latency.hlog", "pins.csv", "report.html", "report.md", "run.json", "scenario.yaml",
    "summary.csv", "timeseries.csv", "verdict.json",
  ]

  /// The names in `out`, without the index.
  private func runs() throws -> [String] { try folder.names(in: "out").filter { !$0.hasSuffix(".html") } }

  /// The only folder below `out`.
  private func run() throws -> String {
    let names = try runs()
    try #require(names.count == 1)
    return "out/" + names[0]
  }

  @Test func `A smoke run of the stalled reader writes a complete report and nothing else`() throws {
    #expect(trial.run("run", "--smoke", "--out", out, Project.stalledReader) == 0)
    let run = try run()
    let files = try folder.names(in: run)
    #expect(files == Self.reportFiles + ["wal-and-latency.svg"])
    #expect(trial.output.text.contains("\(folder.path)/\(run)/report.md"))
    #expect(trial.errors.text.contains("phase 3/3 drain: ended after"))
    let kept = try ScenarioLoader.load(path: "\(folder.path)/\(run)/scenario.yaml").scenario
    try #expect(kept == ScenarioLoader.load(path: Project.stalledReader).scenario)
  }

  @Test func `A smoke run of a matrix runs each variant once, and writes one report with all of them`() throws {
    #expect(trial.run("run", "--smoke", "--out", out, Project.policies) == 0)
    let run = try run()
    #expect(Set(try folder.names(in: run)).isSuperset(of: Self.reportFiles + ["runs", "variants.csv", "variants.svg"]))
    for ending in [".md", ".html", ".svg"] {
      #expect(try folder.names(in: run + "/runs").filter { $0.hasSuffix(ending) }.count == 3)
    }
    for number in 1...3 { #expect(trial.errors.lines.contains { $0.hasPrefix("  run \(number)/3: variant ") }) }
    #expect(trial.output.lines.first?.hasPrefix("PASSED: smoke run, every phase of 3 runs ran, no ") == true)
    let report = try String(contentsOfFile: "\(folder.path)/\(run)/report.md", encoding: .utf8)
    #expect(report.contains("## Variants side by side"))
    let series = try String(contentsOfFile: "\(folder.path)/\(run)/timeseries.csv", encoding: .utf8)
    #expect(series.contains(",ui,cache.object.decoded,"))
    #expect(series.contains(",defaultObjectPolicy=share,"))
  }

  @Test func `The report's command repeats the run`() throws {
    #expect(trial.run("run", "--smoke", "--out", out, "--set", "measure.every=20ms", Project.stalledReader) == 0)
    let first = try "\(folder.path)/\(run())"
    let report = try String(contentsOfFile: first + "/report.md", encoding: .utf8)
    let command = try #require(report.split(separator: "\n").first { $0.contains(" run --smoke ") })
    let arguments = command.split(separator: " ").dropFirst().map(String.init)
    #expect(Program.run(arguments, in: .captured(by: trial)) == 0)
    let names = try runs()
    #expect(names.count == 2)
    let scenarios = try names.map { name in
      try ScenarioLoader.load(path: "\(out)/\(name)/scenario.yaml")
    }
    #expect(scenarios.allSatisfy { $0 == scenarios[0] })
    #expect(scenarios[0].scenario.measure.everyNanoseconds == 20_000_000)
    #expect(trial.output.lines.filter { $0.hasPrefix("smoke run") }.count == 2)
  }

  @Test func `The database is kept with --keep-database`() throws {
    let data = folder.path + "/data"
    try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: false)
    #expect(
      trial.run("run", "--smoke", "--out", out, "--data-dir", data, "--keep-database", Project.stalledReader) == 0
    )
    let line = try #require(trial.output.lines.first { $0.hasPrefix("database: \(data)/yapbench-") })
    let kept = String(line.dropFirst("database: ".count))
    try #expect(!FileManager.default.contentsOfDirectory(atPath: kept).isEmpty)
  }

  @Test func `An interruption exits 130 and leaves a report that says it is partial`() throws {
    var trial = trial
    let interruption = trial.interruption
    trial.errors = CapturedOutput(when: "stall: begins") { interruption.raise() }
    #expect(trial.run("run", "--smoke", "--out", out, Project.stalledReader) == 130)
    let report = try String(contentsOfFile: "\(folder.path)/\(run())/report.md", encoding: .utf8)
    #expect(report.lowercased().contains("partial"))
    #expect(trial.output.text.contains("partial"))
    try #expect(folder.names(in: "out") == [String(run().dropFirst("out/".count)), "index.html", "words.html"])
  }

  @Test func `An interruption before the first phase leaves a report without a phase`() throws {
    var trial = trial
    let interruption = trial.interruption
    trial.errors = CapturedOutput(when: "stalled-reader: 3 phases") { interruption.raise() }
    #expect(trial.run("run", "--smoke", "--out", out, Project.stalledReader) == 130)
    let report = try String(contentsOfFile: "\(folder.path)/\(run())/report.md", encoding: .utf8)
    #expect(report.contains("and ended before its first phase."))
  }
}
