internal import Foundation

/// The files of a run and its neighbours, as links of its reports.
struct RunFiles {
  /// The path of the run's folder, relative to the report: empty, or with a slash at its end.
  var folder = ""
  var earlier = EarlierRuns()
  var hasLatencyLog = false

  func link(_ name: String) -> ReportText { .file(folder + name) }

  /// Links to the list of all runs, to the previous run and to the page of words.
  var links: [HTMLReport.Link] {
    let index = HTMLReport.Link(text: "All runs", path: "\(folder)../\(ReportIndex.fileName)")
    let before = earlier.previous.map {
      HTMLReport.Link(text: "Previous run of this scenario", path: "\(folder)../\($0)/report.html")
    }
    let words = HTMLReport.Link(text: "Words", path: "\(folder)../\(ReportWords.fileName)")
    return [index] + (before.map { [$0] } ?? []) + [words]
  }

  /// Returns the section with the command that repeats the run, and with the files of figures.
  /// - Parameters:
  ///   - tables: The first files and their contents.
  ///   - end: The end of the sentence about the files.
  func repetition(by command: String, tables: ReportText, end: ReportText = ".") -> ReportSection {
    var figures: ReportText =
      "The figures are in \(tables), \(link("timeseries.csv")) (base units: seconds, bytes), \(link("pins.csv")), "
      + "\(link("checkpoints.csv")), "
    if hasLatencyLog { figures += "\(link(LatencyLogFile.name)) (histograms of each second), " }
    figures += "and \(link("run.json")) (everything)" + end
    let instruction: ReportText =
      "The command works in every folder; \(link("scenario.yaml")) includes the overrides of this run:"
    return .repetition([.paragraph([instruction]), .command(command), .paragraph([figures])])
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
