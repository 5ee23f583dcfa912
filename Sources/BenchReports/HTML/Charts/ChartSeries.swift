internal import Foundation
internal import NumericConversion

/// A line, an area or a cloud of dots of a chart.
struct ChartSeries {
  enum Shape {
    case line
    /// From the line down to the axis.
    case area
    case dots
  }

  /// Of a line, so that lines differ without colour.
  enum Dash: String {
    case solid, dashed, dotted
  }

  var name: String
  /// Chooses the colour, the pattern and the mark.
  var style: Int
  var shape = Shape.line
  var dash = Dash.solid
  var points: PlotSeries

  /// Of each column of pixels the lowest and the highest point are kept: no peak is lost, and no more is drawn than can
  /// be seen.
  /// - Parameters:
  ///   - columns: how many there are.
  ///   - range: what the columns show.
  static func thinned(_ series: PlotSeries, columns: Int, range: ClosedRange<Double>) -> PlotSeries {
    guard series.points.count > 2 * columns else { return series }
    var kept: [PlotSeries.Point] = []
    var column = -1
    var (lowest, highest) = (0, 0)
    func take() {
      kept.append(series.points[min(lowest, highest)])
      if lowest != highest { kept.append(series.points[max(lowest, highest)]) }
    }
    for (place, point) in series.points.enumerated() {
      let own = Int(saturating: (point.x - range.lowerBound) / (range.upperBound - range.lowerBound) * Double(columns))
      if own != column {
        if column >= 0 { take() }
        (column, lowest, highest) = (own, place, place)
      } else {
        if point.y < series.points[lowest].y { lowest = place }
        if point.y > series.points[highest].y { highest = place }
      }
    }
    take()
    let spacing = (range.upperBound - range.lowerBound) / Double(columns)
    return PlotSeries(points: kept, breaksAfterSeconds: series.breaksAfterSeconds.map { max($0, 3 * spacing) })
  }
}
