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
    #expect(nightly("--suite", "/none.yaml").code == 66)
    #expect(nightly("--scenario", "/none.yaml").code == 66)
    #expect(try folder.names(in: "").isEmpty || folder.names(in: "nights").allSatisfy { $0 != "builds" })
  }

  @Test func `scenarios of the suite need different names`() throws {
    let text = try String(contentsOfFile: ProjectScenarios.folder("compare") + "/cached-read.yaml", encoding: .utf8)
    let files = try ["a", "b"].map { try folder.write(text, to: "\($0)/cached-read.yaml") }
    let (code, error) = nightly("--suite", files[0], files[1])
    #expect(code == 64 && error.contains("two of the files have a scenario \"cached-read\""))
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

  @Test func `the oldest nights and their reports are removed`() throws {
    for number in 1...4 {
      let name = "night \(number)"
      let night = nightFolder(name)
      _ = try night.lock()
      try night.write(
        NightSummary(startedAt: "2026-01-0\(number)T00:00:00Z", budgetSeconds: 1, sha256: "", commit: nil)
      )
      _ = try folder.write("", to: "suite/2026010\(number)-000100-a/report.md")
    }
    _ = try folder.write("", to: "builds/pinned/yapbench")
    _ = try folder.write("", to: "suite/a folder of the user/report.md")
    // The night itself stays with its reports, whatever its age.
    #expect(try nightFolder("night 1").prune(keep: 2) == ["night 2"])
    #expect(try folder.names(in: "").filter { $0.hasPrefix("night") } == ["night 1", "night 3", "night 4"])
    #expect(try folder.names(in: "suite").count == 5)
    #expect(try nightFolder("night 4").prune(keep: 2) == ["night 1"])
    let reports = try folder.names(in: "suite").filter { !$0.hasPrefix("index") }
    #expect(reports == ["20260103-000100-a", "20260104-000100-a", "a folder of the user"])
    #expect(try nightFolder("night 4").prune(keep: 2).isEmpty)
    #expect(try folder.names(in: "builds") == ["pinned"])
    #expect(nightly("--keep", "0").text.contains("--keep is 0; expected 1 or more"))
  }

  /// The night's history with runs of the suite.
  private func remember(_ runs: (night: String, scenario: String)...) throws {
    for run in runs {
      var result = RunResult()
      (result.scenario, result.startedAt) = (run.scenario, run.night)
      let whole = ScenarioResult(scenarioYAML: "", variants: [], repetitions: 1, runs: [result])
      try HistoryFile(at: folder.path + "/history.sqlite").add(SuiteRun(whole, night: run.night, figures: []))
    }
  }

  @Test func `the suite begins with the scenarios that have not run for the longest time`() throws {
    let night = NightFolder(home: folder.path, name: "now")
    #expect(try night.lastRuns(before: "2026-02-01T02:00:00Z").isEmpty)
    let (one, two, now) = ("2026-01-30T02:00:00Z", "2026-01-31T02:00:00Z", "2026-02-01T02:00:00Z")
    try remember((one, "a"), (one, "b"), (two, "a"), (now, "c"))
    #expect(try night.lastRuns(before: now) == ["a": two, "b": one])
  }

  @Test func `a report of the suite is named relative to the night`() {
    let night = NightFolder(home: "/n", name: "one")
    #expect(night.page(ofReport: "/n/suite/20260131-a/report.md") == "../suite/20260131-a/report")
    #expect(night.page(ofReport: "/other/report.md") == nil)
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

  // MARK: Steps

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

  @Test func `the page of all nights links to the pages that exist`() throws {
    let night = nightFolder("night")
    try night.writeIndex(acknowledgements: [])
    #expect(try folder.names(in: "").isEmpty)
    _ = try night.lock()
    try night.write(NightSummary(startedAt: "2026-01-01T00:00:00Z", budgetSeconds: 1, sha256: "", commit: nil))
    try night.writeIndex(acknowledgements: [])
    func page() throws -> String { try String(contentsOfFile: folder.path + "/index.html", encoding: .utf8) }
    #expect(try page().contains("Last night: UNFINISHED") && !page().contains("trend.html"))
    try remember(("2026-01-01T00:00:00Z", "a"))
    _ = try folder.write("", to: "trend.html")
    try night.writeIndex(acknowledgements: [])
    #expect(try page().contains("href=\"trend.html\"") && !page().contains("suite/index.html"))
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

  // MARK: Files

  private static let noon = Date(timeIntervalSince1970: 1_769_860_800)

  private func nightFolder(_ name: String? = nil, at time: Date = noon, sha256: String = "") -> NightFolder {
    name.map { NightFolder(home: folder.path, name: $0) } ?? NightFolder(home: folder.path, at: time, sha256: sha256)
  }

  @Test func `a day gets a folder of its own, and further ones when its night is complete`() throws {
    let day = LocalDay(of: Self.noon).text
    #expect(day.hasPrefix("2026-01-3") || day == "2026-02-01")
    #expect(nightFolder().path.hasSuffix("/" + day))
    var summary = NightSummary(startedAt: "", budgetSeconds: 1, sha256: "", commit: nil)
    for (index, name) in [day, day + "-2"].enumerated() {
      #expect(nightFolder().path.hasSuffix("/" + name))
      _ = try nightFolder().lock()
      try nightFolder().write(summary)
      // An unfinished night is resumed.
      #expect(nightFolder().path.hasSuffix("/" + name))
      summary.isComplete = true
      try nightFolder(name).write(summary)
      summary.isComplete = false
      #expect(nightFolder().path.hasSuffix("-\(index + 2)"))
    }
  }

  /// A night that began at a time before `noon`, in a folder of that day.
  private func begin(_ hoursBefore: Double, sha256: String = "", isComplete: Bool = false) throws -> String {
    let start = Self.noon - hoursBefore * 3_600
    var summary = NightSummary(startedAt: start.formatted(.iso8601), budgetSeconds: 1, sha256: sha256, commit: nil)
    summary.isComplete = isComplete
    let name = LocalDay(of: start).text + "-2"
    let night = nightFolder(name)
    _ = try night.lock()
    try night.write(summary)
    return night.path
  }

  @Test(
    arguments: [
      // The hours since the start of an unfinished night, and whether it is continued.
      (0.1, true), (11.9, true), (12.1, false), (23.9, false), (24, false), (24 * 7, false),
      // The clock was set back.
      (-1, true), (-11.9, true), (-12.1, false),
    ] as [(Double, Bool)]
  )
  func `an unfinished night continues within twelve hours, also after midnight`(hours: Double, continues: Bool) throws {
    let begun = try begin(hours)
    #expect((nightFolder().path == begun) == continues)
    // A later night of another build leaves it as it is.
    #expect(nightFolder(sha256: "other").path.hasSuffix("/" + LocalDay(of: Self.noon).text))
  }

  @Test func `a complete night and one with a name are not continued`() throws {
    _ = try begin(3, isComplete: true)
    let summary = NightSummary(startedAt: Self.noon.formatted(.iso8601), budgetSeconds: 1, sha256: "", commit: nil)
    _ = try nightFolder("mine").lock()
    try nightFolder("mine").write(summary)
    #expect(nightFolder().path.hasSuffix("/" + LocalDay(of: Self.noon).text))
    // The unfinished night of the day itself comes first, whatever its age.
    _ = try nightFolder().lock()
    try nightFolder().write(NightSummary(startedAt: "", budgetSeconds: 1, sha256: "", commit: nil))
    _ = try begin(2)
    #expect(nightFolder().path.hasSuffix("/" + LocalDay(of: Self.noon).text))
  }

  /// Names of time zones in all forms of `TZ`. The two extreme ones never have the same day.
  @Test(arguments: ["UTC", "Asia/Tokyo", "JST-9", "<+14>-14", "<-12>12", "America/Los_Angeles", ":Europe/Berlin"])
  func `a night has the name of the local day`(zone: String) throws {
    let out = folder.path + "/" + String(zone.utf8.reduce(0) { $0 + Int($1) })
    let end = try RunningProgram().run(
      """
      before=$(date +%F)
      "$program" nightly --folder "$out" --suite "$scenario" --scenario "$scenario" \
        --calibration "$out/c.jsonl" --acknowledgements "$out/a.json" >&2 &
      until ls "$out"/*/night.json >/dev/null 2>&1 || ! kill -0 $!; do sleep 0.1; done
      kill -INT $!; wait $!
      test -e "$out/$before/night.json" || test -e "$out/$(date +%F)/night.json"
      """,
      ["out": out, "scenario": Project.null, "TZ": zone]
    )
    #expect(end.code == 0, "\(end.errors)")
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

  @Test func `two nights at once are refused`() throws {
    let lock = try nightFolder().lock()
    let error = #expect(throws: (any Error).self) { try nightFolder("other").lock() }
    #expect("\(error as Any)".contains("another nightly run uses it"))
    withExtendedLifetime(lock) {}
  }

  @Test func `a kept build replaces the previous one, and has its commit`() throws {
    let night = nightFolder()
    _ = try night.lock()
    for (text, commit) in [("one", "abc"), ("two", nil)] {
      let program = try folder.write(text, to: "program")
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
      #expect(night.has(.last) == (text == "two"))
      try night.keep(program, commit: commit, as: .last)
      #expect(try String(contentsOfFile: night.executable(of: .last), encoding: .utf8) == text)
      #expect(night.commit(of: .last) == commit)
    }
    #expect(!night.has(.pinned) && night.commit(of: .pinned) == nil)
  }

  @Test func `a damaged summary is named`() throws {
    _ = try folder.write("{", to: "damaged/night.json")
    let error = #expect(throws: (any Error).self) { try nightFolder("damaged").summary() }
    #expect("\(error as Any)".contains("damaged/night.json: this is not a summary of a night"))
  }
}
