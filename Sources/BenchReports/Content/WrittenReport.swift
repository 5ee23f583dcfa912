internal import Foundation

/// A report that is written as a file of Markdown and as a page.
protocol WrittenReport {
  var sections: [ReportSection] { get }
}

extension WrittenReport {
  var text: String { MarkdownReport.text(of: sections) }
  var page: String { HTMLReport.text(of: sections) }

  /// Writes both files, and replaces earlier ones.
  /// - Parameter name: The name of both files without its ending.
  func write(as name: String, in folder: String) throws {
    try OutputFile.replace(Data(text.utf8), at: "\(folder)/\(name).md")
    try OutputFile.replace(Data(page.utf8), at: "\(folder)/\(name).html")
  }
}
