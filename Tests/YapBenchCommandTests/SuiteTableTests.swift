import BenchResults
import TestSupport
import Testing
import ThreadingPrimitives

@testable import YapBenchCommand

/// The table that `run` prints after several scenarios.
struct SuiteTableTests {
  private let folder: TemporaryFolder
  private let out: String
  private var trial = Trial()

  init() throws {
    folder = try TemporaryFolder()
    out = folder.path + "/out"
  }

  private static let reports = ["null-nocommit", "stalled-reader-nocommit"].map { "20260203-040506-\($0)/report.md" }

  /// The lines of the table in the output of a run.
  private var table: [String] {
    Array(trial.output.lines.drop { !$0.hasPrefix("SCENARIO ") })
  }

  private func run(_ verdicts: BenchResults.ExitStatus..., columns: Int?, hasColor: Bool = false) -> Int32 {
    var trial = trial
    trial.runner = MadeUpRunner(verdicts).runner
    trial.outputTerminal = columns.map { columns in Terminal(hasColor: hasColor) { columns } }
    return trial.run("run", "--out", out, Project.null, Project.stalledReader)
  }

  @Test func `It is plain and complete if the output is not a terminal`() {
    #expect(run(.passed, .expectationFailed, columns: nil) == 99)
    #expect(
      table == [
        "SCENARIO        VERDICT  TIME  REASON   REPORT",
        "null            PASSED   0 s   made up  \(out)/\(Self.reports[0])",
        "stalled-reader  FAILED   0 s   made up  \(out)/\(Self.reports[1])",
        "all runs: \(out)/index.html",
      ]
    )
  }

  @Test func `A single scenario has no table`() {
    var trial = trial
    trial.runner = MadeUpRunner().runner
    #expect(trial.run("run", "--out", out, Project.null) == 0)
    #expect(table.isEmpty && !trial.output.lines.contains { $0.hasPrefix("all runs") })
  }

  @Test(arguments: [30, 50, 80, 120])
  func `On a narrow terminal, only the paths are wider than it, each on a line of its own`(columns: Int) {
    #expect(run(.passed, .passed, columns: columns) == 0)
    let lines = table.dropLast()
    #expect(lines.count == 5)
    #expect(lines.filter { !$0.hasSuffix("/report.md") }.allSatisfy { $0.count < columns })
    #expect(lines.filter { $0.hasPrefix("  \(out)/") }.count == 2)
  }

  @Test func `On a wide terminal the verdict has a colour, and each scenario has one line`() throws {
    #expect(run(.passed, .expectationFailed, columns: 300, hasColor: true) == 99)
    #expect(table.count == 4)
    #expect(table[1].contains("\u{1b}[32mPASSED \u{1b}[0m") && table[2].contains("\u{1b}[31mFAILED \u{1b}[0m"))
    #expect(table[1].hasSuffix(Self.reports[0]))
  }

  @Test func `A scenario that could not run, and one that was not run, have a row with the reason`() {
    #expect(trial.run("run", "--out", out, Project.null, Project.stalledReader) == 1)
    #expect(table[1] == "null            ERROR          nothing was to run here; leave it alone")
    #expect(table.count == 3)
    trial.output.clear()
    trial.interruption.raise()
    #expect(trial.run("run", "--out", out, Project.null, Project.stalledReader) == 130)
    #expect(table.dropFirst().allSatisfy { $0.contains("  INTERRUPTED        not run") })
  }
}
