import Foundation
import LatencyMetrics
import TestSupport
import Testing

@testable import BenchReports
@testable import BenchResults

struct EarlierRunsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A run on the day `day`, whose imports take `factor` times as long as usual.
  private func result(
    day: Int,
    factor: UInt64 = 1,
    _ change: (inout ScenarioResult) -> Void = { _ in }
  ) -> ScenarioResult {
    var run = StalledReaderRun.result
    run.startedAt = "2026-03-0\(day)T00:00:00Z"
    run.changeTimes(of: "import") { times in
      let usual = times
      times.reset()
      for (nanoseconds, count) in usual.recorded { times.record(nanoseconds * factor, count: count) }
    }
    var result = ScenarioResult(run)
    result.configuration = "0123456789abcdef"
    change(&result)
    return result
  }

  @discardableResult
  private func write(
    day: Int,
    factor: UInt64 = 1,
    baseline: BaselineFolder? = nil,
    _ change: (inout ScenarioResult) -> Void = { _ in }
  ) throws -> String {
    try RunDirectory.write(
      result(day: day, factor: factor, change),
      under: folder.path,
      repeatedBy: RepeatCommand(reportFolder: folder.path),
      baseline: baseline
    )
  }

  private func report(in run: String) throws -> String {
    try String(contentsOfFile: "\(run)/report.md", encoding: .utf8)
  }

  @Test func `A report states the difference of its figures to the last comparable run`() throws {
    let first = try report(in: write(day: 1))
    #expect(first.contains("No comparable run: ") && !first.contains("Against earlier runs"))
    let text = try report(in: write(day: 2, factor: 2))
    #expect(text.contains("Against earlier runs"))
    #expect(text.contains("+100 % against the last run"))
    #expect(try report(in: write(day: 3)).contains("-50.0 % against the last run"))
  }

  @Test func `Other settings, machines and libraries, smoke runs and older files are not compared`() throws {
    try write(day: 1) { $0.configuration = "another" }
    try write(day: 2) { $0.runs[0].environment.cpu = "another" }
    try write(day: 3) { $0.runs[0].engine.library = "another" }
    try write(day: 4) { $0.runs[0].isSmoke = true }
    try write(day: 5) { $0.configuration = nil }
    let last = try write(day: 6)
    #expect(try !report(in: last).contains("Against earlier runs"))
    let earlier = EarlierRuns(before: result(day: 6), at: last)
    #expect(earlier.comparable.isEmpty && earlier.previous?.hasPrefix("20260305") == true)
  }

  @Test func `The last nine values are stated, and the place of the newest among them`() throws {
    for day in 1...3 { try write(day: day, factor: UInt64(day)) }
    let within = try report(in: write(day: 4, factor: 2))
    #expect(within.contains(", within"))
    #expect(try report(in: write(day: 5, factor: 9)).contains(", above all"))
    let next = EarlierRuns(before: result(day: 6), at: folder.path + "/20260306-000000-stalled-reader-nocommit")
    #expect(next.comparable.count == 5)
  }

  @Test func `A partial run has no figures, and a disturbed one only what was not disturbed`() {
    let partial = result(day: 1) { $0.runs[0].isPartial = true }
    #expect(RunSummary(partial).figures == [])
    let disturbed = result(day: 1) { result in
      result.runs[0].phases[1].disturbance = .stop
      result.runs[0].verdict.exitCode = .measurementInvalid
    }
    let scopes = Set((RunSummary(disturbed).figures ?? []).compactMap { $0.name.split(separator: "/").first })
    #expect(RunSummary(result(day: 1)).figures?.contains { $0.name == "stall/import response.p99" } == true)
    #expect(!scopes.contains("stall"), "\(scopes)")
  }

  @Test func `A report without figures is compared with nothing`() throws {
    try write(day: 1)
    let partial = try report(in: write(day: 2) { $0.runs[0].isPartial = true })
    #expect(!partial.contains("Against earlier runs") && !partial.contains("No comparable run"))
  }

  @Test func `A report compares with a baseline, which keeps one run of each configuration`() throws {
    let baseline = BaselineFolder("before", in: folder.path)
    #expect(!baseline.exists && BaselineFolder.names(in: folder.path).isEmpty)
    try baseline.save(write(day: 1))
    try baseline.save(write(day: 2, factor: 4))
    #expect(BaselineFolder.names(in: folder.path) == ["before"])
    #expect(baseline.runs.map(\.startedAt) == ["2026-03-02T00:00:00Z"])
    let text = try report(in: write(day: 3, factor: 2, baseline: baseline))
    #expect(text.contains("-50.0 %") && text.contains("`before`"))
    let other = try report(in: write(day: 4, baseline: baseline) { $0.configuration = "another" })
    #expect(other.contains("The baseline `before` has no run of this scenario with these settings on such a machine."))
    try baseline.remove()
    #expect(!baseline.exists)
  }

  @Test func `A run without figures is no baseline`() throws {
    let smoke = try write(day: 1) { $0.runs[0].isSmoke = true }
    #expect(throws: ReportError.self) { try BaselineFolder("before", in: folder.path).save(smoke) }
    let older = try write(day: 2) { $0.configuration = nil }
    #expect(throws: ReportError.self) { try BaselineFolder("before", in: folder.path).save(older) }
    let noRun = ReportError(
      "\(folder.path)/verdict.json",
      "there is no such file",
      remedy: "Name the folder of a run."
    )
    #expect(throws: noRun) { try BaselineFolder("before", in: folder.path).save(folder.path) }
  }

  @Test(arguments: ["", ".", "..", "a/b", "-x y", String(repeating: "a", count: 65)])
  func `Names that are no names of folders are refused`(name: String) { #expect(!BaselineFolder.isName(name)) }
}
