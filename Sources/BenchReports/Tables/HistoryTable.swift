public import BenchModel
internal import Foundation

/// `history.csv`: a row for each night, a column for each figure, as Apache Otava reads it.
public enum HistoryTable {
  /// Returns the table. The values are ratios to the pinned build, greater if worse; blank where a night lacks a
  /// figure.
  /// - Parameter nights: the oldest first.
  public static func text(of nights: [Night]) -> String {
    let names = Set(nights.flatMap(\.figures).filter { $0.role != .part }.map(\.name)).sorted()
    var table = CSVTable(columns: ["time", "commit", "reference"] + names.map(\.text))
    for night in nights {
      let effects = Dictionary(night.figures.map { ($0.name, $0.effect) }) { first, _ in first }
      table.append(
        [.text(night.time), .text(night.commit), .text(night.reference)]
          + names.map { effects[$0].map { .decimal(exp($0)) } ?? .missing }
      )
    }
    return table.contents
  }
}
