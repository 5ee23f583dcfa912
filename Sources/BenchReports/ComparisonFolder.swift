public import BenchResults
internal import Foundation

/// The files of a comparison's result, beside its journal: `compare.json`, `compare.md` and `compare.html`.
public enum ComparisonFolder {
  public static func write(_ report: ComparisonReport, _ result: ComparisonOutcome, in folder: String) throws {
    let files: [(name: String, contents: Data)] = [
      ("compare.json", try ComparisonDocument.encode(result)), ("compare.md", Data(report.text.utf8)),
      ("compare.html", Data(report.page.utf8)),
    ]
    for file in files { try OutputFile.replace(file.contents, at: "\(folder)/\(file.name)") }
  }
}
