import Foundation
import TestSupport
import Testing

@testable import BenchReports
@testable import BenchResults

struct ReportIndexTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ change: (inout RunResult) -> Void = { _ in }) throws -> String {
    var result = StalledReaderRun.result
    change(&result)
    return try RunDirectory.write(result, into: folder.path)
  }

  private func make(_ name: String, verdict: String?) throws {
    let path = folder.path + "/" + name
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    if let verdict { try Data(verdict.utf8).write(to: URL(fileURLWithPath: path + "/verdict.json")) }
  }

  private func page() throws -> String {
    try ReportIndex.rewrite(in: folder.path)
    return try String(contentsOfFile: folder.path + "/index.html", encoding: .utf8)
  }

  /// A folder with nothing but the verdict of a run on the day `day` of a scenario.
  private func makeRun(
    of scenario: String,
    day: Int,
    exitCode: BenchResults.ExitStatus = .passed,
    measured: Double = 5e6,
    _ change: (inout RunResult) -> Void = { _ in }
  ) throws {
    var result = StalledReaderRun.result
    result.scenario = scenario
    result.startedAt = "2026-03-\(day < 10 ? "0" : "")\(day)T00:00:00Z"
    result.verdict = VerdictResult(exitCode: exitCode, headline: "day \(day)", reasons: [])
    result.expectations[0].measuredValue = measured
    result.expectations[0].measured = "\(measured)ns"
    result.expectations[0].holds = exitCode == .passed
    change(&result)
    try make("run-\(scenario)-\(day)", verdict: RunSummary(ScenarioResult(result)).encoded())
  }

  @Test func `The verdict of a run is read back as it was written`() throws {
    let run = try write { $0.environment.hasUncommittedChanges = true }
    let summary = try #require(try RunSummary.read(in: run))
    #expect(summary == RunSummary(ScenarioResult(StalledReaderRun.result).with { $0.hasUncommittedChanges = true }))
    #expect(summary.scenario == "stalled-reader" && summary.exitCode == .passed)
    #expect((summary.seconds - 36.1).magnitude < 0.001)
    #expect(summary.expectations.map(\.source).first == "stall/import response.p99 < 50ms")
    #expect(summary.expectations.allSatisfy { $0.holds && $0.measuredValue != nil })
  }

  @Test func `Runs are listed with the newest first`() throws {
    _ = try write()
    _ = try write { $0.startedAt = "2026-03-01T00:00:00Z" }
    _ = try write()
    let runs = try IndexedRuns(in: folder.path)
    #expect(runs.runs.map(\.summary.timeText).map { $0.prefix(10) } == ["2026-03-01", "2026-02-03", "2026-02-03"])
    #expect(Set(runs.runs.map(\.link)).count == 3)
    #expect(runs.runs.allSatisfy { $0.link.hasPrefix("./2026") && $0.link.hasSuffix("/report.html") })
    #expect(runs.unreadable.isEmpty)
  }

  @Test func `A scenario has one row with its last verdicts, the oldest first, each a link with a sign`() throws {
    for day in 1...12 {
      try makeRun(
        of: "a",
        day: day,
        exitCode: day == 11 ? .expectationFailed : day == 10 ? .measurementInvalid : .passed
      )
    }
    let page = try XMLPage(html: page())
    let marks = page.elements.filter { $0.name == "a" && $0.attributes["class"]?.hasPrefix("mark ") == true }
    #expect(marks.map(\.text) == Array(repeating: "✔", count: 7) + ["⚠\u{FE0E}", "✘", "✔"])
    #expect(marks.map { $0.attributes["href"] ?? "" } == (3...12).map { "./run-a-\($0)/report.html" })
    #expect(marks[8].attributes["class"] == "mark bad")
    #expect(marks[8].attributes["title"] == "2026-03-11 00:00:00: FAILED: day 11")
    #expect(marks.allSatisfy { $0.attributes["title"] == $0.attributes["aria-label"] })
    #expect(page.texts(of: "h1") == ["12 runs of 1 scenario"])
    // The list of all runs has each of them.
    #expect(page.attributes("data-words", of: "tr").count == 13)
  }

  @Test func `Scenarios that did not pass come first, with the reason`() throws {
    try makeRun(of: "a", day: 1)
    try makeRun(of: "b", day: 1, exitCode: .expectationFailed)
    try makeRun(of: "c", day: 1, exitCode: .measurementInvalid)
    let page = try XMLPage(html: page())
    let rows = page.elements.filter { $0.name == "th" && $0.attributes["scope"] == "row" }.map(\.text)
    #expect(rows.map { $0.prefix(1) } == ["b", "c", "a"])
    #expect(page.texts(of: "small").contains("FAILED: day 1"))
    #expect(page.texts(of: "p").first?.contains("✔ 1 passed, ✘ 1 failed, ⚠\u{FE0E} 1 invalid or interrupted") == true)
  }

  @Test func `The line shows the values of the expectation that failed, and none of invalid runs`() throws {
    try makeRun(of: "a", day: 1, measured: 4e6)
    try makeRun(of: "a", day: 2, exitCode: .measurementInvalid, measured: 9e9)
    try makeRun(of: "a", day: 3, exitCode: .expectationFailed, measured: 6e7)
    let page = try XMLPage(html: page())
    let line = try #require(page.elements.first { $0.attributes["class"] == "spark" })
    #expect(line.attributes["aria-label"] == "stall/import response.p99 < 50ms, measured 4000000.0ns, 60000000.0ns")
    let paths = page.elements.filter { $0.name == "path" }
    // The newest value is on the right and, as the largest, at the top; its failure is a cross.
    #expect(paths.map { $0.attributes["class"] ?? "" } == ["limit", "line", "bad"])
    #expect(paths[0].attributes["d"] == "M5,8.6L119,8.6")
    #expect(paths[1].attributes["d"] == "M93.7,25L119,5")
    #expect(page.texts(of: "small").contains("+1,400 % against the value before"))
  }

  @Test func `A row states the peak of the WAL in the last run, and its holder`() throws {
    try makeRun(of: "a", day: 1)
    try #expect(XMLPage(html: page()).texts(of: "small").contains("held by ui"))
    try makeRun(of: "a", day: 2) { $0.samples = [] }
    try #expect(!XMLPage(html: page()).texts(of: "small").contains { $0.hasPrefix("held by ") })
  }

  private func label() throws -> String {
    let line = try #require(XMLPage(html: page()).elements.first { $0.attributes["class"] == "spark" })
    return line.attributes["aria-label"] ?? ""
  }

  @Test func `If all passed, the line shows the p99 of the most important actor's open load`() throws {
    try makeRun(of: "a", day: 1)
    #expect(try label().hasPrefix("stall/import response.p99, measured "))
  }

  @Test func `Of a matrix, it shows the first variant by name`() throws {
    try make("run-a-1", verdict: RunSummary(PolicyRuns.result).encoded())
    try #expect(label().hasPrefix("stall/import response.p99, containment, measured "))
    try #expect(page().contains("<a href=\"words.html\">"))
  }

  @Test func `Without such a figure, it shows the expectation that came closest to its limit`() throws {
    // The margins are 90 %, 59 % and 78 % of the limits.
    try makeRun(of: "a", day: 1) { run in
      for phase in run.phases.indices { run.phases[phase].actors = [] }
    }
    #expect(try label().hasPrefix("stall wal.bytes.max < 512MiB, measured "))
  }

  @Test func `Of an invalid run, it shows a figure that was not disturbed`() throws {
    try makeRun(of: "a", day: 1, exitCode: .measurementInvalid) { $0["stall"].disturbance = .stop }
    #expect(try label().hasPrefix("drain wal.bytes.max, measured "))
  }

  @Test func `Runs with other settings have a row of their own, with the settings`() throws {
    for (day, settings) in [["engine.synchronous=off"], [], []].enumerated() {
      var result = ScenarioResult(StalledReaderRun.result)
      (result.overrides, result.choices) = (settings, settings.isEmpty ? [] : ["share"])
      try make("run-a-\(day)", verdict: RunSummary(result).encoded())
    }
    let page = try XMLPage(html: page())
    let rows = page.elements.filter { $0.name == "th" && $0.attributes["scope"] == "row" }.map(\.text)
    #expect(rows.count == 2 && rows[1].contains("engine.synchronous=off") && rows[1].contains("share"))
  }

  @Test func `Of repetitions, the value closest to the limit counts`() throws {
    var result = PolicyRuns.result
    for (index, value) in [3e6, 8e6, 1e6, 2e6].enumerated() {
      result.runs[index].expectations[0].measuredValue = value
    }
    #expect(RunSummary(result).expectations[0].measuredValue == 8e6)
    #expect((RunSummary(result).expectations[0].margin ?? 0) > 0.8)
    result.runs[2].expectations[0].holds = false
    #expect(RunSummary(result).expectations[0].measuredValue == 1e6)
  }

  @Test func `Smoke runs have a table of their own, without a figure`() throws {
    try makeRun(of: "a", day: 2) { $0.isSmoke = true }
    #expect(try XMLPage(html: page()).texts(of: "h1") == ["1 smoke run"])
    try makeRun(of: "a", day: 1)
    let page = try XMLPage(html: page())
    #expect(page.texts(of: "h2") == ["Smoke runs"])
    #expect(page.elements.filter { $0.name == "th" && $0.attributes["scope"] == "row" }.count == 2)
    #expect(page.elements.filter { $0.attributes["class"] == "spark" }.count == 1)
  }

  @Test func `A row can be found by name, tag, verdict, commit and uncommitted changes`() throws {
    try makeRun(of: "a", day: 1) { $0.environment.commit = "0ldc0mm1t" }
    try makeRun(of: "a", day: 2, exitCode: .expectationFailed) { run in
      run.environment.commit = "abcdef0123"
      run.environment.hasUncommittedChanges = true
    }
    let text = try page()
    let words = try #require(try XMLPage(html: text).attributes("data-words", of: "tr").first).split(separator: " ")
    let tags = StalledReaderRun.result.tags.map { $0.lowercased() }
    #expect(Set(words.map(String.init)).isSuperset(of: ["a", "failed", "abcdef0123", "changes", "0ldc0mm1t"] + tags))
    #expect(text.contains("<code>abcdef0</code> <span class=\"doubtful\" title=\"with uncommitted changes\">"))
  }

  @Test func `A folder without a readable verdict is listed as such, and other folders are not listed`() throws {
    try make("20260101-000000-broken-nocommit", verdict: nil)
    try make("20260102-000000-empty-1a2b3c4", verdict: "")
    try make("20260102-000000-old-1a2b3c4", verdict: #"{"schemaVersion": 0}"#)
    try make("notes", verdict: nil)
    try makeRun(of: "a", day: 1)
    try make(".data-1", verdict: String(contentsOfFile: folder.path + "/run-a-1/verdict.json", encoding: .utf8))
    try Data().write(to: URL(fileURLWithPath: folder.path + "/20260103-000000-a-1a2b3c4"))
    let found = try IndexedRuns(in: folder.path)
    #expect(found.runs.map(\.name) == ["run-a-1"])
    #expect(
      found.unreadable.map { "\($0.name): \($0.problem)" } == [
        "20260101-000000-broken-nocommit: verdict.json: there is no such file",
        "20260102-000000-empty-1a2b3c4: its verdict.json is damaged, or of another version",
        "20260102-000000-old-1a2b3c4: its verdict.json is damaged, or of another version",
      ]
    )
    #expect(try XMLPage(html: page()).texts(of: "li").count == 3)
  }

  @Test func `The index is replaced atomically, and no other file is left`() throws {
    #expect(try page().contains("<h1>No runs</h1>"))
    let run = try write()
    _ = try page()
    #expect(try folder.names() == [URL(fileURLWithPath: run).lastPathComponent, "index.html", "words.html"])
  }

  @Test func `A link to the index and the permissions of its file stay`() throws {
    _ = try page()
    try FileManager.default.createDirectory(atPath: folder.path + "/kept", withIntermediateDirectories: true)
    let (index, kept) = (folder.path + "/index.html", folder.path + "/kept/page.html")
    try FileManager.default.moveItem(atPath: index, toPath: kept)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: kept)
    try FileManager.default.createSymbolicLink(atPath: index, withDestinationPath: "kept/page.html")
    _ = try write()
    #expect(try page().contains("stalled-reader"))
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: index) == "kept/page.html")
    #expect(try FileManager.default.attributesOfItem(atPath: kept)[.posixPermissions] as? Int == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/kept") == ["page.html"])
  }

  @Test func `An index that cannot be written is an error, and leaves nothing`() throws {
    try make("index.html/taken", verdict: nil)
    let error = #expect(throws: ReportError.self) { try ReportIndex.rewrite(in: folder.path) }
    #expect(error?.path == folder.path + "/index.html")
    #expect(try folder.names() == ["index.html", "words.html"])
  }

  @Test func `Hostile names of folders and hostile verdicts are inert`() throws {
    let hostile = "</td><script>x</script> \" onclick=\"x \u{1B}[31m \u{202E}"
    try makeRun(of: hostile.replacing("/", with: ""), day: 1, exitCode: .expectationFailed) { run in
      run.scenario = hostile
      run.tags = [hostile]
      run.verdict.headline = hostile
      run.startedAt = hostile
      run.environment.commit = hostile
      run.expectations[0].source = hostile
      run.expectations[0].measured = hostile
    }
    let text = try page()
    #expect(text.components(separatedBy: "<script").count == 2)
    #expect(!text.unicodeScalars.contains { ["\u{202E}", "\u{1B}"].contains($0) })
    let page = try XMLPage(html: text)
    #expect(page.elements.allSatisfy { $0.attributes["onclick"] == nil })
    #expect(
      page.attributes("href", of: "a").allSatisfy {
        $0.hasPrefix("./run-%3Ctd%3E%3Cscript%3Ex%3Cscript%3E%20%22%20onclick%3D%22x") || $0 == "words.html"
      }
    )
  }

  @Test func `2,000 runs take less than 2 MiB, and only their verdicts are read`() throws {
    for day in 1...2_000 {
      try make("run-\(day)", verdict: nil)
      // A pipe in place of the record would block a reader forever.
      if day == 1 { #expect(mkfifo(folder.path + "/run-1/run.json", 0o600) == 0) }
    }
    var result = StalledReaderRun.result
    for day in 1...2_000 {
      result.scenario = "scenario-\(day % 50)"
      result.startedAt = "2026-03-01T00:\(10 + day % 50):\(10 + day / 50)Z"
      let verdict = try RunSummary(ScenarioResult(result)).encoded()
      try Data(verdict.utf8).write(to: URL(fileURLWithPath: folder.path + "/run-\(day)/verdict.json"))
    }
    let text = try page()
    #expect(text.contains("<h1>2,000 runs of 50 scenarios</h1>"))
    #expect(text.contains("<summary>The newest 1,000 of 2,000 runs</summary>"))
    #expect(text.utf8.count < 2 << 20, "\(text.utf8.count) bytes")
  }
}

extension ScenarioResult {
  fileprivate func with(_ change: (inout RunEnvironment) -> Void) -> ScenarioResult {
    var result = self
    for index in result.runs.indices { change(&result.runs[index].environment) }
    return result
  }
}
