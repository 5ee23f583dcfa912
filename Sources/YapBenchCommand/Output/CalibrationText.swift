internal import BenchRegression
internal import BenchReports
internal import BenchResults
internal import Foundation

/// The noise of the machine: the changes and the false alarms that comparisons of equal builds have shown.
struct CalibrationText {
  let calibration: Calibration
  /// The figures of the newest comparison, which select the rows of the table.
  let figures: [FigureResult]

  var lines: [String] {
    guard let result = calibration.result else { return [] }
    let noise = Quantity.count(result.comparisons, of: "comparison") + " of equal builds on this machine"
    return ["noise in \(noise):"] + table.map { "  " + $0 } + [
      "false alarms: \(result.falseAlarms) of \(Quantity.count(result.figures, of: "figure")), "
        + "\(Quantity.percent(result.lowerRate)) to \(Quantity.percent(result.upperRate)) with 95 % confidence"
    ]
  }

  /// The rows of the table. The noise of a figure is the change that 95 % of the comparisons did not exceed. The
  /// detectable change is that of the newest comparison, with its number of pairs.
  private var table: [String] {
    let deciding = figures.filter { $0.role == .primary }.sorted { $0.name < $1.name }
    let rows = deciding.compactMap { figure -> [String]? in
      guard let noise = calibration.margins.noiseFloors[figure.name] else { return nil }
      let margin = calibration.margins.margin(of: figure.name, figure.role)
      let detectable = figure.detectablePercent.map { Quantity.percent($0 / 100) } ?? Quantity.missing
      return [
        InertText.line(figure.name.text), Quantity.percent(expm1(noise)), Quantity.percent(expm1(margin)), detectable,
      ]
    }
    return AlignedColumns.lines([["FIGURE", "NOISE", "MARGIN", "DETECTABLE"]] + rows)
  }
}
