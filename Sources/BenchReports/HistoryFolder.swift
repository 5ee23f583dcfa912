public import BenchModel
internal import Foundation

/// The files beside a history: `history.csv`, and its report as `trend.md` and `trend.html`.
public enum HistoryFolder {
  /// - Parameter history: the path of the history's file.
  public static func writeTable(of nights: [Night], beside history: String) throws {
    try OutputFile.replace(Data(HistoryTable.text(of: nights).utf8), at: folder(of: history) + "/history.csv")
  }

  /// - Returns: the path of the page.
  public static func write(_ report: HistoryReport, beside history: String) throws -> String {
    let page = folder(of: history) + "/trend.html"
    try OutputFile.replace(Data(report.text.utf8), at: folder(of: history) + "/trend.md")
    try OutputFile.replace(Data(report.page.utf8), at: page)
    return page
  }

  private static func folder(of history: String) -> String {
    let folder = (history as NSString).deletingLastPathComponent
    return folder.isEmpty ? "." : folder
  }
}
