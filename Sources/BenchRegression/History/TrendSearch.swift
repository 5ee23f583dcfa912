package import BenchResults

/// Finds the alarms of a history.
package struct TrendSearch: Sendable {
  /// The number of nights by which a change point may move when nights are added, and still be the same alarm.
  package static let tolerance = 2

  /// The smallest change that counts, as a logarithm.
  package var minimumMagnitude: Double
  package var seed: UInt64

  package init(minimumMagnitude: Double, seed: UInt64 = 1) {
    self.minimumMagnitude = minimumMagnitude
    self.seed = seed
  }

  /// Returns the alarms of a figure that are not known.
  /// - Parameters:
  ///   - nights: the nights of one series, the oldest first. Nights without the figure are passed over.
  ///   - known: alarms of any figures and series.
  package func newAlarms(of figure: FigureName, in nights: [Night], known: [TrendAlarm]) -> [TrendAlarm] {
    let nights = nights.filter { $0.effect(of: figure) != nil }
    let knownIndices = known.filter { $0.figure == figure }.compactMap { nights.firstIndex(where: $0.begins) }
    var search = ChangePointSearch(minimumMagnitude: minimumMagnitude, seed: seed)
    search.minimumSegment = TrendAlarm.nightsBefore
    return search.changePoints(in: nights.compactMap { $0.effect(of: figure) })
      .filter { point in
        nights.count - point.index >= TrendAlarm.nightsSince
          && !knownIndices.contains { abs($0 - point.index) <= Self.tolerance }
      }
      .map { point in
        TrendAlarm(
          figure,
          last: nights[point.index - 1],
          first: nights[point.index],
          magnitude: point.magnitude,
          pValue: point.pValue
        )
      }
  }
}
