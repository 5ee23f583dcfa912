import BenchResults
import Foundation
import TestSupport
import Testing

@testable import BenchReports

struct RedrawingTests {
  /// A name for each record, because a test's arguments are printed.
  enum Record: CaseIterable {
    case single, variants

    var result: ScenarioResult { self == .single ? StalledReaderRun.scenario : PolicyRuns.result }
  }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func read(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  /// Replaces the nonces of a page, which differ between two writes of the same page.
  private func withoutNonces(_ text: String) -> String {
    text.replacing(/nonce(-|=")[-0-9A-F]{36}/) { "nonce\($0.1)" }
  }

  private func redraw(_ run: String, into target: String, overwrites: Bool = false) throws {
    let result = try RunDocument.decode(Data(contentsOf: URL(fileURLWithPath: run + "/run.json")))
    try RunDirectory.redraw(result, of: run, into: target, overwrites: overwrites)
  }

  @Test(arguments: Record.allCases)
  func `The same reports are drawn from run.json`(of record: Record) throws {
    let result = record.result
    let run = try RunDirectory.write(result, into: folder.path + "/reports")
    try redraw(run, into: run + "/redrawn")
    let names = try folder.names(in: "reports/\(URL(fileURLWithPath: run).lastPathComponent)/redrawn")
    let pictures =
      result.isSingle ? ["verdict.json", "wal-and-latency.svg"] : ["runs", "variants.svg", "verdict.json"]
    #expect(names == ["report.html", "report.md"] + pictures)
    for name in names where name != "runs" {
      // Only the paths of links differ, because the files of the run are in the folder above.
      let drawn = try withoutNonces(read("\(run)/redrawn/\(name)")).replacing(/(href="|`)\.\.\//) { "\($0.1)" }
      try #expect(withoutNonces(read("\(run)/\(name)")) == drawn)
    }
    // No temporary file is left.
    #expect(try FileManager.default.contentsOfDirectory(atPath: run).allSatisfy { !$0.hasPrefix(".") })
  }

  @Test(arguments: Record.allCases)
  func `A record alone becomes the complete report`(of record: Record) throws {
    let result = record.result
    let run = try RunDirectory.write(result, into: folder.path)
    let whole = try contents(of: run).mapValues { withoutNonces(String(decoding: $0, as: UTF8.self)) }
    let record = ["run.json", "scenario.yaml"]
    for name in try folder.names(in: URL(fileURLWithPath: run).lastPathComponent) where !record.contains(name) {
      try FileManager.default.removeItem(atPath: "\(run)/\(name)")
    }
    try redraw(run, into: run)
    let drawn = try contents(of: run).mapValues { withoutNonces(String(decoding: $0, as: UTF8.self)) }
    #expect(drawn == whole, "\(Set(drawn.keys).symmetricDifference(whole.keys))")
  }

  @Test func `Files are overwritten only on request, and other files stay`() throws {
    let run = try RunDirectory.write(StalledReaderRun.result, into: folder.path)
    try Data("mine".utf8).write(to: URL(fileURLWithPath: run + "/report.md"))
    let record = try read(run + "/run.json")
    let error = #expect(throws: ReportError.self) { try redraw(run, into: run) }
    #expect(error?.path == run + "/report.html")
    try #expect(read(run + "/report.md") == "mine")
    try redraw(run, into: run, overwrites: true)
    try #expect(read(run + "/report.md").hasPrefix("# PASSED"))
    try #expect(read(run + "/run.json") == record)
    try #expect(folder.names() == [URL(fileURLWithPath: run).lastPathComponent])
  }
}
