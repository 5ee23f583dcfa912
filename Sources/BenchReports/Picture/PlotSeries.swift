internal import Foundation

/// A line of a picture: points in order of time.
struct PlotSeries {
  struct Point: Equatable {
    /// Seconds since the first phase began.
    var x: Double
    var y: Double
  }

  /// More than this no screen can tell apart.
  static let maximumPoints = 2_000

  var points: [Point]

  /// At most `limit` points. Each bucket of neighbours keeps its lowest and its highest one, so that no peak is lost.
  func downsampled(to limit: Int = maximumPoints) -> PlotSeries {
    guard points.count > limit, limit >= 2 else { return self }
    let bucketCount = limit / 2
    var kept: [Point] = []
    kept.reserveCapacity(limit)
    for bucket in 0..<bucketCount {
      let range = (bucket * points.count / bucketCount)..<((bucket + 1) * points.count / bucketCount)
      let indices = Array(range)
      guard let lowest = indices.min(by: { points[$0].y < points[$1].y }),
        let highest = indices.max(by: { points[$0].y < points[$1].y })
      else { continue }
      if lowest == highest {
        kept.append(points[lowest])
      } else {
        kept.append(points[min(lowest, highest)])
        kept.append(points[max(lowest, highest)])
      }
    }
    return PlotSeries(points: kept)
  }

  /// As gnuplot reads it: two columns.
  var data: String {
    points.map { "\(Self.written($0.x)) \(Self.written($0.y))\n" }.joined()
  }

  static func written(_ number: Double) -> String { String(format: "%.9g", number) }
}
