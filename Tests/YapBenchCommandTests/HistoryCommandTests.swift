import BenchModel
import Foundation
import Testing

@testable import YapBenchCommand

@Suite("history") struct HistoryCommandTests {
  private let folder: TemporaryFolder
  private let trial = Trial()

  init() throws { folder = try TemporaryFolder() }

  private var history: String { folder.path + "/history.sqlite" }

  /// Writes the result of a comparison in which p50 has changed by `percent`.
  private func comparison(_ number: Int, _ percent: Double, exitCode: Int32 = 0) throws -> String {
    let figure = FigureResult(
      name: FigureName(workload: "commits/run/write", metric: "p50"),
      role: .primary,
      unit: .nanoseconds,
      better: .lower,
      base: 10_000,
      head: 10_000 * (1 + percent / 100),
      changePercent: percent,
      stage: 1,
      pairs: 20,
      marginPercent: 3,
      verdict: percent > 3 ? .regressed : .unchanged,
      values: []
    )
    let outcome = ComparisonOutcome.madeUp(
      [figure],
      base: "pinned",
      head: "c\(number)0000",
      lastRunAt: Date(timeIntervalSince1970: 1_767_225_600 + Double(number) * 86_400).formatted(.iso8601),
      exitCode: exitCode
    )
    let path = "\(folder.path)/night-\(number).json"
    try ComparisonDocument.encode(outcome).write(to: URL(fileURLWithPath: path))
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
    #expect(trial.output.lines.last == "this night is in the history already")
  }

  @Test func `an alarm is open until it is acknowledged`() throws {
    try addNights(24, changeAt: 12)
    #expect(trial.output.text.contains("new alarm:"))
    #expect(trial.run("history", "trend", "--file", history) == 2)
    #expect(trial.output.text.contains("1 OPEN ALARM: commits/run/write p50 +6"))
    #expect(trial.run("history", "acknowledge", "c120", "--note", "checks every row", "--file", history) == 0)
    #expect(trial.run("history", "trend", "--file", history) == 0)
    #expect(trial.output.lines.last == "NO OPEN ALARM in 24 nights")
    #expect(try folder.names().filter { $0.hasPrefix("trend") } == ["trend.html", "trend.md"])
    #expect(trial.run("history", "acknowledge", "c120", "--note", "again", "--file", history) == 66)
  }

  @Test func `the oldest nights are pruned`() throws {
    try addNights(5)
    #expect(trial.run("history", "prune", "--keep", "2", "--file", history) == 0)
    #expect(trial.output.lines.last == "removed 3 nights")
    #expect(trial.run("history", "prune", "--keep", "0", "--file", history) == 64)
  }

  @Test func `a failed comparison is no night, and a short name is none`() throws {
    #expect(try trial.run("history", "add", comparison(1, 0, exitCode: 111), "--file", history) == 3)
    try addNights(1)
    for name in ["", "c0"] {
      #expect(trial.run("history", "show", name, "--file", history) == 64)
      #expect(trial.run("history", "acknowledge", name, "--note", "x", "--file", history) == 64)
    }
  }

  @Test func `what is missing is named, and nothing is created`() throws {
    for step in [["list"], ["show", "abcd"], ["trend"], ["prune"], ["acknowledge", "abcd", "--note", "y"]] {
      #expect(Program.run(["history"] + step + ["--file", history], in: .captured(by: trial)) == 66)
    }
    #expect(trial.run("history", "add", folder.path, "--file", history) == 66)
    #expect(try folder.names() == [])
    let path = folder.path + "/notes.json"
    try "{}".write(toFile: path, atomically: true, encoding: .utf8)
    #expect(trial.run("history", "add", path, "--file", history) == 66)
    #expect(trial.errors.lines.last?.contains("notes.json: it is no result of a comparison") == true)
  }
}
