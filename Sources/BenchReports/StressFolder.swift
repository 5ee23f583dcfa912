public import BenchResults
internal import Foundation
internal import Glibc

/// The folder of a stress campaign: its journal, the files of failed cases, and the reports.
public enum StressFolder {
  /// Creates a campaign's new folder, such as `20260203-040506-stress-crash-1a2b3c4`.
  /// - Parameters:
  ///   - commit: The commit of the program; nil if it is not known.
  ///   - time: The start, as ISO 8601.
  /// - Returns: Its path.
  /// - Throws: `ReportError` if it cannot be created.
  public static func create(in parent: String, kind: StressKind, commit: String?, at time: String) throws -> String {
    try RunDirectory.checkWritable(parent)
    let name = "\(RunDirectory.time(of: time))-stress-\(kind.rawValue)-\(commit?.prefix(7) ?? "nocommit")"
    for number in 1... {
      let path = "\(parent)/\(name)" + (number == 1 ? "" : "-\(number)")
      if mkdir(path, 0o755) == 0 { return path }
      guard errno == EEXIST else { throw ReportError(path, "could not be created", code: errno) }
    }
    fatalError("there is a free name")
  }

  /// Writes `stress.json`, `report.md` and `report.html`, and replaces earlier ones.
  public static func write(_ result: StressResult, in folder: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let report = StressReport(result)
    try OutputFile.replace(try encoder.encode(result) + Data("\n".utf8), at: folder + "/stress.json")
    try OutputFile.replace(Data(report.text.utf8), at: folder + "/report.md")
    try OutputFile.replace(Data(report.page.utf8), at: folder + "/report.html")
  }
}
