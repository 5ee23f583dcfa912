import BenchResults
import BenchScenario
import ComparisonFixtures
import Foundation
import HarnessPrimitives
import TestSupport
import Testing

@testable import YapBenchCommand

@Suite("history") struct HistoryCommandTests {
  private let folder: TemporaryFolder
  private let trial = Trial()

  init() throws { folder = try TemporaryFolder() }

  private var history: String { folder.path + "/history.sqlite" }
  private var acknowledgements: String { folder.path + "/acknowledged.json" }

  private func acknowledge(_ commit: String, _ note: String) -> Int32 {
    let files = ["--file", history, "--acknowledgements", acknowledgements]
    return trial.run(["history", "acknowledge", commit, "--note", note] + files)
  }

  private func trend() -> Int32 {
    trial.run("history", "trend", "--file", history, "--acknowledgements", acknowledgements)
  }

  /// Writes the result of a comparison in which p50 has changed by `percent`.
  private func comparison(
    _ number: Int,
    _ percent: Double,
    exitCode: BenchResults.ExitStatus = .passed
  ) throws -> String {
    let outcome = ComparisonOutcome.madeUp(
      [.madeUp(changedBy: percent)],
      base: "pinned",
      head: "c\(number)0000",
      lastRunAt: Date(timeIntervalSince1970: 1_767_225_600 + Double(number) * 86_400).formatted(.iso8601),
      exitCode: exitCode
    )
    let path = "\(folder.path)/night-\(number).json"
    try StableJSON.document(outcome).write(to: URL(fileURLWithPath: path))
    return path
  }

  private func addNights(_ count: Int, changeAt step: Int = .max) throws {
    for number in 0..<count {
      let percent = (number < step ? 0 : 6) + 0.1 * Double(number % 5)
      #expect(try trial.run("history", "add", comparison(number, percent), "--file", history) == 0)
    }
  }

  @Test func `nights are added, listed and shown`() throws {
    try addNights(3)
    #expect(trial.output.lines.last == "added c20000: 3 nights")
    #expect(trial.run("history", "list", "--file", history) == 0)
    let times = trial.output.lines.suffix(3).map { $0.prefix(20) }
    #expect(times == ["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z", "2026-01-03T00:00:00Z"])
    #expect(trial.run("history", "show", "c1000", "--file", history) == 0)
    #expect(trial.output.lines.last?.hasPrefix("commits/run/write p50") == true)
    #expect(try folder.names().contains("history.csv"))
  }

  @Test func `a night that was added before is not added again`() throws {
    let path = try comparison(1, 0)
    for _ in 1...2 { #expect(trial.run("history", "add", path, "--file", history) == 0) }
    #expect(trial.output.lines.last == "this night is already in the history")
  }

  @Test func `an alarm is open until it is acknowledged`() throws {
    try addNights(24, changeAt: 12)
    #expect(trial.output.text.contains("new alarm:"))
    #expect(trend() == 2)
    #expect(trial.output.text.contains("1 OPEN ALARM in 24 nights: commits/run/write p50 +6"))
    #expect(acknowledge("c120", "checks every row") == 0)
    #expect(trend() == 0)
    #expect(trial.output.lines.last == "NO OPEN ALARM in 24 nights")
    #expect(try folder.names().filter { $0.hasPrefix("trend") } == ["trend.html", "trend.md"])
    #expect(acknowledge("c120", "again") == 66)
  }

  @Test func `acknowledgements are by default in the working folder, where they can be committed`() {
    for command in [["history", "trend"], ["history", "acknowledge"], ["nightly"]] {
      #expect(trial.run(command + ["--help"]) == 0)
      let help = trial.output.text.split { $0.isWhitespace }.joined(separator: " ")
      #expect(help.contains("a file for the repository. (default: acknowledged.json)"))
      trial.output.clear()
    }
  }

  @Test func `the oldest nights are pruned`() throws {
    try addNights(5)
    #expect(trial.run("history", "prune", "--keep", "2", "--file", history) == 0)
    #expect(trial.output.lines.last == "removed 3 compared nights and 0 suites")
    #expect(trial.run("history", "prune", "--keep", "0", "--file", history) == 64)
  }

  @Test func `a failed comparison and a short name are refused`() throws {
    #expect(try trial.run("history", "add", comparison(1, 0, exitCode: .invariantViolated), "--file", history) == 3)
    try addNights(1)
    for name in ["", "c0"] {
      #expect(trial.run("history", "show", name, "--file", history) == 64)
      #expect(acknowledge(name, "x") == 64)
    }
  }

  @Test func `missing input is named, and nothing is created`() throws {
    for step in [["list"], ["show", "abcd"], ["trend"], ["prune"], ["acknowledge", "abcd", "--note", "y"]] {
      #expect(Program.run(["history"] + step + ["--file", history], in: .captured(by: trial)) == 66)
    }
    #expect(trial.run("history", "add", folder.path, "--file", history) == 66)
    #expect(try folder.names() == [])
    let path = folder.path + "/notes.json"
    try "{}".write(toFile: path, atomically: true, encoding: .utf8)
    #expect(trial.run("history", "add", path, "--file", history) == 66)
    #expect(trial.errors.lines.last?.contains("notes.json: it is not the result of a comparison") == true)
  }
}
