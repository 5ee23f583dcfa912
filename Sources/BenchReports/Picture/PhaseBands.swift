internal import BenchModel

/// The phases behind and above the panels: recorded ones shaded and named in dark letters, the others faded.
struct PhaseBands {
  private struct Label {
    var text: String
    var isRecorded: Bool
    /// Pixels from the panels' left edge to the label's.
    var left: Double
    var row: Int
  }

  private static let maximumRows = 3

  private let phases: [PhaseResult]
  private let endSeconds: Double
  private let labels: [Label]
  let rowCount: Int

  init(phases: [PhaseResult], endSeconds: Double) {
    self.phases = phases
    self.endSeconds = endSeconds
    labels = Self.placed(phases, endSeconds: endSeconds)
    rowCount = (labels.map(\.row).max() ?? -1) + 1
  }

  /// Each name stands over the middle of its phase, in the first row that has room; one without room is left out, as
  /// its neighbours tell where it is.
  private static func placed(_ phases: [PhaseResult], endSeconds: Double) -> [Label] {
    let width = Double(PlotLayout.plotWidth)
    var rowEnds = Array(repeating: -Double.infinity, count: maximumRows)
    var labels: [Label] = []
    for phase in phases {
      let start = Double(phase.startNanoseconds) / 1e9 / endSeconds * width
      let end = Double(phase.endNanoseconds) / 1e9 / endSeconds * width
      let text = InertText.shortened(phase.name, to: 24)
      let labelWidth = Double(text.count) * PlotText.characterWidth
      let left = max(0, min((start + end - labelWidth) / 2, width - labelWidth))
      guard let row = rowEnds.firstIndex(where: { $0 + 12 <= left }) else { continue }
      rowEnds[row] = left + labelWidth
      labels.append(Label(text: text, isRecorded: phase.isRecorded, left: left, row: row))
    }
    return labels
  }

  func labelCommands(in layout: PlotLayout) -> [String] {
    labels.map { label in
      let x = label.left / Double(PlotLayout.plotWidth)
      let color = label.isRecorded ? PlotText.ink : PlotText.gray
      // The first row is the lowest, nearest to the panel.
      let y = layout.labelY(row: rowCount - 1 - label.row)
      return "set label \(PlotText.quoted(label.text)) at graph \(PlotSeries.written(x)), screen \(y) left "
        + "font ',\(PlotText.labelSize)' textcolor rgb '\(color)'"
    }
  }

  /// The shades, the borders and the veil over what was not recorded.
  func bandCommands() -> [String] {
    var commands: [String] = []
    for (position, phase) in phases.enumerated() {
      let start = PlotSeries.written(Double(phase.startNanoseconds) / 1e9)
      let end = PlotSeries.written(Double(phase.endNanoseconds) / 1e9)
      let area = "rectangle from \(start), graph 0 to \(end), graph 1"
      if phase.isRecorded {
        let shade = position.isMultiple(of: 2) ? "#eef1f5" : "#f5f7f9"
        commands.append("set object \(area) behind fillcolor rgb '\(shade)' fillstyle solid noborder")
      } else {
        commands.append("set object \(area) front fillcolor rgb 'white' fillstyle transparent solid 0.62 noborder")
      }
      if position > 0 {
        commands.append(
          "set arrow from \(start), graph 0 to \(start), graph 1 nohead front linewidth 1 dashtype '-' "
            + "linecolor rgb '#8c959f'"
        )
      }
    }
    return commands
  }
}
