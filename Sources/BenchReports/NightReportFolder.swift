public import BenchResults
internal import Foundation

/// The files of a night: `night.json` and the reports that are written when the night ends.
public enum NightReportFolder {
  public static func write(_ summary: NightSummary, in folder: String) throws {
    try OutputFile.replace(summary.encoded(), at: "\(folder)/night.json")
  }

  /// Writes `summary.md`, `summary.html`, `junit.xml` and two files for github-action-benchmark.
  public static func write(_ report: NightReport, in folder: String) throws {
    var files: [(name: String, text: String)] = [
      ("summary.md", report.text), ("summary.html", report.page), ("junit.xml", NightExport.junit(of: report)),
    ]
    files += try NightExport.gitHubActionBenchmark(of: report).map { ($0.name, $0.text) }
    for file in files { try OutputFile.replace(Data(file.text.utf8), at: "\(folder)/\(file.name)") }
  }
}
