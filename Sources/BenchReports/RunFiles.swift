internal import Foundation

/// The files of a run and its neighbours, as links of its reports.
struct RunFiles {
  /// The path of the run's folder, relative to the report: empty, or with a slash at its end.
  var folder = ""
  /// The name of the folder of the previous run of the same scenario; nil if there is none.
  var previous: String?
  var hasLatencyLog = false

  func link(_ name: String) -> ReportText { .file(folder + name) }

  /// Links to the list of all runs and to the previous run.
  var links: [HTMLReport.Link] {
    let index = HTMLReport.Link(text: "All runs", path: "\(folder)../\(ReportIndex.fileName)")
    let before = previous.map {
      HTMLReport.Link(text: "Previous run of this scenario", path: "\(folder)../\($0)/report.html")
    }
    return [index] + (before.map { [$0] } ?? [])
  }

  var instruction: ReportText {
    "The command works in every folder; \(link("scenario.yaml")) includes the overrides of this run:"
  }

  /// Returns the path from a folder to another one, for use in links: empty, or with a slash at its end. All characters
  /// but letters, digits and `-._~` are encoded.
  static func path(from folder: String, to target: String) -> String {
    func parts(_ path: String) -> [String] {
      URL(fileURLWithPath: path).standardizedFileURL.path.split(separator: "/").map(String.init)
    }
    let (from, to) = (parts(folder), parts(target))
    let common = zip(from, to).prefix { $0 == $1 }.count
    let allowed = CharacterSet(charactersIn: "-._~").union(.alphanumerics)
    let steps =
      Array(repeating: "..", count: from.count - common)
      + to.dropFirst(common).map { $0.addingPercentEncoding(withAllowedCharacters: allowed) ?? "" }
    return steps.map { $0 + "/" }.joined()
  }
}
