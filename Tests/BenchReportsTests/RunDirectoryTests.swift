import Foundation
import TestSupport
import Testing

@testable import BenchReports
@testable import BenchResults

struct RunDirectoryTests {
  private let result = StalledReaderRun.result
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `A run writes its files under its name, and nothing else`() throws {
    let path = try RunDirectory.write(result, into: folder.path)
    #expect(path == folder.path + "/20260203-040506-stalled-reader-1a2b3c4")
    #expect(try folder.names() == ["20260203-040506-stalled-reader-1a2b3c4"])
    #expect(
      try folder.names(in: "20260203-040506-stalled-reader-1a2b3c4")
        == [
          "checkpoints.csv", "pins.csv", "report.html", "report.md", "run.json", "scenario.yaml", "summary.csv",
          "timeseries.csv", "verdict.json", "wal-and-latency.svg",
        ]
    )
    let scenario = try String(contentsOfFile: path + "/scenario.yaml", encoding: .utf8)
    #expect(scenario == StalledReaderRun.scenario.scenarioYAML + "\n")
  }

  @Test func `The files that a scenario names are beside it, so that the run can be repeated`() throws {
    var result = ScenarioResult(result)
    result.files = ["times.txt": "1ms\n", "sizes/small.csv": "size,count\n64B,1\n"]
    let path = try RunDirectory.write(result, into: folder.path)
    for (name, text) in result.files ?? [:] {
      let written = try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
      #expect(written == text)
    }
  }

  @Test func `Existing files are never overwritten`() throws {
    let first = try RunDirectory.write(result, into: folder.path)
    try Data("mine".utf8).write(to: URL(fileURLWithPath: first + "/report.md"))
    // A name is also taken if it is that of a file or a dangling link.
    try Data().write(to: URL(fileURLWithPath: first + "-2"))
    try FileManager.default.createSymbolicLink(atPath: first + "-3", withDestinationPath: "nowhere")
    let second = try RunDirectory.write(result, into: folder.path)
    #expect(second == first + "-4")
    // The command that repeats the run names the report's own folder.
    let report = try String(contentsOfFile: second + "/report.md", encoding: .utf8)
    #expect(report.contains(" run --seed 42 --out \(folder.path) \(second)/scenario.yaml\n"))
    #expect(try String(contentsOfFile: first + "/report.md", encoding: .utf8) == "mine")
    #expect(try folder.names().count == 4)
  }

  @Test func `The page links to the previous run of the same scenario`() throws {
    func write(_ startedAt: String, scenario: String = "stalled-reader") throws -> String {
      var run = result
      (run.startedAt, run.scenario) = (startedAt, scenario)
      return try RunDirectory.write(run, into: folder.path)
    }
    func links(_ path: String) throws -> [String] {
      let page = try XMLPage(html: String(contentsOfFile: path + "/report.html", encoding: .utf8))
      return page.attributes("href", of: "a").filter { $0.hasPrefix("../") }
    }
    let first = try write("2026-02-03T04:05:06Z")
    #expect(try links(first) == ["../index.html", "../words.html"])
    _ = try write("2026-02-03T04:05:07Z", scenario: "stalled-reader-2")
    let second = try write("2026-02-03T04:05:06Z")
    let before = "../\(URL(fileURLWithPath: first).lastPathComponent)/report.html"
    #expect(try links(second) == ["../index.html", before, "../words.html"])
    // A run without a page is not linked to, and neither is a later one.
    try FileManager.default.removeItem(atPath: second + "/report.html")
    let third = try write("2026-02-03T05:00:00Z")
    #expect(try links(third) == ["../index.html", before, "../words.html"])
    #expect(try links(write("2026-02-03T04:59:59Z")) == links(third))
  }

  @Test(arguments: [
    ("/a/b", "/a/b", ""), ("/a/b/redrawn", "/a/b", "../"), ("/a/x/y", "/a/b c/d", "../../b%20c/d/"),
    ("/a", "/a/b", "b/"),
  ])
  func `The path between two folders is relative`(from: String, to: String, path: String) {
    #expect(RunFiles.path(from: from, to: to) == path)
  }

  @Test func `A failure leaves nothing, and names the path and the remedy`() throws {
    // A file in place of the folder stops even root.
    let taken = folder.path + "/taken"
    try Data("mine".utf8).write(to: URL(fileURLWithPath: taken))
    for operation in [
      { _ = try RunDirectory.write(result, into: taken) }, { try RunDirectory.checkWritable(taken) },
    ] {
      let error = #expect(throws: ReportError.self) { try operation() }
      #expect(error?.path == taken)
      #expect(error?.remedy == "Name a folder, or move the file away.")
      #expect(error?.description.hasPrefix("\(taken): error: ") == true)
    }
    #expect(try folder.names() == ["taken"])
    #expect(try String(contentsOfFile: taken, encoding: .utf8) == "mine")
  }

  @Test func `A folder that must already exist is not created`() throws {
    let missing = folder.path + "/missing"
    let error = #expect(throws: ReportError.self) { try RunDirectory.checkTakesFiles(missing) }
    #expect(error?.description == "\(missing): error: there is no such folder. Create it, or name an existing folder.")
    try RunDirectory.checkTakesFiles(folder.path)
    #expect(try folder.names().isEmpty)
  }

  @Test func `A failure removes the files that were written before it`() throws {
    // The path of a named file has another file in place of a folder.
    var result = ScenarioResult(result)
    result.files = ["summary.csv/file": "text"]
    let error = #expect(throws: ReportError.self) { try RunDirectory.write(result, into: folder.path + "/runs") }
    #expect(error?.path.hasSuffix("/summary.csv/file") == true)
    #expect(try folder.names(in: "runs").isEmpty)
  }

  @Test func `The check before the run creates the folder and leaves it empty`() throws {
    try RunDirectory.checkWritable(folder.path + "/new/deep")
    #expect(try folder.names(in: "new/deep").isEmpty)
  }

  @Test(arguments: [
    ("../../etc/passwd", "..-..-etc-passwd"), ("a b/c\u{202E}\n", "a-b-c--"), ("ünï", "-n-"),
    (String(repeating: "x", count: 300), String(repeating: "x", count: 80)),
  ])
  func `A name from a scenario stays one harmless path component`(scenario: String, component: String) {
    var result = result
    result.scenario = scenario
    result.environment.commit = nil
    #expect(RunDirectory.name(of: result) == "20260203-040506-\(component)-nocommit")
  }

  @Test func `An invalid time is replaced by the time of writing`() {
    var result = result
    result.startedAt = "../yesterday"
    let name = RunDirectory.name(of: result)
    #expect(name.prefix(15).allSatisfy { $0.isNumber || $0 == "-" })
    #expect(name.hasSuffix("-stalled-reader-1a2b3c4"))
  }

  /// An interrupt removes a folder while it is being written.
  @Test func `A removed folder is not created again by later writes`() throws {
    let partial = folder.path + "/partial"
    #expect(throws: ReportError.self) { try RunDirectory.createFolders(of: "a/b/file", in: partial) }
    try #expect(folder.names() == [])
    try FileManager.default.createDirectory(atPath: partial, withIntermediateDirectories: false)
    for name in ["file", "a/b/file", "a/c/file"] { try RunDirectory.createFolders(of: name, in: partial) }
    try #expect(contents(of: partial).keys.sorted() == ["a", "a/b", "a/c"])
  }
}
