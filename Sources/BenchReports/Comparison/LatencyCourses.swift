internal import BenchModel
internal import Foundation
internal import NumericConversion

/// What each actor waited, second by second: the lines of a picture, whoever draws it.
struct LatencyCourses {
  enum Statistic: String {
    case maximum = "max"
    case p99, p50
  }

  struct Course {
    var actor: String
    var actorIndex: Int
    var statistic: Statistic
    /// In seconds. A value stands in the middle of its interval.
    var series: PlotSeries
  }

  /// With more, only the p99 of each is drawn.
  private static let actorsInFull = 3
  private static let maximumActors = 8

  let courses: [Course]
  /// What is drawn.
  let axis: String
  /// Powers of ten around all values, in seconds.
  let range: (low: Double, high: Double)
  /// Actors that are only in the CSV.
  let actorsLeftOut: Int

  /// nil where nothing was timed.
  init?(_ result: RunResult) {
    let intervals = result.intervals.filter { $0.count > 0 }
    var actors: [String] = []
    for interval in intervals where !actors.contains(interval.actor) { actors.append(interval.actor) }
    guard !actors.isEmpty else { return nil }
    actorsLeftOut = max(0, actors.count - Self.maximumActors)
    let statistics: [Statistic] = actors.count <= Self.actorsInFull ? [.maximum, .p99, .p50] : [.p99]
    var courses: [Course] = []
    var kinds: Set<TimeKind> = []
    for (index, actor) in actors.prefix(Self.maximumActors).enumerated() {
      let own = intervals.filter { $0.actor == actor }
      let hasResponse = own.contains { $0.kind == .response }
      let kind: TimeKind = hasResponse && !result.isClosedLoad(actor: actor) ? .response : .service
      let shown = own.filter { $0.kind == kind }.sorted { $0.startNanoseconds < $1.startNanoseconds }
      guard !shown.isEmpty else { continue }
      kinds.insert(kind)
      courses += statistics.map { statistic in
        Course(actor: actor, actorIndex: index, statistic: statistic, series: Self.series(shown, statistic))
      }
    }
    let values = courses.flatMap { $0.series.points.map(\.y) }
    guard let lowest = values.min(), let highest = values.max() else { return nil }
    self.courses = courses
    axis = kinds == [.response] ? "response time" : kinds == [.service] ? "service time" : "response (closed: service)"
    range = Self.decades(around: lowest, highest)
  }

  /// - Parameters:
  ///   - lowest: in any unit, above 0, as is `highest`.
  static func decades(around lowest: Double, _ highest: Double) -> (low: Double, high: Double) {
    (pow(10, log10(lowest).rounded(.down)), pow(10, (log10(highest) + 0.05).rounded(.up)))
  }

  private static func series(_ intervals: [IntervalResult], _ statistic: Statistic) -> PlotSeries {
    PlotSeries(
      points: intervals.map { interval in
        let nanoseconds =
          switch statistic {
          case .maximum: interval.maximumNanoseconds
          case .p99: interval.p99Nanoseconds
          case .p50: interval.p50Nanoseconds
          }
        let middle = (Double(interval.startNanoseconds) + Double(interval.endNanoseconds)) / 2e9
        return .init(x: middle, y: Double(max(1, nanoseconds)) / 1e9)
      },
      breaksAfterSeconds: 2.5
    )
  }

  /// Such as `10 µs`, without the decimals that a measured value has.
  static func name(ofDecade seconds: Double) -> String {
    let exponent = Int(saturating: (log10(seconds) + 9).rounded())
    let units = ["ns", "µs", "ms", "s"]
    let unit = min(max(exponent, 0) / 3, units.count - 1)
    return Quantity.count(Int(saturating: pow(10, Double(exponent - 3 * unit)).rounded())) + " \(units[unit])"
  }
}
