internal import Foundation
internal import Glibc
internal import SystemFiles

/// `index.html` of the folder of all runs: their verdicts, the newest first.
///
/// Only the beginning of each `report.md` is read, so hundreds of runs are listed quickly. A folder with a run's name
/// and without a readable report is listed with the problem.
public enum ReportIndex {
  static let fileName = "index.html"

  /// Replaces the index atomically.
  /// - Parameter folder: The folder that contains the runs' folders.
  /// - Throws: `ReportError`; then the previous index is unchanged.
  public static func rewrite(in folder: String) throws {
    let partial = "\(folder)/.partial-index-\(UUID().uuidString)"
    let final = "\(folder)/\(fileName)"
    try UnfinishedOutput.writing(partial, for: folder) {
      let page = "\(partial)/\(fileName)"
      try OutputFile.write(Data(Self.page(of: entries(in: folder)).utf8), to: page)
      try UnfinishedOutput.publish {
        guard rename(page, final) == 0 else {
          throw ReportError(final, "the list of runs could not be replaced", code: errno)
        }
      }
    }
  }

  static func entries(in folder: String) throws -> [IndexedRun] {
    let names = try attempt("could not be listed", at: folder) {
      try FileManager.default.contentsOfDirectory(atPath: folder)
    }
    return names.compactMap { IndexedRun(name: $0, in: folder) }.sorted { ($0.time, $0.name) > ($1.time, $1.name) }
  }

  static func page(of entries: [IndexedRun]) -> String {
    var rows = ""
    for entry in entries {
      let verdict =
        entry.problem.map { HTMLText.element("em", content: "cannot be read: " + HTMLText.escaped($0)) }
        ?? HTMLText.escaped(entry.verdict)
      let remarks = entry.remarks.isEmpty ? "" : " (\(entry.remarks.joined(separator: ", ")))"
      let link = HTMLText.element(
        "a",
        [("href", entry.link)],
        content: HTMLText.escaped(entry.problem == nil ? "report" : "folder")
      )
      let cells = [
        HTMLText.escaped(entry.timeText), HTMLText.element("code", content: HTMLText.escaped(entry.scenario)),
        HTMLText.element("code", content: HTMLText.escaped(entry.commit)), verdict + remarks, link,
      ]
      rows += "<tr>" + cells.map { HTMLText.element("td", content: $0) }.joined() + "</tr>\n"
    }
    let head = ["time (UTC)", "scenario", "commit", "verdict", ""].map {
      HTMLText.element("th", [("scope", "col")], content: $0)
    }
    let table =
      "<div class=\"wide\"><table><thead><tr>\(head.joined())</tr></thead><tbody>\n\(rows)</tbody></table></div>"
    return HTMLPage.text(
      title: "Runs",
      body: "<h1>\(Quantity.count(entries.count, of: "run"))</h1>\n"
        + (entries.isEmpty ? "<p>No runs yet.</p>" : table)
    )
  }
}

/// A run, as read from its folder.
struct IndexedRun {
  let name: String
  /// Fourteen digits; empty if the folder's name is not of the form of a run's.
  let time: String
  let scenario: String
  let commit: String
  /// The heading of the report.
  let verdict: String
  /// The restrictions that apply, of "smoke" and "partial".
  let remarks: [String]
  /// The reason why the report cannot be read; nil if it can be read.
  let problem: String?
  /// Relative to the index.
  let link: String

  /// Returns nil if the folder is no run.
  init?(name: String, in folder: String) {
    var isFolder: ObjCBool = false
    let path = "\(folder)/\(name)"
    guard !name.hasPrefix("."), FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue
    else { return nil }
    let parts = name.wholeMatch(of: /(\d{8})-(\d{6})-(.+)-([0-9A-Za-z]{7}|nocommit)(-\d{1,4})?/)
    let head = Result { try Self.head(of: path + "/report.md") }
    let lines = (try? head.get())?.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) ?? []
    // A folder of another name is a run if it contains a report with a heading.
    guard parts != nil || lines.first?.hasPrefix("# ") == true else { return nil }
    self.name = name
    time = parts.map { String($0.1 + $0.2) } ?? ""
    scenario = parts.map { String($0.3) } ?? name
    commit = parts.map { String($0.4) } ?? Quantity.missing
    verdict = lines.first.map { InertText.plain(markdown: String($0.dropFirst(2))) } ?? ""
    remarks = [("**A smoke run", "smoke"), ("**Partial", "partial")].filter { sign, _ in
      lines.contains { $0.hasPrefix(sign) }
    }.map(\.1)
    switch head {
    case .failure(let error): problem = (error as? FileProblem)?.explanation ?? error.localizedDescription
    case .success: problem = lines.first?.hasPrefix("# ") == true ? nil : "its report has no verdict"
    }
    let hasPage = FileManager.default.fileExists(atPath: path + "/report.html")
    let file = problem != nil ? "" : hasPage ? "report.html" : "report.md"
    let allowed = CharacterSet(charactersIn: "-._~").union(.alphanumerics)
    // All characters of the name but letters, digits and `-._~` are encoded, so the link leads into the folder.
    link = "./" + (name.addingPercentEncoding(withAllowedCharacters: allowed) ?? "") + "/" + file
  }

  var timeText: String {
    guard time.count == 14 else { return Quantity.missing }
    let digits = Array(time)
    func part(_ range: Range<Int>) -> String { String(digits[range]) }
    return "\(part(0..<4))-\(part(4..<6))-\(part(6..<8)) \(part(8..<10)):\(part(10..<12)):\(part(12..<14))"
  }

  /// Returns the first two kilobytes of a file.
  private static func head(of path: String) throws -> String {
    String(decoding: try RegularFile(path: path).contents(upTo: 2_048), as: UTF8.self)
  }
}
