@testable import BenchReports

extension RunReport {
  /// `report.md`.
  var text: String { MarkdownReport.text(of: sections) }
  /// `report.html`.
  var page: String { HTMLReport.text(of: sections, links: links) }
}

extension ScenarioReport {
  /// `report.md`.
  var text: String { MarkdownReport.text(of: sections) }
  /// `report.html`.
  var page: String { HTMLReport.text(of: sections) }
}
