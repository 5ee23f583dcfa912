import Foundation
import Glibc
import TestSupport
import Testing

@testable import BenchReports

struct LatencyLogFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ log: LatencyLogFile) throws -> String {
    try RunDirectory.write(
      StalledReaderRun.scenario,
      under: folder.path,
      repeatedBy: RepeatCommand(reportFolder: folder.path),
      latencyLog: log
    )
  }

  @Test func `A run's folder contains the log with its header, and no other file is left`() throws {
    let log = try LatencyLogFile(in: folder.path)
    let temporary = try folder.names()
    #expect(temporary.count == 1 && temporary.allSatisfy { $0.hasPrefix(".partial-latency-") })
    let lines = (0..<50_000).map { "Tag=a,\($0).000,1.000,2.000,HISTFAAA\n" }
    for line in lines { log.write(line) }
    #expect(log.failure == nil)
    let text = try String(contentsOfFile: write(log) + "/latency.hlog", encoding: .utf8)
    #expect(text.hasPrefix("#[Histogram log format version 1.3]\n#[StartTime: "))
    #expect(text.hasSuffix("\"Interval_Compressed_Histogram\"\n" + lines.joined()))
    log.discard()
    try #expect(folder.names().count == 1)
  }

  @Test func `Nothing is left of a run without a report`() throws {
    let log = try LatencyLogFile(in: folder.path)
    log.write("one\n")
    log.discard()
    try #expect(folder.names() == [])
  }

  @Test func `A full disk is reported once, without a trap`() throws {
    let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
    let log = LatencyLogFile(descriptor: full, path: folder.path + "/none", folder: "reports")
    log.write("one\n")
    log.write("two\n")
    #expect(
      log.failure?.description
        == "reports: error: the log of latencies could not be written (No space left on device). "
        + "Check that you may write to the folder and that its disk has free space."
    )
    #expect(throws: ReportError.self) { _ = try write(log) }
    // The caller decides about a report without the log. No incomplete log is left.
    try #expect(folder.names() == [])
  }

  /// Writes a log whose times count from a moment, in seconds since the epoch.
  private func log(from base: String, _ lines: String, to name: String) throws -> String {
    try folder.write("#[StartTime: 1.000 (x)]\n#[BaseTime: \(base) (seconds since epoch)]\n\(lines)", to: name)
  }

  @Test func `Logs of shards are joined, and their times count from the earliest base`() throws {
    let late = try log(
      from: "1770091506.250",
      "Tag=a/1,0.000,1.000,2.000,HISTA\nTag=a/1,9.800,1.000,2,HISTB\n",
      to: "1"
    )
    let early = try log(from: "1770091500.500", "Tag=b,0.001,1.000,2.000,HISTC\n", to: "2")
    let joined = try LatencyLogFile(joining: [late, early], in: folder.path)
    let text = try String(contentsOfFile: write(joined) + "/latency.hlog", encoding: .utf8)
    #expect(text.contains("#[BaseTime: 1770091500.500 (seconds since epoch)]\n"))
    #expect(
      text.hasSuffix(
        "\nTag=a/1,5.750,1.000,2.000,HISTA\nTag=a/1,15.550,1.000,2,HISTB\nTag=b,0.001,1.000,2.000,HISTC\n"
      )
    )
  }

  @Test(arguments: ["Tag=a,x,1.000,2.000,HISTA\n", "Tag=a,99999999999.000,1.000,2.000,HISTA\n", "Tag=a\n"])
  func `A damaged log is not joined, and leaves no file`(lines: String) throws {
    let damaged = try log(from: "1770091506.250", lines, to: "damaged")
    #expect(throws: ReportError.self) { _ = try LatencyLogFile(joining: [damaged], in: folder.path) }
    let headless = try folder.write("Tag=a,0.000,1.000,2.000,HISTA\n", to: "headless")
    #expect(throws: ReportError.self) { _ = try LatencyLogFile(joining: [headless], in: folder.path) }
    #expect(throws: ReportError.self) { _ = try LatencyLogFile(joining: [folder.path + "/none"], in: folder.path) }
    // Counted from the first log, the interval of the second one begins after the largest number.
    let first = try log(from: "0.000", "", to: "first")
    let last = try log(from: "18446744073709551.615", "Tag=a,0.001,1.000,2.000,HISTA\n", to: "last")
    #expect(throws: ReportError.self) { _ = try LatencyLogFile(joining: [first, last], in: folder.path) }
    try #expect(folder.names() == ["damaged", "first", "headless", "last"])
  }

  @Test func `A file that cannot be created is an error before the run`() throws {
    #expect(throws: ReportError.self) { _ = try LatencyLogFile(in: folder.path + "/none") }
  }

  @Test func `The date has Java's format`() {
    #expect(LatencyLogFile.text(of: Date(timeIntervalSince1970: 1_770_091_506)) == "Tue Feb 03 04:05:06 UTC 2026")
  }
}
