internal import BenchModel

/// The parts of the WAL over time, one on the other: what each connection alone kept, what several did, what no
/// checkpoint had copied, and what was free.
enum BlameFigure {
  private static let mostConnections = 4

  private struct Part {
    var name: String
    var bytes: [Double]
  }

  static func figure(_ result: RunResult) -> DrawnFigure? {
    let samples = result.samples.filter { $0.wal != nil }
    guard samples.count > 1 else { return nil }
    let parts = parts(samples, result)
    var heights = Array(repeating: 0.0, count: samples.count)
    var series: [ChartSeries] = []
    let moments = samples.map { Double($0.elapsedNanoseconds) / 1e9 }
    for (index, part) in parts.enumerated() {
      for place in heights.indices { heights[place] += part.bytes[place] }
      let points = zip(moments, heights).map { PlotSeries.Point(x: $0, y: $1) }
      series.append(
        ChartSeries(name: part.name, style: index, shape: .area, points: PlotSeries(points: points))
      )
    }
    guard let highest = heights.max(), highest > 0 else { return nil }
    let end = max(Double(result.endNanoseconds) / 1e9, 0.001)
    let chart = Chart(
      description: "What kept the WAL over time, part on part",
      scale: Chart.time(to: end),
      axis: "since the first phase began",
      bands: TimelineFigure.bands(result),
      panels: [
        // The whole behind, and each smaller sum before it.
        Chart.Panel(title: "What kept the WAL", content: .series(series.reversed(), .linear(to: highest, .bytes)))
      ]
    )
    let caption: ReportText =
      "Each area lies on those below it; a reading is the height of an area's edge, so its part and all below. The "
      + "edge of the highest is the size of the WAL as its parts add up to it."
    return DrawnFigure(charts: [chart], caption: caption)
  }

  private static func parts(_ samples: [EngineSample], _ result: RunResult) -> [Part] {
    let shown = result.blame.connections.filter { $0.aloneByteSeconds > 0 }
      .sorted { ($0.aloneByteSeconds, $1.name) > ($1.aloneByteSeconds, $0.name) }
      .prefix(mostConnections).map(\.name)
    let frameBytes = Double(result.frameBytes)
    func alone(_ sample: EngineSample, _ isWanted: (String) -> Bool) -> Double {
      sample.connections.reduce(0) { $0 + (isWanted($1.name) ? Double($1.framesHeldAlone) * frameBytes : 0) }
    }
    func part(_ name: String, _ bytes: (EngineSample, EngineSample.WAL) -> Double) -> Part {
      Part(name: name, bytes: samples.map { sample in sample.wal.map { max(0, bytes(sample, $0)) } ?? 0 })
    }
    var parts = shown.map { name in
      part("\(InertText.shortened(name, to: 20)) alone") { sample, _ in alone(sample) { $0 == name } }
    }
    parts.append(part("others, each alone") { sample, _ in alone(sample) { !shown.contains($0) } })
    parts.append(
      part("several together") { sample, wal in Double(wal.heldFrames) * frameBytes - alone(sample) { _ in true } }
    )
    parts.append(part("not yet copied") { _, wal in Double(wal.backlogFrames - wal.heldFrames) * frameBytes })
    parts.append(part("copied and free") { _, wal in Double(wal.bytes) - Double(wal.backlogFrames) * frameBytes })
    return parts.filter { $0.bytes.contains { $0 > 0 } }
  }
}
