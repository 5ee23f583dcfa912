public import BenchResults
internal import Foundation
internal import HarnessPrimitives

/// The files beside a history: its table `history.csv`, and its report as `trend.md` and `trend.html`.
public enum HistoryFolder {
  /// - Parameter history: the path of the history's file.
  public static func writeTable(of nights: [Night], beside history: String) throws {
    let folder = PathParts(history).folder
    try OutputFile.replace(Data(HistoryTable.text(of: nights).utf8), at: folder + "/history.csv")
  }

  /// - Returns: the path of the page.
  public static func write(_ report: HistoryReport, beside history: String) throws -> String {
    let folder = PathParts(history).folder
    try report.write(as: "trend", in: folder)
    return folder + "/trend.html"
  }
}

/// `history.csv`: a row for each night, a column for each figure, as Apache Otava reads it.
public enum HistoryTable {
  /// Returns the table. A value is the night's figure divided by the pinned build's: for a throughput, greater is
  /// better. Without a ratio it is `from 0` or `to 0`. A cell is blank if the night lacks the figure.
  /// - Parameter nights: the oldest first.
  public static func text(of nights: [Night]) -> String {
    let names = Set(nights.flatMap(\.figures).filter { $0.role != .part }.map(\.name)).sorted()
    var table = CSVTable(columns: ["time", "commit", "reference"] + names.map(\.text))
    for night in nights {
      let figures = Dictionary(night.figures.map { ($0.name, $0) }) { first, _ in first }
      table.append(
        [.text(night.time), .text(night.commit), .text(night.reference)]
          + names.map { name in figures[name].map(cell) ?? .missing }
      )
    }
    return table.contents
  }

  private static func cell(_ figure: Night.Figure) -> CSVTable.Cell {
    figure.ratio.map(CSVTable.Cell.decimal) ?? .optional(ChangeText.zero(base: figure.base, head: figure.head))
  }
}
