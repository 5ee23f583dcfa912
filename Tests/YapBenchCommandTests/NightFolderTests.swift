import BenchComparison
import BenchResults
import Foundation
import TestSupport
import Testing

@testable import YapBenchCommand

/// The folders of nights: their names, the pages of all nights, the removal of old ones, and the kept builds.
@Suite("The folder of nights") struct NightFolderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

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

  // MARK: All nights

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

  @Test func `the page of all nights links to the pages that exist`() throws {
    let night = nightFolder("night")
    try night.writeIndex(acknowledgements: [])
    #expect(try folder.names(in: "").isEmpty)
    _ = try night.lock()
    try night.write(NightSummary(startedAt: "2026-01-01T00:00:00Z", budgetSeconds: 1, sha256: "", commit: nil))
    try night.writeIndex(acknowledgements: [])
    func page() throws -> String { try String(contentsOfFile: folder.path + "/index.html", encoding: .utf8) }
    #expect(try page().contains("Last night, 2026-01-01: UNFINISHED") && !page().contains("trend.html"))
    try remember(("2026-01-01T00:00:00Z", "a"))
    _ = try folder.write("", to: "trend.html")
    try night.writeIndex(acknowledgements: [])
    #expect(try page().contains("href=\"trend.html\"") && !page().contains("suite/index.html"))
  }

  @Test func `the oldest nights and their reports are removed`() throws {
    for number in 1...4 {
      let name = "night \(number)"
      let night = nightFolder(name)
      _ = try night.lock()
      try night.write(
        NightSummary(startedAt: "2026-01-0\(number)T00:00:00Z", budgetSeconds: 1, sha256: "", commit: nil)
      )
      for file in ["report.md", "timeseries.csv"] {
        _ = try folder.write("", to: "suite/2026010\(number)-000100-a/\(file)")
      }
    }
    _ = try folder.write("", to: "builds/pinned/yapbench")
    _ = try folder.write("", to: "suite/a folder of the user/report.md")
    // A link is not followed, and not removed.
    let elsewhere = try folder.write("", to: "elsewhere/timeseries.csv")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/suite/20260101-000200-b",
      withDestinationPath: folder.path + "/elsewhere"
    )
    // The night itself stays with its reports, whatever its age.
    #expect(try nightFolder("night 1").prune(keep: 2) == ["night 2"])
    #expect(try folder.names(in: "").filter { $0.hasPrefix("night") } == ["night 1", "night 3", "night 4"])
    #expect(try folder.names(in: "suite").count == 6)
    // Killed comparisons leave copies of programs, and unfinished files.
    _ = try folder.write("", to: "night 3/pinned/run/.partial-data-1/a.sqlite")
    _ = try folder.write("", to: "night 3/last/arms/head/yapbench")
    _ = try folder.write("", to: "night 4/last/arms/head/yapbench")
    #expect(try nightFolder("night 4").prune(keep: 2) == ["night 1"])
    #expect(try folder.names(in: "night 3/last").isEmpty && folder.names(in: "night 4/last") == ["arms"])
    #expect(try folder.names(in: "night 3/pinned/run").isEmpty)
    #expect(try folder.names(in: "suite/20260103-000100-a") == ["report.md"])
    #expect(try folder.names(in: "suite/20260104-000100-a") == ["report.md", "timeseries.csv"])
    let reports = try folder.names(in: "suite").filter { !$0.hasSuffix(".html") }
    #expect(reports == ["20260101-000200-b", "20260103-000100-a", "20260104-000100-a", "a folder of the user"])
    #expect(FileManager.default.fileExists(atPath: elsewhere))
    #expect(try nightFolder("night 4").prune(keep: 2).isEmpty)
    #expect(try folder.names(in: "builds") == ["pinned"])
  }
}
