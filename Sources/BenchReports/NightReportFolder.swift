public import BenchResults
internal import Foundation
internal import HarnessPrimitives

/// The files of a night: `night.json` and the reports that are written when the night ends.
public enum NightReportFolder {
  public static func write(_ summary: NightSummary, in folder: String) throws {
    try OutputFile.replace(StableJSON.document(summary), at: "\(folder)/night.json")
  }

  /// Writes `summary.md`, `summary.html`, `junit.xml` and two files for github-action-benchmark.
  public static func write(_ report: NightReport, in folder: String) throws {
    var exports = [ExportFormat.File(name: "junit.xml", text: NightExport.junit(of: report))]
    exports += try NightExport.gitHubActionBenchmark(of: report)
    try report.write(as: "summary", in: folder)
    for file in exports { try OutputFile.replace(Data(file.text.utf8), at: "\(folder)/\(file.name)") }
  }
}
