import Foundation
import TestSupport
import Testing

@testable import BenchReports
@testable import BenchResults

@Suite("The report of a stress campaign") struct StressReportTests {
  private static func result(_ edit: (inout StressResult) -> Void = { _ in }) -> StressResult {
    var result = StressResult(
      kind: .crash,
      seed: 42,
      environment: StressEnvironment(
        commit: String(repeating: "a", count: 40),
        program: String(repeating: "1", count: 64),
        hasTestPoints: false,
        sqliteVersion: "3.40.1",
        sqliteSourceID: "2022-12-28 df5c253c0b3d",
        sqliteHasWALResetDefect: true,
        synchronous: "full",
        fileSystem: "tmpfs"
      ),
      command: "yapbench stress crash --seed 42 --kills 500",
      resumeCommand: "yapbench stress crash --seed 42 --kills 500 --resume folder",
      startedAt: "2026-01-31T02:00:00Z",
      durationSeconds: 75,
      cases: 20,
      plannedCases: 20,
      counts: [StressCount(name: "kills", value: 1_500), StressCount(name: "acknowledged commits", value: 31_000)],
      failures: [],
      shortcomings: [],
      untested: ["Power cuts: see `stress power-loss`."],
      isInterrupted: false
    )
    edit(&result)
    return result
  }

  @Test func `a clean campaign passes, and the report states counts, limits and the command`() {
    let report = StressReport(Self.result())
    #expect(report.headline == "PASSED: 20 cases, no failure")
    #expect(report.interruption == nil)
    #expect(!report.text.contains("--resume"))
    let parts = [
      "20 cases of 20 planned in", "1,500", "31,000", "42", "3.40.1", "has the WAL-reset defect", "tmpfs",
      "--kills 500", "Power cuts",
    ]
    for part in parts {
      #expect(report.text.contains(part), "\(part)")
      #expect(report.page.contains(part), "\(part)")
    }
  }

  @Test func `a failure outranks an interruption, which outranks a shortcoming`() {
    let failure = StressFailure(
      number: 7,
      text: "commit 12 was acknowledged, but the newest in the file is 11",
      folder: "failures/case-7",
      command: "yapbench stress crash --seed 42 --case 7"
    )
    let interrupted = Self.result {
      $0.isInterrupted = true
      $0.shortcomings = ["nothing was killed: 0 kills, expected at least 1"]
    }
    #expect(interrupted.status == .interrupted)
    #expect(StressReport(interrupted).headline == "INTERRUPTED: 20 cases before the interruption, no failure")
    let failed = Self.result {
      $0.isInterrupted = true
      $0.plannedCases = 5_000
      $0.failures = [failure, failure]
    }
    #expect(failed.status == .invariantViolated)
    let report = StressReport(failed)
    #expect(report.headline == "WRONG DATA: case 7: \(failure.text), and 1 more")
    #expect(report.text.components(separatedBy: "--case 7").count == 2, "one command for both failures of the case")
    #expect(report.text.contains("failures/case-7"))
    #expect(report.interruption == "interrupted after 20 of 5,000 cases")
    #expect(report.text.contains("Interrupted after 20 of 5,000 cases."))
    #expect(report.page.contains("Interrupted after 20 of 5,000 cases."))
    #expect(report.text.contains("--kills 500 --resume folder"))
    #expect(report.page.contains("--kills 500 --resume folder"))
    let empty = Self.result { $0.shortcomings = ["nothing was killed: 0 kills, expected at least 1"] }
    #expect(empty.status == .measurementInvalid)
    #expect(StressReport(empty).headline == "INVALID: nothing was killed: 0 kills, expected at least 1")
  }

  @Test func `the counts are open on the page, however many there are`() {
    let counts = (0..<60).map { StressCount(name: "count \($0)", value: $0) }
    let report = StressReport(Self.result { $0.counts = counts })
    #expect(report.page.contains("count 59"))
    #expect(!report.page.contains("60 rows"))
  }

  @Test func `text of a failure is escaped on the page`() throws {
    let hostile = StressReport(
      Self.result {
        $0.failures = [StressFailure(number: 0, text: "<script>\u{1b}[31m&", folder: nil, command: "a 'b' <c>")]
      }
    )
    #expect(!hostile.page.contains("<script>\u{1b}"))
    #expect(!hostile.page.contains("\u{1b}"))
    _ = try XMLPage(html: hostile.page)
  }

  @Test func `each campaign gets a folder of its own, and its reports replace earlier ones`() throws {
    let folder = try TemporaryFolder()
    let time = "2026-02-03T04:05:06Z"
    let first = try StressFolder.create(in: folder.path, kind: .crash, commit: "1a2b3c4d", at: time)
    let second = try StressFolder.create(in: folder.path, kind: .crash, commit: "1a2b3c4d", at: time)
    #expect(first == folder.path + "/20260203-040506-stress-crash-1a2b3c4")
    #expect(second == first + "-2")
    for _ in 0..<2 { try StressFolder.write(Self.result(), in: first) }
    #expect(
      try folder.names(in: "20260203-040506-stress-crash-1a2b3c4") == ["report.html", "report.md", "stress.json"]
    )
    let record = try Data(contentsOf: URL(fileURLWithPath: first + "/stress.json"))
    #expect(try JSONDecoder().decode(StressResult.self, from: record).counts == Self.result().counts)
  }
}
