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
  /// The line is broken where points are farther apart, as nothing was measured there; nil: never.
  var breaksAfterSeconds: Double?

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
    // Thinned points stand farther apart.
    let spacing = (points[points.count - 1].x - points[0].x) / Double(bucketCount)
    return PlotSeries(points: kept, breaksAfterSeconds: breaksAfterSeconds.map { max($0, 3 * spacing) })
  }

  /// As gnuplot reads it: two columns.
  var data: String {
    var data = ""
    var previous: Point?
    for point in points {
      if let previous, let breaksAfterSeconds, point.x - previous.x > breaksAfterSeconds { data += "\n" }
      data += "\(Self.written(point.x)) \(Self.written(point.y))\n"
      previous = point
    }
    return data
  }

  static func written(_ number: Double) -> String { String(format: "%.9g", number) }
}
