package import BenchResults
internal import Foundation
internal import Glibc
internal import HarnessPrimitives

/// The folder of a stress campaign: its journal, the files of failed cases, and the reports.
package enum StressFolder {
  /// The name of the file with the result.
  package static let recordName = "stress.json"
  /// The size of the largest accepted result in bytes. Campaigns make none near it.
  private static let maximumBytes = 1 << 28

  /// Creates a campaign's new folder, such as `20260203-040506-stress-crash-1a2b3c4`.
  /// - Parameters:
  ///   - commit: The commit of the program; nil if it is not known.
  ///   - time: The start, as ISO 8601.
  /// - Returns: Its path.
  /// - Throws: `ReportError` if it cannot be created.
  package static func create(in parent: String, kind: StressKind, commit: String?, at time: String) throws -> String {
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
  package static func write(_ result: StressResult, in folder: String) throws {
    try OutputFile.replace(StableJSON.document(result), at: "\(folder)/\(recordName)")
    try StressReport(result).write(as: "report", in: folder)
  }

  /// Reads the result of a campaign.
  /// - Throws: `FileProblem`, or `DocumentError` if this program cannot read the file.
  package static func read(_ folder: String) throws -> StressResult {
    let contents = try RegularFile(path: "\(folder)/\(recordName)").contents(upTo: maximumBytes)
    do {
      let result = try JSONDecoder().decode(StressResult.self, from: Data(contents))
      guard result.schema == StressResult.currentSchema else {
        let problem = "its schema is \(result.schema); this program reads \(StressResult.currentSchema)"
        throw DocumentError(problem: problem)
      }
      return result
    } catch let error as DecodingError {
      throw DocumentError(problem: "it is not the result of a stress campaign: \(error)")
    }
  }
}
