internal import BenchModel
internal import NumericConversion

/// The upper panel: how large the WAL file is, and how much of it is not in the database yet.
struct WALPanel {
  private let unit: (name: String, bytes: Double)
  private let size: PlotSeries
  private let backlog: PlotSeries

  init?(_ result: RunResult) {
    let samples = result.samples.compactMap { sample in
      sample.wal.map { (seconds: Double(sample.elapsedNanoseconds) / 1e9, wal: $0) }
    }
    guard !samples.isEmpty else { return nil }
    let frameBytes = Double(result.frameBytes)
    let highest = samples.map { max(Double($0.wal.bytes), Double($0.wal.backlogFrames) * frameBytes) }.max() ?? 0
    let unit = Self.unit(for: highest)
    self.unit = unit
    size = PlotSeries(points: samples.map { .init(x: $0.seconds, y: Double($0.wal.bytes) / unit.bytes) })
    backlog = PlotSeries(
      points: samples.map { .init(x: $0.seconds, y: Double($0.wal.backlogFrames) * frameBytes / unit.bytes) }
    )
  }

  private static func unit(for bytes: Double) -> (name: String, bytes: Double) {
    let units = [("GiB", 1_073_741_824.0), ("MiB", 1_048_576), ("KiB", 1_024)]
    return units.first { bytes >= 2 * $0.1 } ?? ("B", 1)
  }

  var data: [String: String] {
    ["wal-size.dat": size.downsampled().data, "wal-backlog.dat": backlog.downsampled().data]
  }

  /// The first moment of the greatest size, in words that lean to the side with room.
  private var peakCommand: String {
    guard let peak = size.points.max(by: { $0.y < $1.y }), let last = size.points.last else { return "" }
    let text = Quantity.bytes(Int(saturating: peak.y * unit.bytes))
    let side = peak.x > last.x / 2 ? "right offset character -0.6, 0.7" : "left offset character 0.6, 0.7"
    return "set label 'peak \(text)' at \(PlotSeries.written(peak.x)), \(PlotSeries.written(peak.y)) \(side) front "
      + "font ',\(PlotText.labelSize)' textcolor rgb '\(PlotText.ink)'"
  }

  var commands: [String] {
    let blue = PlotText.colors[0]
    let vermilion = PlotText.colors[1]
    let backlogStyle = backlog.points.count > PlotSeries.maximumPoints ? "linewidth 0.8" : "linewidth 2 dashtype (6,3)"
    return [
      PlotLayout.axisCommand("WAL, \(unit.name)"),
      peakCommand,
      "set yrange [0:*]",
      "set offsets 0, 0, graph 0.12, 0",
      "plot 'wal-size.dat' with filledcurves y1=0 fillcolor rgb '#cfe3f3' notitle, \\",
      "  'wal-backlog.dat' with filledcurves y1=0 fillcolor rgb '#f9ddcb' notitle, \\",
      "  'wal-size.dat' with lines linewidth 1.6 linecolor rgb '\(blue)' title 'WAL file', \\",
      "  'wal-backlog.dat' with lines \(backlogStyle) linecolor rgb '\(vermilion)' title 'not yet copied'",
      "unset offsets",
    ]
  }
}
