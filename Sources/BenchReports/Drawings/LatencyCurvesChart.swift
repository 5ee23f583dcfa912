internal import BenchResults
internal import Foundation
internal import LatencyMetrics

/// Percentile curves on an axis on which each further nine of a percentile takes the same width.
enum LatencyCurvesChart {
  private static let mostCharts = 32

  /// Response and service times of each actor in each recorded phase; of a closed load only service times.
  static func drawings(_ result: RunResult) -> ReportDrawings? {
    var curves: [(title: String, series: [ChartSeries])] = []
    for phase in result.phases where phase.isRecorded {
      for actor in result.actors(in: phase.name).withoutDuplicates {
        let kinds: [TimeKind] =
          result.actor(actor, in: phase.name)?.load == .closed ? [.service] : [.response, .service]
        let series = kinds.compactMap { kind in
          result.transactions(actor, kind, in: phase.name).flatMap { histogram in
            self.series(histogram, named: kind.rawValue, style: kind == .response ? 0 : 1)
          }
        }
        if !series.isEmpty { curves.append((title(actor, in: phase.name), series)) }
      }
    }
    return drawings(curves, description: "Percentiles of response and service time of")
  }

  /// The curves of each actor's transactions in the first eight variants, over all repetitions: service times if the
  /// load is closed in all runs, otherwise response times. nil if there is only one variant.
  static func drawings(_ result: ScenarioResult) -> ReportDrawings? {
    guard result.variants.count > 1 else { return nil }
    var curves: [(title: String, series: [ChartSeries])] = []
    for phase in result.first.phases where phase.isRecorded {
      for actor in result.runs.flatMap({ $0.actors(in: phase.name) }).withoutDuplicates {
        let isClosed = result.runs.allSatisfy { $0.actor(actor, in: phase.name)?.load == .closed }
        let kind: TimeKind = isClosed ? .service : .response
        let series = result.variants.prefix(ChartStyle.count).enumerated().compactMap { index, variant in
          let histograms = result.runsWithFigures(of: variant).compactMap {
            $0.transactions(actor, kind, in: phase.name)
          }
          return histograms.sum().flatMap {
            self.series($0, named: InertText.shortened(variant.label, to: 24), style: index)
          }
        }
        if !series.isEmpty { curves.append(("\(title(actor, in: phase.name)), \(kind.rawValue)", series)) }
      }
    }
    return drawings(curves, description: "Percentiles of the variants of")
  }

  private static func drawings(
    _ curves: [(title: String, series: [ChartSeries])],
    description: String
  ) -> ReportDrawings? {
    let charts = charts(of: curves.map { ($0.title, "\(description) \($0.title)", $0.series) })
    guard !charts.isEmpty else { return nil }
    let caption: ReportText =
      "Percentile curves of transactions. Each further nine of a percentile takes the same width; a curve ends at its "
      + "largest sample. All charts have the same axes."
    let left = curves.count - mostCharts
    return ReportDrawings(charts: Array(charts.prefix(mostCharts)), caption: caption + .more(left, "are not drawn"))
  }

  /// Returns small charts with the same axes; none without a point.
  static func charts(of curves: [(title: String, description: String, series: [ChartSeries])]) -> [Chart] {
    let points = curves.flatMap { $0.series }.flatMap(\.points)
    guard let lowest = points.map(\.y).min(), let highest = points.map(\.y).max(),
      let tail = points.map(\.x).max()
    else { return [] }
    return curves.map { curve in
      Chart(
        description: curve.description,
        scale: .tail(to: tail),
        axis: "percentile",
        title: curve.title,
        series: curve.series,
        vertical: .logarithmic(from: lowest, to: highest, .nanoseconds),
        isSmall: true
      )
    }
  }

  private static func title(_ actor: String, in phase: String) -> String {
    InertText.shortened(actor, to: 20) + " in " + InertText.shortened(phase, to: 16)
  }

  /// Returns the curve of a histogram; nil if the histogram is empty.
  static func series(_ histogram: LatencyHistogram, named name: String, style: Int) -> ChartSeries? {
    guard !histogram.isEmpty else { return nil }
    let count = Double(histogram.count)
    let end = log10(count)
    var points: [ChartSeries.Point] = []
    var seen = 0
    for (nanoseconds, share) in histogram.recorded {
      // The position of the percentile at which this value begins.
      let x = -log10(1 - Double(seen) / count)
      if let last = points.last, x - last.x < 0.012 {
        points[points.count - 1].y = Double(nanoseconds)
      } else {
        points.append(.init(x: x, y: Double(nanoseconds)))
      }
      seen += share
    }
    points.append(.init(x: end, y: Double(histogram.maximum)))
    return ChartSeries(name: name, style: style, dash: style % 2 == 0 ? .solid : .dashed, points: points)
  }
}
