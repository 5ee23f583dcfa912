import BenchComparison
import BenchReports
import BenchResults
import BenchScenario
import ComparisonFixtures
import Foundation
import HarnessPrimitives
import TestSupport
import Testing
import ThreadingPrimitives

@testable import YapBenchCommand

/// The parts of a night, and its errors. Scripts/check-nightly runs complete nights.
@Suite("nightly") struct NightlyCommandTests {
  private let folder: TemporaryFolder
  private let trial = Trial()

  init() throws { folder = try TemporaryFolder() }

  private func nightly(_ options: String...) -> (code: Int32, text: String) {
    let code = Program.run(["nightly", "--folder", folder.path + "/nights"] + options, in: .captured(by: trial))
    return (code, trial.errors.lines.last ?? "")
  }

  @Test func `options are checked before anything runs`() throws {
    #expect(nightly("--budget", "soon").text.contains("--budget: expected a duration"))
    #expect(nightly("--repin", "--pinned", "v1").code == 64)
    #expect(nightly("--keep", "0").text.contains("--keep is 0; expected 1 or more"))
    #expect(nightly("--suite", "/none.yaml").code == 66)
    #expect(nightly("--scenario", "/none.yaml").code == 66)
    #expect(try folder.names(in: "").isEmpty || folder.names(in: "nights").allSatisfy { $0 != "builds" })
  }

  @Test func `scenarios of the suite need different names`() throws {
    let text = try String(contentsOfFile: ProjectScenarios.folder("compare") + "/cached-read.yaml", encoding: .utf8)
    let files = try ["a", "b"].map { try folder.write(text, to: "\($0)/cached-read.yaml") }
    let (code, error) = nightly("--suite", files[0], files[1])
    #expect(code == 64 && error.contains("have one name, \"cached-read\""))
  }

  @Test func `a step that was killed and has no time left makes the night incomplete`() throws {
    var summary = NightSummary(startedAt: "", budgetSeconds: 100, sha256: "", commit: nil)
    var killed = NightSummary.Step(part: .pinned, scenario: "", arguments: ["compare"])
    killed.seconds = 99
    summary.steps = [killed]
    let night = try runningNight(summary)
    try night.run(.pinned) { [] }
    try night.run(.last) { [] }
    #expect(night.summary.steps.map(\.exitCode) == [.incomparable, nil])
    #expect(night.summary.steps[0].headline == "the budget was used up before it ended")
    #expect(night.summary.steps[1].headline == "the budget was used up")
  }

  @Test func `a night in which nothing ran is incomplete`() {
    var summary = NightSummary(startedAt: "", budgetSeconds: 1, sha256: "", commit: nil)
    summary.isComplete = true
    #expect(summary.exitCode == .incomparable)
    summary.steps = [NightSummary.Step(part: .suite, scenario: "a", skippedBecause: "not enough time was left")]
    #expect(summary.exitCode == .incomparable)
    var step = NightSummary.Step(part: .suite, scenario: "b", arguments: ["run"])
    step.exitCode = .passed
    summary.steps.append(step)
    #expect(summary.exitCode == .passed)
    step.exitCode = .expectationFailed
    step.scenario = "c"
    summary.steps.append(step)
    #expect(summary.exitCode == .expectationFailed)
  }

  @Test func `a night before its end is interrupted, unless a step has failed`() {
    var summary = NightSummary(startedAt: "", budgetSeconds: 1, sha256: "", commit: nil)
    #expect(summary.exitCode == .interrupted)
    var step = NightSummary.Step(part: .suite, scenario: "a", arguments: ["run"])
    summary.steps = [step]
    #expect(summary.exitCode == .interrupted)
    step.exitCode = .passed
    summary.steps = [step]
    #expect(summary.exitCode == .interrupted)
    step.exitCode = .expectationFailed
    summary.steps = [step]
    #expect(summary.exitCode == .expectationFailed)
  }

  @Test func `a killed night has a summary that names its step`() throws {
    let night = try runningNight()
    let summary = night.folder.path + "/summary.md"
    try night.run(.suite, "a") { ["-c", "echo PASSED"] }
    try night.run(.last) { ["-c", "head -n 1 \"$0\"", summary] }
    let line = try #require(night.summary.steps.last?.headline)
    #expect(line == "# UNFINISHED: 1 scenario passed, 0 figures compared; running against the last night")
    #expect(try String(contentsOfFile: summary, encoding: .utf8).hasPrefix("# UNFINISHED: 1 scenario passed"))
    let report = try night.complete()
    #expect(report.headline == "NOTHING COMPARED: 1 scenario passed, 0 figures compared")
    #expect(try String(contentsOfFile: summary, encoding: .utf8).hasPrefix("# NOTHING COMPARED"))
  }

  @Test func `a budget without a verdict is refused with the least one`() throws {
    let text = try String(contentsOfFile: Project.null, encoding: .utf8)
    let long = try folder.write(text.replacing(/for: [0-9a-z]+/, with: "for: 20s"), to: "long/null.yaml")
    let (code, error) = nightly("--budget", "12m", "--suite", Project.null, "--scenario", long, "--no-instructions")
    #expect(code == 64 && error.contains("--budget is 12m; expected 29m or more"), "\(error)")
    #expect(error.contains("the comparison of 1 scenario with the pinned build needs 13 min 40 s"), "\(error)")
    #expect(NightClock.leastBudgetSeconds(pinned: 300, suite: 10_000) == 1_000)
    #expect(NightClock.leastBudgetSeconds(pinned: 300, suite: 20) == 640)
  }

  @Test func `each part can use the time until its share of the budget ends`() {
    var summary = NightSummary(startedAt: "", budgetSeconds: 1_000, sha256: "", commit: nil)
    var done = NightSummary.Step(part: .suite, scenario: "a", arguments: ["run"])
    done.seconds = 300
    summary.steps = [done]
    let clock = NightClock(summary)
    #expect(clock.secondsLeft(for: .suite) == 0)
    #expect((199...200).contains(clock.secondsLeft(for: .pinned)))
    #expect((449...450).contains(clock.secondsLeft(for: .last)))
    let ends = NightSummary.Part.allCases.map(NightClock.endShare)
    #expect(ends == ends.sorted() && ends.allSatisfy { $0 < 1 })
  }

  @Test(arguments: ["", ".", "..", "a/b", "/tmp", "a/"])
  func `a name that is no name of a folder is refused`(name: String) {
    let (code, error) = nightly("--name", name)
    #expect(code == 64 && error.contains("expected the name of a folder"), "\(error)")
  }

  @Test func `a calibration file that cannot be written is found before the suite`() throws {
    let (code, error) = nightly("--suite", Project.null, "--scenario", Project.null, "--calibration", "/proc/none/c")
    #expect(code == 73 && error.contains("/proc/none/c: the calibration could not be written"), "\(error)")
  }

  // MARK: Steps

  private func nightFolder(_ name: String) -> NightFolder { NightFolder(home: folder.path, name: name) }

  /// A night whose steps are shell scripts.
  private func runningNight(
    _ summary: NightSummary? = nil,
    budget: Double = 60,
    recordSeconds: Double = 60,
    in context: CommandContext? = nil
  ) throws -> RunningNight {
    let summary = summary ?? NightSummary(startedAt: "", budgetSeconds: budget, sha256: "", commit: nil)
    _ = try nightFolder("night").lock()
    return try RunningNight(
      summary,
      folder: nightFolder("night"),
      process: StepProcess("/bin/sh"),
      context: context ?? .captured(by: trial),
      recordSeconds: recordSeconds
    )
  }

  @Test func `a crash ends its step, and the night continues`() throws {
    let night = try runningNight()
    try night.run(.suite, "a") { ["-c", "echo begun; kill -ILL $$"] }
    try night.run(.suite, "b") { ["-c", "echo UNCHANGED; echo more; echo note >&2"] }
    try night.run(.suite, "c") { ["-c", "echo 'error: no folder' >&2; exit 73"] }
    #expect(night.summary.steps.map(\.exitCode) == [.internalError, .passed, .cannotCreateOutput])
    let headlines = night.summary.steps.map(\.headline)
    #expect(headlines == ["the program crashed with signal 4", "UNCHANGED", "no folder"])
    #expect(trial.errors.lines.contains("note") && !trial.output.lines.contains("more"))
    #expect(try nightFolder("night").summary() == night.summary)
  }

  @Test func `wrong data stay the verdict of a step whose figures cannot be kept`() throws {
    let night = try runningNight()
    let report = night.folder.suite + "/20260101-000000-a/report.md"
    let code = BenchResults.ExitStatus.invariantViolated
    try night.run(.suite, "a") { ["-c", "echo VIOLATED; echo report: \(report); exit \(code.rawValue)"] }
    try night.run(.suite, "b") { ["-c", "echo PASSED; echo report: \(report)"] }
    #expect(night.summary.steps.map(\.exitCode) == [.invariantViolated, .internalError])
    #expect(night.summary.steps.allSatisfy { $0.page == "../suite/20260101-000000-a/report" })
    #expect(night.summary.steps[0].headline.hasPrefix("VIOLATED; its figures were not added to the history: "))
  }

  @Test func `damaged acknowledgements are found before the suite`() throws {
    let file = try folder.write("<<<<<<< HEAD", to: "acknowledged.json")
    let options = ["--suite", Project.null, "--scenario", Project.null, "--calibration", folder.path + "/c"]
    let code = Program.run(
      ["nightly", "--folder", folder.path + "/nights", "--acknowledgements", file] + options,
      in: .captured(by: trial)
    )
    #expect(code == 66 && trial.errors.lines.last?.contains("expected acknowledgements") == true)
  }

  /// A program that SIGINT ends. The parent process of these tests may ignore SIGINT, so `env` restores its default.
  private let waiting = ["-c", "exec env --default-signal=INT sh -c 'echo begun >&2; exec sleep 20'"]

  @Test func `the end of the budget ends the step that runs`() throws {
    let night = try runningNight(budget: 0.5)
    try night.run(.last) { waiting }
    #expect(night.summary.steps.map(\.exitCode) == [.incomparable])
    #expect(night.summary.steps[0].headline == "the budget was used up before it ended")
    #expect(night.summary.steps[0].seconds < 10)
  }

  @Test func `an interrupted step stays unfinished, and counts its time`() throws {
    let interruption = trial.interruption
    var context = CommandContext.captured(by: trial)
    context.errors = CapturedOutput(when: "begun\n") { interruption.raise() }
    let night = try runningNight(in: context)
    try night.run(.last) { waiting }
    try night.run(.calibration) { waiting }
    #expect(night.summary.steps.count == 1 && !night.summary.steps[0].isOver)
    #expect(night.summary.steps[0].seconds > 0)
  }

  @Test func `a step's time is written while it runs, so it counts if the night is killed`() throws {
    let night = try runningNight(recordSeconds: 0.1)
    let file = nightFolder("night").path + "/night.json"
    try night.run(.last) { ["-c", "sleep 1; grep '\"seconds\"' \"$0\"", file] }
    let text = try #require(night.summary.steps[0].headline.split(separator: " ").last)
    let number = String(text.filter { $0 != "," })
    #expect((Double(number) ?? 0) > 0)
  }

  // MARK: The search for a commit

  private func write(_ outcome: ComparisonOutcome, of part: NightSummary.Part) throws {
    let data = try StableJSON.document(outcome)
    _ = try folder.write(String(decoding: data, as: UTF8.self), to: "night/\(part.rawValue)/compare.json")
  }

  @Test func `a regression since the pinned build is searched for if that is the last night's`() throws {
    let night = nightFolder("night")
    #expect(NightRegression(of: night, pinnedIsKept: true) == nil)
    try write(.madeUp([.madeUp(changedBy: 7)], base: "given", head: "new"), of: .pinned)
    _ = try folder.write("kept", to: "builds/pinned/commit")
    let kept = try #require(NightRegression(of: night, pinnedIsKept: true))
    #expect(kept.figure.metric == "p50")
    #expect(kept.commits?.good == "kept" && kept.commits?.bad == "new")
    #expect(NightRegression(of: night, pinnedIsKept: false)?.commits?.good == "given")
    _ = try folder.write("last", to: "builds/last/commit")
    try write(.madeUp([.madeUp(changedBy: 7)], head: "last"), of: .last)
    let known = try #require(NightRegression(of: night, pinnedIsKept: true))
    #expect(known.commits == nil)
    try write(.madeUp([.madeUp(changedBy: 7)], head: "new"), of: .last)
    #expect(NightRegression(of: night, pinnedIsKept: true)?.commits?.good == "last")
    try write(.madeUp([.madeUp(changedBy: 0)], head: "new"), of: .last)
    #expect(NightRegression(of: night, pinnedIsKept: true) == nil)
  }
}
