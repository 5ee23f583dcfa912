import BenchRunner
import Foundation
import Synchronization
import TestSupport
import Testing
import ThreadingPrimitives

@testable import BenchResults
@testable import BenchRunner
@testable import BenchScenario
@testable import HarnessPrimitives
@testable import YapBenchCommand

/// The work of `run` before and after its runs, which are made up here.
struct RunCommandTests {
  private let folder: TemporaryFolder
  private let out: String
  private var trial = Trial()

  init() throws {
    folder = try TemporaryFolder()
    out = folder.path + "/out"
  }

  /// A scenario without a seed.
  private func unseeded() throws -> String {
    let text = try String(contentsOfFile: Project.null, encoding: .utf8)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.hasPrefix("seed:") }
    return try folder.write(lines.joined(separator: "\n"), to: "null.yaml")
  }

  private func run(_ made: MadeUpRunner, _ arguments: String...) -> Int32 { run(made, arguments) }

  private func run(_ made: MadeUpRunner, _ arguments: [String]) -> Int32 {
    var trial = trial
    trial.runner = made.runner
    return Program.run(["run", "--out", out] + arguments, in: .captured(by: trial))
  }

  /// A line in which the estimate of memory is replaced by a word.
  private static func withoutMemory(_ line: String) -> String {
    line.replacing(/about [0-9.]+ [KMG]iB of memory/, with: "some memory")
  }

  @Test func `A scenario that needs too much memory does not run, unless --smoke reduces its need`() throws {
    let made = MadeUpRunner()
    var trial = trial
    trial.runner = made.runner
    trial.availableMemory = { AvailableMemory(bytes: 1 << 30, source: .machine) }
    let samples = ["--set", "measure.every=1ms", "--set", "phases.run.for=1900s"]
    let arguments = ["run", "--out", out] + samples + [Project.null]
    #expect(Program.run(arguments, in: .captured(by: trial)) == 65)
    #expect(trial.errors.text.contains("but this machine has 1.00 GiB available; raise \"measure.every\""))
    #expect(made.runs.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: out))
    #expect(Program.run(arguments + ["--smoke"], in: .captured(by: trial)) == 0)
    #expect(made.runs.count == 1)
  }

  @Test func `Without files the suite runs, and the last of several --out counts`() throws {
    let made = MadeUpRunner()
    #expect(run(made, "--out", folder.path + "/last") == 0)
    let names = ScenarioSuite.standard.names.map { String(PathParts($0).name.dropLast(".yaml".count)) }
    #expect(made.runs.map(\.loaded.scenario.name) == names)
    try #expect(folder.names() == ["last"])
  }

  @Test func `The verdict, the report's path and the progress are shown, and the database is removed`() throws {
    let made = MadeUpRunner()
    #expect(run(made, Project.stalledReader) == 0)
    let report = "\(out)/20260203-040506-stalled-reader-nocommit/report.md"
    #expect(FileManager.default.fileExists(atPath: report))
    #expect(trial.output.lines.first?.hasSuffix("made up (exit 0)") == true)
    #expect(trial.output.lines.last == "report: \(report)")
    #expect(
      trial.errors.lines.map(Self.withoutMemory) == [
        "stalled-reader: 3 phases, at most 55 s, some memory, seed 42", "  phase 1/3 warm: begins, at most 5 s",
        "  phase 1/3 warm: ended after 5.0 s",
      ]
    )
    try #expect(folder.names(in: "out") == ["20260203-040506-stalled-reader-nocommit", "index.html", "words.html"])
    #expect(made.runs.first?.options.keepsDatabase == false)
    #expect(made.runs.first?.options.dataFolder.hasPrefix("\(out)/.partial-data-") == true)
  }

  @Test func `A scenario without a seed gets a random one, which the run's own scenario contains`() throws {
    let made = MadeUpRunner()
    #expect(run(made, try unseeded()) == 0)
    let loaded = try #require(made.runs.first?.loaded)
    let seed = try #require(loaded.scenario.seed)
    let kept = "\(out)/20260203-040506-null-nocommit/scenario.yaml"
    try #expect(ScenarioLoader.load(path: kept).scenario == loaded.scenario)
    #expect(trial.errors.text.contains(", seed \(seed)\n"))
  }

  @Test func `A seed and changes from the command line replace the file's`() throws {
    let made = MadeUpRunner()
    let most = UInt64.max
    #expect(run(made, Project.stalledReader, "--seed", "\(most)", "--set", "phases.stall.for=2m") == 0)
    let loaded = try #require(made.runs.first?.loaded)
    #expect(loaded.scenario.seed == most)
    #expect(loaded.scenario.phases[1].end == .duration(nanoseconds: 120_000_000_000))
    try #expect(ScenarioLoader.load(text: loaded.expandedYAML).scenario == loaded.scenario)
  }

  @Test func `Only selected variants run, also with a random seed`() throws {
    let made = MadeUpRunner(.expectationFailed)
    let text = try String(contentsOfFile: Project.policies, encoding: .utf8).replacingOccurrences(
      of: "seed: 7\n",
      with: ""
    )
    let file = try folder.write(text, to: "three-policies.yaml")
    #expect(run(made, file, "--only", "share", "--only", "copy", "--set", "repeat=2") == 99)
    let loaded = try #require(made.runs.first?.loaded)
    #expect(loaded.variants.map(\.label) == ["copy", "share"])
    #expect(loaded.repetitions == 2)
    let seed = try #require(loaded.scenario.seed)
    #expect(loaded.variants.allSatisfy { $0.scenario.seed == seed })
    #expect(
      trial.errors.lines.first.map(Self.withoutMemory)
        == "three-policies: 2 variants × 2 repetitions, 2 phases each, at most 24 s, some memory, seed \(seed)"
    )
    let last = try #require(trial.output.lines.last)
    #expect(last.hasPrefix("repeat: /") && last.contains(" run --seed \(seed) --only share --only copy --out "))
  }

  @Test func `Each engine runs the scenario, without the parts that it lacks, also with a random seed`() throws {
    let made = MadeUpRunner()
    let file = try unseeded()
    let text = try String(contentsOfFile: file, encoding: .utf8)
    _ = try folder.write(text.replacing("driver: null", with: "defaultObjectPolicy: share"), to: "null.yaml")
    #expect(run(made, "--driver", "yap,sqlite", "--set", "repeat=2", file) == 0)
    let loaded = try #require(made.runs.first?.loaded)
    #expect(loaded.variants.map(\.label) == ["yap", "sqlite"])
    #expect(loaded.repetitions == 2 && loaded.scenario.seed != nil)
    #expect(trial.errors.text.contains("not compared with the driver \"sqlite\": option \"defaultObjectPolicy\""))
    #expect(trial.output.lines.contains { $0.hasPrefix("not compared, sqlite: option \"defaultObjectPolicy\"; ") })
    let report = try #require(trial.output.lines.last?.split(separator: " ").last)
    let markdown = try String(contentsOfFile: String(report), encoding: .utf8)
    #expect(markdown.contains("## Engines side by side") && markdown.contains("--driver yap,sqlite "))
  }

  @Test func `Smoke shortens the scenario, and leaves its text unchanged`() throws {
    let made = MadeUpRunner()
    #expect(run(made, Project.stalledReader, "--smoke") == 0)
    let (loaded, options) = try #require(made.runs.first)
    #expect(options.isSmoke)
    #expect(loaded.scenario.plannedDurationNanoseconds == 20_600_000_000)
    try #expect(ScenarioLoader.load(text: loaded.expandedYAML).scenario.smoke() == loaded.scenario)
  }

  @Test func `Each of several runs has its report and its database, and the most severe verdict counts`() throws {
    let made = MadeUpRunner(.expectationFailed, .invariantViolated, .passed)
    #expect(run(made, Project.null, Project.stalledReader, Project.sixtyHertz) == 111)
    #expect(Set(made.runs.map(\.options.dataFolder)).count == 3)
    try #expect(
      folder.names(in: "out") == [
        "20260203-040506-null-nocommit", "20260203-040506-sixty-hertz-nocommit",
        "20260203-040506-stalled-reader-nocommit", "index.html", "words.html",
      ]
    )
  }

  @Test func `Two scenarios of one name are refused before a run, with both files`() {
    let made = MadeUpRunner()
    #expect(run(made, Project.null, Project.stalledReader, Project.null) == 64)
    #expect(trial.errors.text.contains("\(Project.null) and \(Project.null) have one name, \"null\"; leave one out"))
    #expect(made.runs.isEmpty)
  }

  @Test(arguments: [nil, "data"])
  func `A database is kept on request, and its path is printed`(parent: String?) throws {
    let made = MadeUpRunner()
    let option = parent.map { ["--data-dir", "\(folder.path)/\($0)"] } ?? []
    if let parent { _ = try folder.write("", to: parent + "/there") }
    #expect(run(made, [Project.null, "--keep-database"] + option) == 0)
    let kept = try #require(made.runs.first?.options.dataFolder)
    #expect(kept.hasPrefix(parent.map { "\(folder.path)/\($0)/yapbench-" } ?? "\(out)/.data-"))
    #expect(FileManager.default.fileExists(atPath: kept + "/database.sqlite"))
    #expect(trial.output.lines.last == "database: \(kept)")
  }

  @Test func `A failed run is reported with the command that repeats it`() throws {
    let data = folder.path + "/data"
    _ = try folder.write("", to: "data/there")
    #expect(run(MadeUpRunner(.expectationFailed), Project.stalledReader, "--data-dir", data, "--keep-database") == 99)
    let run = out + "/20260203-040506-stalled-reader-nocommit"
    let command = " run --seed 42 --keep-database --out \(out) --data-dir \(data) \(run)/scenario.yaml"
    #expect(trial.output.lines.contains { $0.hasPrefix("repeat: /") && $0.hasSuffix(command) })
    let report = try String(contentsOfFile: run + "/report.md", encoding: .utf8)
    #expect(report.contains("\(command)\n"))
  }

  @Test func `Files in the data folder are kept`() throws {
    let made = MadeUpRunner()
    _ = try folder.write("mine", to: "data/mine")
    #expect(run(made, Project.null, "--data-dir", folder.path + "/data") == 0)
    try #expect(folder.names(in: "data") == ["mine"])
  }

  @Test func `An error is reported with its scenario, leaves no database and does not stop the next run`() throws {
    #expect(trial.run("run", "--out", out, Project.null, Project.stalledReader) == 1)
    let remedy = "nothing was to run here; leave it alone"
    #expect(
      trial.errors.lines.filter { $0.hasPrefix("error") } == [
        "error: null: \(remedy)", "error: stalled-reader: \(remedy)",
      ]
    )
    try #expect(folder.names(in: "out") == [])
  }

  @Test func `A limit of open files that is too low exits 71 before anything is created`() throws {
    var trial = trial
    let needs = Mutex<[Int]>([])
    trial.reserveDescriptors = { need in
      needs.withLock { $0.append(need) }
      throw DescriptorShortage(limit: DescriptorLimit(soft: 40, hard: 40, open: 3), need: need)
    }
    #expect(trial.run("run", "--out", out, Project.null) == 71)
    #expect(trial.errors.text.hasPrefix("error: the limit of open files is 40 (ulimit -Hn), and "))
    try #expect(folder.names() == [])
    #expect(trial.run("run", "--out", out, Project.stalledReader) == 71)
    // The null scenario has no database, and therefore needs fewer descriptors.
    let (null, stalled) = needs.withLock { ($0[0], $0[1]) }
    #expect(null < stalled)
  }

  /// Creates a folder as a killed process leaves it, and gives its files an age.
  private func leave(_ name: String, hours: Double, newestHours: Double? = nil) throws {
    let database = try folder.write("pages", to: "out/\(name)/1-null/null.sqlite")
    let parts = ["\(out)/\(name)", "\(out)/\(name)/1-null", database]
    for (path, hours) in zip(parts, [hours, hours, newestHours ?? hours]) {
      let date = Date(timeIntervalSinceNow: -hours * 3_600)
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
    }
  }

  @Test func `Only unfinished files that did not change for a day are removed, and they are reported`() throws {
    for name in [".partial-data-1-2a", ".partial-3", ".data-4-5b", "mine"] { try leave(name, hours: 25) }
    try leave(".partial-young", hours: 23)
    try leave(".partial-living", hours: 1_000, newestHours: 1)
    try FileManager.default.createSymbolicLink(atPath: out + "/.partial-link", withDestinationPath: "mine")
    #expect(run(MadeUpRunner(), Project.null) == 0)
    #expect(
      trial.errors.lines.contains("removed files of killed runs: \(out)/.partial-3, \(out)/.partial-data-1-2a")
    )
    let expected = [
      ".data-4-5b", ".partial-link", ".partial-living", ".partial-young", "20260203-040506-null-nocommit", "index.html",
      "mine", "words.html",
    ]
    #expect(try folder.names(in: "out") == expected)
    #expect(run(MadeUpRunner(), Project.null) == 0)
    #expect(trial.errors.lines.filter { $0.hasPrefix("removed files") }.count == 1)
  }

  @Test(arguments: [("dangling", "nowhere"), ("circle", "circle")])
  func `A broken link in place of a folder is reported as such`(name: String, target: String) throws {
    let link = folder.path + "/" + name
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
    let what = name == "circle" ? "in a circle" : "to nowhere, which does not exist"
    #expect(trial.run("run", "--out", link, Project.null) == 73)
    #expect(
      trial.errors.lines.last
        == "error: \(link): this symbolic link leads \(what). Name another folder, or repair the link."
    )
    #expect(trial.run("run", "--out", link + "/below", Project.null) == 73)
    #expect(trial.run("run", "--out", out, "--data-dir", link, Project.null) == 73)
  }

  @Test func `Control characters in paths are shown as text`() throws {
    let out = folder.path + "/x\u{1b}[31m"
    var trial = trial
    trial.runner = MadeUpRunner(.expectationFailed).runner
    #expect(trial.run("run", "--out", out, "--keep-database", Project.null) == 99)
    #expect(trial.output.lines.contains { $0.hasPrefix("report: \(folder.path)/xU+001B[31m/") })
    #expect(!trial.output.text.contains("\u{1b}") && !trial.errors.text.contains("\u{1b}"))
  }

  @Test func `A report that cannot be written exits 73, and its verdict is still printed`() throws {
    var trial = trial
    trial.runner = MadeUpRunner(.expectationFailed).losing(out)
    #expect(trial.run("run", "--out", out, Project.null) == 73)
    #expect(trial.output.lines.first?.hasSuffix("made up (exit 99)") == true)
    let errors = trial.errors.lines.filter { $0.hasPrefix("error: null: ") }
    #expect(errors.count == 2 && errors.first?.hasPrefix("error: null: \(out): this is a file") == true)
    #expect(errors.last == "error: null: the results are lost; run the scenario again")
    try #expect(folder.names() == ["out"])
  }

  @Test func `The database is removed before the report is written, which may need the space`() throws {
    var trial = trial
    let made = MadeUpRunner()
    let removed = CapturedOutput()
    trial.runner = made.runner
    trial.output = CapturedOutput(when: "made up") {
      let folder = made.runs.first?.options.dataFolder ?? "/"
      removed.write(FileManager.default.fileExists(atPath: folder) ? "there" : "gone")
    }
    #expect(trial.run("run", "--out", out, Project.null) == 0)
    #expect(removed.text == "gone")
  }

  @Test func `An interruption ends the run with a report, and those that follow do not run`() throws {
    let made = MadeUpRunner()
    var trial = trial
    let interruption = trial.interruption
    trial.errors = CapturedOutput(when: "begins") { interruption.raise() }
    trial.runner = made.runner
    #expect(trial.run("run", "--out", out, Project.null, Project.stalledReader) == 130)
    #expect(made.runs.count == 1)
    #expect(trial.errors.lines.last == "interrupted; not run: stalled-reader")
    try #expect(folder.names(in: "out") == ["20260203-040506-null-nocommit", "index.html", "words.html"])
    #expect(trial.output.text.contains("partial"))
  }

  @Test func `An interruption while the last report is written changes nothing`() throws {
    let made = MadeUpRunner()
    var trial = trial
    let interruption = trial.interruption
    trial.output = CapturedOutput(when: "made up") { interruption.raise() }
    trial.runner = made.runner
    #expect(trial.run("run", "--out", out, Project.null) == 0)
  }

  @Test func `On a terminal the verdict has a color, and long lines are wrapped`() throws {
    let made = MadeUpRunner(.expectationFailed)
    var trial = trial
    trial.outputTerminal = Terminal(hasColor: true) { 20 }
    trial.runner = made.runner
    #expect(trial.run("run", "--out", out, Project.null) == 99)
    #expect(trial.output.lines.prefix(2) == ["\u{1b}[31mFAILED\u{1b}[0m: made up", "    (exit 99)"])
    // The path can be copied.
    #expect(trial.output.lines.contains("report: \(out)/20260203-040506-null-nocommit/report.md"))
  }

  @Test func `An interruption before anything ran exits 130 and leaves nothing`() throws {
    let made = MadeUpRunner()
    trial.interruption.raise()
    #expect(run(made, Project.null, "--keep-database") == 130)
    #expect(made.runs.isEmpty)
    try #expect(folder.names(in: "out") == [])
  }

  @Test(
    arguments: [
      ([], .passed), ([.passed, .passed], .passed), ([.expectationFailed, .passed], .expectationFailed),
      ([.passed, .cannotCreateOutput, .expectationFailed], .cannotCreateOutput),
      ([.cannotCreateOutput, .interrupted], .interrupted), ([.internalError, .measurementInvalid], .internalError),
      ([.usage, .invariantViolated, .interrupted], .invariantViolated), ([.passed, .incomparable], .incomparable),
      ([.passed, .usage], .usage),
    ] as [([BenchResults.ExitStatus], BenchResults.ExitStatus)]
  )
  func `The most severe exit code counts`(codes: [BenchResults.ExitStatus], mostSevere: BenchResults.ExitStatus) {
    #expect(BenchResults.ExitStatus.mostSevere(codes) == mostSevere)
  }
}
