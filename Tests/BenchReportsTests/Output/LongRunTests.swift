import BenchModel
import Foundation
import Testing

@testable import BenchReports

/// How long a report takes, and how much memory, a person measures, in a release build:
///
///     YAP_LONG_RUN=/tmp/long ./run-tests.sh --filter LongRunTests
///     swift build -c release && /usr/bin/time -v .build/release/yapbench report --force /tmp/long
struct LongRunTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `Half an hour of sixteen actors and twenty connections stays small enough to be kept and shown`() throws {
    let result = BusyRun.result(seconds: 1_800)
    let record = try RunDocument.encode(result)
    #expect(record.count < 64 << 20, "\(record.count) bytes")
    let back = try RunDocument.decode(record)
    try #require(back.runs[0].samples.count == 18_000)
    try #expect(RunDocument.encode(back) == record)
    let run = ProcessInfo.processInfo.environment["YAP_LONG_RUN"] ?? folder.path + "/run"
    try FileManager.default.createDirectory(atPath: run, withIntermediateDirectories: true)
    try record.write(to: URL(fileURLWithPath: run + "/run.json"))
    // As if the tables were there: without optimisation millions of rows take minutes.
    try Data().write(to: URL(fileURLWithPath: run + "/summary.csv"))
    try RunDirectory.redraw(back, of: run, into: run + "/drawn", overwrites: true, plotter: .found())
    let page = try String(contentsOfFile: run + "/drawn/report.html", encoding: .utf8)
    #expect(page.utf8.count < 2 << 20, "\(page.utf8.count) bytes")
    #expect(page.contains("</html>"))
  }

  @Test func `Ten minutes make a page of less than two mebibytes`() throws {
    let result = BusyRun.result(seconds: 600)
    let page = RunReport(result: result.first, picture: .drawn, command: "again").page
    #expect(page.utf8.count < 2 << 20, "\(page.utf8.count) bytes")
  }

  @Test func `The table that is written in pieces is the one that is made at once`() throws {
    let result = BusyRun.result(seconds: 10)
    var pieces: [String] = []
    TimeSeriesTable.write(of: result.runs) { pieces.append($0) }
    #expect(pieces.count > 2)
    #expect(pieces.joined() == TimeSeriesTable(of: result.runs).table.contents)
  }
}
