internal import BenchModel
internal import Foundation

/// `variants.svg`: a small panel for each figure, in which every repetition of every variant is a dot.
struct VariantPicture: PlottedPicture {
  static let fileName = "variants.svg"

  private static let width = 1_120
  private static let panelHeight = 200
  private static let headHeight = 60
  private static let columns = 3
  private static let maximumRows = 8

  /// A figure that is drawn, and what of.
  private struct Panel {
    var title: String
    var unit: ComparedUnit
    var figures: [VariantFigure?]
  }

  let script: String
  let data: [String: String]

  /// nil where nothing can be held against anything.
  init?(_ comparison: VariantComparison, title: String) {
    let rows = Self.rows(comparison.groups)
    guard !rows.isEmpty else { return nil }
    let labels = comparison.variants.map { InertText.shortened($0.label, to: 16) }
    let height = Self.headHeight + rows.count * Self.panelHeight + 10
    var commands = [
      "set encoding utf8",
      "set terminal svg noenhanced fixed size \(Self.width),\(height) font 'sans-serif,12' "
        + "background rgb 'white' linewidth 1",
      "set output '\(Self.fileName)'",
      "set multiplot",
      "set border 3 linewidth 1 linecolor rgb '#8c959f'",
      "unset key",
      "set errorbars 0",
    ]
    var data: [String: String] = [:]
    for (row, panels) in rows.enumerated() {
      for (column, panel) in panels.enumerated() {
        let name = "panel-\(row)-\(column)"
        let scale = Self.scale(panel)
        data[name + "-dots.dat"] = Self.dots(panel, scale.factor)
        data[name + "-marks.dat"] = Self.marks(panel, scale.factor)
        commands += Self.placed(row, column, height)
        if row == 0, column == 0 { commands += Self.head(title, height) }
        commands += Self.commands(panel, scale.name, labels, name)
      }
    }
    commands += ["unset multiplot", "set output", ""]
    script = commands.joined(separator: "\n")
    self.data = data
  }

  /// For an actor its throughput and the percentiles that count its wait; for a connection what its caches did most.
  private static func rows(_ groups: [ComparedGroup]) -> [[Panel]] {
    let rows = groups.filter { $0.kind != .phase }.map { group in
      let owner = [group.phase, group.owner].compactMap { $0 }.joined(separator: "/")
      let shown = group.columns.filter { column in
        // A counter that nothing moves says nothing. Without any figure there is nothing to draw.
        column.figures.contains { figure in figure.map { group.kind == .actor || $0.highest > 0 } ?? false }
      }
      let preferred = group.kind == .actor ? shown : shown.filter { $0.name != "cache_hits_per_operation" }
      return preferred.prefix(columns).map { column in
        Panel(title: "\(owner): \(column.title)", unit: column.unit, figures: column.figures)
      }
    }
    return Array(rows.filter { !$0.isEmpty }.prefix(maximumRows))
  }

  /// By what values are divided so that the axis has short numbers, and the unit's name.
  private static func scale(_ panel: Panel) -> (factor: Double, name: String) {
    let highest = panel.figures.compactMap { $0?.highest }.max() ?? 0
    func chosen(_ units: [(Double, String)]) -> (Double, String) {
      units.first { highest >= $0.0 } ?? units[units.count - 1]
    }
    switch panel.unit {
    case .nanoseconds: return chosen([(1e9, "s"), (1e6, "ms"), (1e3, "µs"), (1, "ns")])
    case .perSecond: return chosen([(1e6, "million/s"), (1e3, "thousand/s"), (1, "/s")])
    case .bytes, .byteSeconds: return chosen([(1_073_741_824, "GiB"), (1_048_576, "MiB"), (1_024, "KiB"), (1, "B")])
    case .share: return (1, "")
    }
  }

  private static func dots(_ panel: Panel, _ factor: Double) -> String {
    var lines = ""
    for (index, figure) in panel.figures.enumerated() {
      let values = figure?.ofRepetitions ?? []
      for (position, value) in values.enumerated() {
        // Side by side, so that equal ones are both seen.
        let offset = (Double(position) - Double(values.count - 1) / 2) * min(0.12, 0.5 / Double(values.count))
        lines += "\(PlotSeries.written(Double(index) + offset)) \(PlotSeries.written(value / factor))\n"
      }
    }
    return lines
  }

  private static func marks(_ panel: Panel, _ factor: Double) -> String {
    var lines = ""
    for (index, figure) in panel.figures.enumerated() {
      if let figure { lines += "\(index) \(PlotSeries.written(figure.value / factor)) 0.3\n" }
    }
    return lines
  }

  private static func placed(_ row: Int, _ column: Int, _ height: Int) -> [String] {
    func share(_ part: Int, of whole: Int) -> String { PlotSeries.written(Double(part) / Double(whole)) }
    let panelWidth = width / columns
    let top = headHeight + row * panelHeight
    return [
      "unset label", "unset object", "unset arrow",
      "set lmargin at screen \(share(column * panelWidth + 64, of: width))",
      "set rmargin at screen \(share((column + 1) * panelWidth - 12, of: width))",
      "set tmargin at screen \(share(height - top - 26, of: height))",
      "set bmargin at screen \(share(height - top - panelHeight + 34, of: height))",
    ]
  }

  private static func head(_ title: String, _ height: Int) -> [String] {
    let remark = "a dot is a repetition, a line the variant's figure; every axis begins at 0"
    let y = PlotSeries.written(Double(height - 22) / Double(height))
    return [
      "set label \(PlotText.quoted(title, limit: 60)) at screen 0.014, screen \(y) left font ',17' "
        + "textcolor rgb '\(PlotText.ink)'",
      "set label \(PlotText.quoted(remark, limit: 120)) at screen 0.986, screen \(y) right "
        + "font ',\(PlotText.labelSize)' textcolor rgb '\(PlotText.gray)'",
    ]
  }

  private static func commands(_ panel: Panel, _ unit: String, _ labels: [String], _ name: String) -> [String] {
    let tics = labels.enumerated().map { "\(PlotText.quoted($1)) \($0)" }.joined(separator: ", ")
    // Where names would run into each other they lean.
    let isCrowded = labels.map(\.count).reduce(0, +) > 40
    let title = unit.isEmpty ? panel.title : "\(panel.title), \(unit)"
    return [
      "set label \(PlotText.quoted(title, limit: 48)) at graph 0, graph 1.09 left "
        + "font ',\(PlotText.labelSize)' textcolor rgb '\(PlotText.ink)'",
      "set xrange [-0.6:\(Double(labels.count) - 0.4)]",
      "set yrange [0:*]",
      "set offsets 0, 0, graph 0.08, 0",
      "set xtics nomirror scale 0 (\(tics)) \(isCrowded ? "rotate by -20" : "norotate") "
        + "textcolor rgb '\(PlotText.ink)'",
      "set ytics nomirror scale 0.6 autofreq textcolor rgb '\(PlotText.ink)'",
      "set grid ytics linewidth 0.6 linecolor rgb '#d0d7de' dashtype solid",
      "plot '\(name)-marks.dat' using 1:2:3 with xerrorbars pointtype -1 linewidth 2 "
        + "linecolor rgb '\(PlotText.colors[0])', \\",
      "  '\(name)-dots.dat' with points pointtype 7 pointsize 0.5 linecolor rgb '\(PlotText.colors[1])'",
    ]
  }
}
