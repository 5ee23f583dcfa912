internal import BenchModel
internal import Foundation

/// `wal-and-latency.svg`: what the WAL did and what the actors felt, over the same time.
struct RunPicture: PlottedPicture {
  static let fileName = "wal-and-latency.svg"

  let script: String
  let data: [String: String]

  /// nil when the run has nothing to draw.
  init?(_ result: RunResult) {
    let wal = WALPanel(result)
    let latency = LatencyPanel(result)
    guard wal != nil || latency != nil else { return nil }
    let strip = EventStrip(result)
    let endSeconds = max(Double(result.endNanoseconds) / 1e9, 0.001)
    let bands = PhaseBands(phases: result.phases, endSeconds: endSeconds)
    let layout = PlotLayout(
      labelRows: bands.rowCount,
      hasWAL: wal != nil,
      stripRows: strip.rowCount,
      hasLatency: latency != nil
    )
    var panels: [(place: PlotLayout.Panel, commands: [String])] = []
    if let place = layout.wal, let wal { panels.append((place, wal.commands)) }
    if let place = layout.strip { panels.append((place, strip.commands)) }
    if let place = layout.latency, let latency { panels.append((place, latency.commands)) }

    var commands = Self.opening(result, layout: layout, endSeconds: endSeconds)
    for (position, panel) in panels.enumerated() {
      let isLast = position == panels.count - 1
      commands +=
        Self.frame(isLast: isLast) + layout.commands(for: panel.place) + [layout.keyCommand(for: panel.place)]
        + bands.bandCommands()
      if position == 0 {
        commands += Self.title(result, layout: layout, actorsLeftOut: latency?.actorsLeftOut ?? 0)
        commands += bands.labelCommands(in: layout)
      }
      commands += panel.commands
    }
    commands += ["unset multiplot", "set output", ""]
    script = commands.joined(separator: "\n")
    var data = strip.data
    data.merge(wal?.data ?? [:]) { $1 }
    data.merge(latency?.data ?? [:]) { $1 }
    self.data = data
  }

  private static func opening(_ result: RunResult, layout: PlotLayout, endSeconds: Double) -> [String] {
    [
      "set encoding utf8",
      "set terminal svg noenhanced fixed size \(PlotLayout.width),\(layout.height) font 'sans-serif,12' "
        + "background rgb 'white' linewidth 1 dashlength 1",
      "set output '\(fileName)'",
      "set multiplot",
      "set xrange [0:\(PlotSeries.written(endSeconds))]",
      "set border 3 linewidth 1 linecolor rgb '#8c959f'",
    ]
  }

  /// What each panel begins with, whatever the one before has left.
  private static func frame(isLast: Bool) -> [String] {
    [
      "unset label", "unset object", "unset arrow", "unset logscale", "unset ytics",
      "set ytics nomirror scale 0.6, 0.3 textcolor rgb '\(PlotText.ink)'",
      "set xtics nomirror scale 0.6, 0.3 \(isLast ? "format '%g'" : "format ''") textcolor rgb '\(PlotText.ink)'",
      isLast ? "set xlabel 'seconds since the first phase began' textcolor rgb '\(PlotText.ink)'" : "unset xlabel",
      "set grid ytics linewidth 0.6 linecolor rgb '#d0d7de' dashtype solid",
    ]
  }

  private static func title(_ result: RunResult, layout: PlotLayout, actorsLeftOut: Int) -> [String] {
    let y = layout.screenY(20)
    var remarks: [String] = []
    if actorsLeftOut > 0 { remarks.append("\(Quantity.count(actorsLeftOut, of: "actor")) more in timeseries.csv") }
    if result.phases.contains(where: { !$0.isRecorded }) { remarks.append("pale: not recorded") }
    return [
      "set label \(PlotText.quoted(result.scenario, limit: 60)) at screen \(PlotLayout.screenLeft), screen \(y) left "
        + "font ',17' textcolor rgb '\(PlotText.ink)'",
      "set label '\(remarks.joined(separator: "; "))' at graph 1, screen \(y) right "
        + "font ',\(PlotText.labelSize)' textcolor rgb '\(PlotText.gray)'",
    ]
  }
}
