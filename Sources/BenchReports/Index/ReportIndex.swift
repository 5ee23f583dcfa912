internal import Foundation
internal import HarnessPrimitives

/// `index.html` of the folder of all runs: a row for each scenario with its last verdicts. The page of the reports'
/// words is beside it.
///
/// Only the `verdict.json` of each run is read. A folder with a run's name and without a readable verdict is listed
/// with the problem.
package enum ReportIndex {
  package static let fileName = "index.html"

  /// Replaces the index atomically.
  /// - Parameter folder: The folder that contains the runs' folders.
  /// - Throws: `ReportError`; then the previous index is unchanged.
  package static func rewrite(in folder: String) throws {
    let page = try IndexPage(of: IndexedRuns(in: folder)).text
    try ReportWords.write(in: folder)
    try OutputFile.replace(Data(page.utf8), at: "\(folder)/\(fileName)")
  }
}

/// A run in the folder of all runs.
struct IndexedRun {
  /// The name of its folder.
  let name: String
  let summary: RunSummary

  /// Relative to the index.
  var link: String { Self.link(toFolder: name) + "report.html" }

  /// Returns a link into a folder. All characters of its name but letters, digits and `-._~` are encoded, so the link
  /// leads nowhere else.
  static func link(toFolder name: String) -> String {
    let allowed = CharacterSet(charactersIn: "-._~").union(.alphanumerics)
    return "./" + (name.addingPercentEncoding(withAllowedCharacters: allowed) ?? "") + "/"
  }
}

/// The runs in a folder.
struct IndexedRuns {
  /// The newest first.
  private(set) var runs: [IndexedRun] = []
  /// The folders with a run's name whose verdict cannot be read, with the reasons, in the order of their names.
  private(set) var unreadable: [(name: String, problem: String)] = []

  /// - Throws: `ReportError` if the folder cannot be listed.
  init(in folder: String) throws {
    let names = try attempt("could not be listed", at: folder) {
      try FileManager.default.contentsOfDirectory(atPath: folder)
    }
    for name in names where !name.hasPrefix(".") { add(name, in: folder) }
    runs.sort { ($0.summary.startedAt, $0.name) > ($1.summary.startedAt, $1.name) }
    unreadable.sort { $0.name < $1.name }
  }

  private mutating func add(_ name: String, in folder: String) {
    let path = "\(folder)/\(name)"
    do throws(FileProblem) {
      if let summary = try RunSummary.read(in: path) {
        runs.append(IndexedRun(name: name, summary: summary))
      } else {
        unreadable.append((name, "its \(RunSummary.fileName) is damaged, or of another version"))
      }
    } catch {
      var isFolder: ObjCBool = false
      let isRun = name.wholeMatch(of: /\d{8}-\d{6}-.+-(?:[0-9A-Za-z]{7}|nocommit)(?:-\d{1,4})?/) != nil
      guard isRun, FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
        return
      }
      unreadable.append((name, "\(RunSummary.fileName): \(error.explanation)"))
    }
  }
}
