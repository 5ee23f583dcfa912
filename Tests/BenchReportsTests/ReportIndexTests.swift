import BenchResults
import Foundation
import TestSupport
import Testing

@testable import BenchReports

struct ReportIndexTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ change: (inout RunResult) -> Void = { _ in }) throws -> String {
    var result = StalledReaderRun.result
    change(&result)
    return try RunDirectory.write(result, into: folder.path)
  }

  private func make(_ name: String, report: String?) throws {
    let path = folder.path + "/" + name
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    if let report { try Data(report.utf8).write(to: URL(fileURLWithPath: path + "/report.md")) }
  }

  @Test func `Every run is listed with its verdict, the newest first`() throws {
    _ = try write()
    _ = try write { result in
      result.startedAt = "2026-03-01T00:00:00Z"
      result.verdict.exitCode = .expectationFailed
      result.verdict.headline = "1 of 3 | <expectations> failed: a_b * c"
      result.isSmoke = true
    }
    _ = try write()
    let entries = try ReportIndex.entries(in: folder.path)
    #expect(entries.map(\.time) == ["20260301000000", "20260203040506", "20260203040506"])
    #expect(entries.map(\.scenario) == Array(repeating: "stalled-reader", count: 3))
    #expect(entries.map(\.commit) == Array(repeating: "1a2b3c4", count: 3))
    #expect(entries[0].verdict == "FAILED: 1 of 3 | <expectations> failed: a_b * c")
    #expect(entries[0].remarks == ["smoke"])
    #expect(entries[0].timeText == "2026-03-01 00:00:00")
    #expect(entries.allSatisfy { $0.problem == nil && $0.link.hasSuffix("/report.html") })
    #expect(Set(entries.map(\.link)).count == 3)
  }

  @Test func `A folder that cannot be read is listed as such, and other folders are not listed`() throws {
    try make("20260101-000000-broken-nocommit", report: nil)
    try make("20260102-000000-empty-1a2b3c4", report: "")
    try make("example", report: "# PASSED: all\n\nExit code **0**: fine.\n")
    try make("notes", report: nil)
    try make(".data-1", report: "# PASSED: all\n")
    try Data().write(to: URL(fileURLWithPath: folder.path + "/20260103-000000-a-1a2b3c4"))
    let entries = try ReportIndex.entries(in: folder.path)
    #expect(entries.map(\.scenario) == ["empty", "broken", "example"])
    #expect(entries.map { $0.problem == nil } == [false, false, true])
    #expect(entries[2].link == "./example/report.md")
    try ReportIndex.rewrite(in: folder.path)
    let page = try String(contentsOfFile: folder.path + "/index.html", encoding: .utf8)
    #expect(page.components(separatedBy: "cannot be read: ").count == 3)
  }

  @Test func `The index is replaced atomically, and no other file is left`() throws {
    try ReportIndex.rewrite(in: folder.path)
    let empty = try String(contentsOfFile: folder.path + "/index.html", encoding: .utf8)
    #expect(empty.contains("No runs yet."))
    let run = try write()
    try ReportIndex.rewrite(in: folder.path)
    #expect(try folder.names() == [URL(fileURLWithPath: run).lastPathComponent, "index.html"])
  }

  @Test func `An index that cannot be written is an error, and leaves nothing`() throws {
    try make("index.html/taken", report: nil)
    let error = #expect(throws: ReportError.self) { try ReportIndex.rewrite(in: folder.path) }
    #expect(error?.path == folder.path + "/index.html")
    #expect(try folder.names() == ["index.html"])
  }

  @Test func `Hostile names of folders and hostile verdicts are inert`() throws {
    try make(
      "20260101-000000-<script>\"' \u{202E}javascript:x#?%-1a2b3c4",
      report: "# PASSED: </td><script>x</script> \u{1B}[31m\n"
    )
    try ReportIndex.rewrite(in: folder.path)
    let page = try String(contentsOfFile: folder.path + "/index.html", encoding: .utf8)
    #expect(page.components(separatedBy: "<script").count == 2)
    #expect(!page.unicodeScalars.contains { ["\u{202E}", "\u{1B}"].contains($0) })
    #expect(
      page.contains(
        "href=\"./20260101-000000-%3Cscript%3E%22%27%20%E2%80%AEjavascript%3Ax%23%3F%25-1a2b3c4/report.md\""
      )
    )
  }

  @Test(arguments: ["a | b", "-3 s", "1) x", "R&D & co", "http://x", "a\\b `c` [d](e) ![f] *g* _h_ #i $j ~k", "&lt;b"])
  func `Text comes back from Markdown as it was`(text: String) {
    #expect(InertText.plain(markdown: InertText.markdown(text)) == text)
  }
}
