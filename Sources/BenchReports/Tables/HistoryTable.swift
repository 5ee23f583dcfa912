package import BenchResults
internal import Foundation
internal import HarnessPrimitives

/// `history.csv`: a row for each night, a column for each figure, as Apache Otava reads it.
package enum HistoryTable {
  /// Replaces the table beside the file of a history.
  package static func write(_ nights: [Night], beside history: String) throws {
    try OutputFile.replace(Data(text(of: nights).utf8), at: PathParts(history).folder + "/history.csv")
  }

  /// Returns the table. A value is the night's figure divided by the pinned build's: for a throughput, greater is
  /// better. Without a ratio it is `from 0` or `to 0`. A cell is blank if the night lacks the figure.
  /// - Parameter nights: the oldest first.
  package static func text(of nights: [Night]) -> String {
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
