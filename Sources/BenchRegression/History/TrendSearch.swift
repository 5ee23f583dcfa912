public import BenchModel

/// Finds the alarms of a history.
public struct TrendSearch: Sendable {
  /// The number of nights by which a change point may move when nights are added, and still be the same alarm.
  public static let tolerance = 2

  /// The smallest change that counts, as a logarithm.
  public var minimumMagnitude: Double
  public var seed: UInt64

  public init(minimumMagnitude: Double, seed: UInt64 = 1) {
    self.minimumMagnitude = minimumMagnitude
    self.seed = seed
  }

  /// Returns the alarms of a figure: the known ones, unchanged, and new ones.
  ///
  /// Nights on another machine, or with another pinned build, are another series. The search covers the last series.
  public func alarms(of figure: FigureName, in nights: [Night], known: [TrendAlarm]) -> [TrendAlarm] {
    let own = known.filter { $0.figure == figure }
    let series = Self.lastSeries(nights.filter { $0.effect(of: figure) != nil })
    let search = ChangePointSearch(minimumMagnitude: minimumMagnitude, seed: seed)
    // A change at the last index that the search allows may really be later; the next night shows it.
    let found = search.changePoints(in: series.map { $0.effect(of: figure) ?? 0 }).points
      .filter { series.count - $0.index > search.minimumSegment }
    let fresh = found.filter { point in
      !own.contains { alarm in
        guard let index = series.firstIndex(where: { $0.time == alarm.firstTime }) else { return false }
        return abs(index - point.index) <= Self.tolerance
      }
    }
    return own
      + fresh.map { point in
        TrendAlarm(
          figure: figure,
          lastTime: series[point.index - 1].time,
          lastCommit: series[point.index - 1].commit,
          firstTime: series[point.index].time,
          firstCommit: series[point.index].commit,
          magnitude: point.magnitude,
          pValue: point.pValue
        )
      }
  }

  private static func lastSeries(_ nights: [Night]) -> [Night] {
    guard let last = nights.last else { return [] }
    let start = nights.lastIndex { !$0.isComparable(with: last) }
    return Array(nights[(start.map { $0 + 1 } ?? 0)...])
  }
}
