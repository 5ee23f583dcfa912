import BenchResults
import Foundation
import TestSupport
import Testing

@testable import BenchReports

/// The time and the memory of a report are measured by hand in a release build. A test makes the record, which takes
/// some minutes without optimisation:
///
///     YAP_LONG_RUN=/tmp/long ./run-tests.sh --filter LongRunTests
///     swift build -c release && /usr/bin/time -v .build/release/yapbench report --force /tmp/long
struct LongRunTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `The record and the report of a run of 16 actors and 20 connections stay small`() throws {
    // Without optimisation half an hour takes minutes. So the test extrapolates from 10 s, and its percentiles have two
    // digits.
    let kept = ProcessInfo.processInfo.environment["YAP_LONG_RUN"]
    let seconds = kept == nil ? 20 : 1_800
    let digits = kept == nil ? 2 : 3
    let record = try RunDocument.encode(BusyRun.result(seconds: seconds, digits: digits))
    let earlier = try RunDocument.encode(BusyRun.result(seconds: seconds - 10, digits: digits))
    let halfAnHour = record.count + (record.count - earlier.count) * (1_800 - seconds) / 10
    #expect(halfAnHour < 64 << 20, "\(halfAnHour) bytes")
    let back = try RunDocument.decode(record)
    try #require(back.runs[0].samples.count == seconds * 10)
    try #expect(RunDocument.encode(back) == record)
    let run = kept ?? folder.path + "/run"
    try FileManager.default.createDirectory(atPath: run, withIntermediateDirectories: true)
    try record.write(to: URL(fileURLWithPath: run + "/run.json"))
    try RunDirectory.redraw(back, of: run, into: run + "/drawn", overwrites: true)
    let page = try String(contentsOfFile: run + "/drawn/report.html", encoding: .utf8)
    #expect(page.utf8.count < 2 << 20, "\(page.utf8.count) bytes")
    #expect(page.contains("</html>"))
    let picture = try String(contentsOfFile: run + "/drawn/wal-and-latency.svg", encoding: .utf8)
    #expect(picture.utf8.count < 512 << 10, "\(picture.utf8.count) bytes")
  }

  @Test func `The table that is written in pieces equals the one that is written at once`() throws {
    let result = BusyRun.result(seconds: 10)
    var pieces: [String] = []
    TimeSeriesTable.write(of: result.runs) { pieces.append($0) }
    #expect(pieces.count > 2)
    #expect(pieces.joined() == TimeSeriesTable(of: result.runs).table.contents)
  }
}
