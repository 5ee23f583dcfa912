import BenchResults
import Foundation
import LatencyMetrics
import TestSupport
import Testing

@testable import BenchReports

struct ExportFilesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Writes every format of every kind of run. `Scripts/check-formats` names a folder, and lets other programs read the
  /// files.
  @Test func `Every format is written, also with hostile names`() throws {
    let target = ProcessInfo.processInfo.environment["YAP_EXPORTS"] ?? folder.path + "/exports"
    let results = ["single": StalledReaderRun.scenario, "several": PolicyRuns.result, "hostile": HostileRun.result]
    for (name, result) in results {
      for format in ExportFormat.allCases {
        let files = try format.files(of: result)
        #expect(!files.isEmpty)
        #expect(Set(files.map(\.name)).count == files.count)
        for file in files { #expect(!file.name.contains("/") && file.name.utf8.count < 255) }
        try ExportedFiles.write(files, into: "\(target)/\(name)/\(format.rawValue)", overwrites: true)
      }
      try RunDocument.encode(result).write(to: URL(fileURLWithPath: "\(target)/\(name)/run.json"))
    }
  }

  @Test func `Percentile output has a file for each latency, and the verdict at its end`() throws {
    let files = try ExportFormat.hgrm.files(of: PolicyRuns.result)
    let run = PolicyRuns.result.runs[0]
    #expect(files.count == run.latencies.filter { $0.phase.isRecorded && !$0.histogram.isEmpty }.count * 4)
    let file = try #require(
      files.first { $0.name == "policy=share+1+stall+import+transaction+response.hgrm" }
    )
    let histogram = try #require(run.histogram(of: "import", "transaction", .response, in: "stall"))
    let lines = file.text.split(separator: "\n").map(String.init)
    #expect(lines.last == "#[Verdict = 0, 3 of 3 expectations, no invariant violated]")
    let rows = lines.dropFirst().filter { !$0.hasPrefix("#") }.map {
      $0.split(separator: " ").compactMap { Double($0) }
    }
    #expect(rows.last?[2] == Double(histogram.count))
    #expect(rows.last?[1] == 1)
  }

  @Test func `Hostile names are words in file names, and one line in files`() throws {
    for file in try ExportFormat.hgrm.files(of: HostileRun.result) {
      #expect(file.name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
      for text in HostileRun.forbidden.dropLast() { #expect(!file.text.contains(text)) }
      let lines = file.text.split(separator: "\n")
      #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("#[") || Double($0.split(separator: " ")[0]) != nil })
    }
  }

  @Test func `Files are overwritten only if forced, and then completely`() throws {
    let path = folder.path + "/out.txt"
    try ExportedFiles.write("one", to: path, overwrites: false)
    let error = #expect(throws: ReportError.self) { try ExportedFiles.write("two", to: path, overwrites: false) }
    #expect(error?.description.contains("the file exists") == true)
    try #expect(String(contentsOfFile: path, encoding: .utf8) == "one")
    try ExportedFiles.write("three", to: path, overwrites: true)
    try #expect(String(contentsOfFile: path, encoding: .utf8) == "three")
    try #expect(folder.names() == ["out.txt"])
    // If one of several files exists, none is written.
    let files = [ExportFormat.File(name: "a", text: "a"), ExportFormat.File(name: "out.txt", text: "b")]
    #expect(throws: ReportError.self) { try ExportedFiles.write(files, into: folder.path, overwrites: false) }
    try #expect(folder.names() == ["out.txt"])
    #expect(throws: ReportError.self) { try ExportedFiles.write("x", to: folder.path, overwrites: true) }
  }
}
