/// Nights that are comparable: with one pinned build, on one machine, with the same settings.
///
/// The series of a history stand side by side. Each night is appended to the series that it is comparable with, so a
/// night on another machine neither ends the series of the usual one nor interrupts it.
public struct NightSeries: Sendable, Equatable {
  /// At least one night, the oldest first.
  public private(set) var nights: [Night]

  /// The newest night.
  public var last: Night { nights[nights.count - 1] }

  /// Whether the series has enough nights for a search: those before a change, and those since.
  public var isSearched: Bool { nights.count >= TrendAlarm.nightsBefore + TrendAlarm.nightsSince }

  /// Returns the series of a history, in the order of their first nights.
  /// - Parameter nights: the oldest first.
  public static func all(of nights: [Night]) -> [NightSeries] {
    var series: [NightSeries] = []
    for night in nights {
      // The newest night decides, because an update may change the memory that the kernel reports a little.
      if let index = series.lastIndex(where: { $0.last.isComparable(with: night) }) {
        series[index].nights.append(night)
      } else {
        series.append(NightSeries(nights: [night]))
      }
    }
    return series
  }

  public func contains(_ night: Night) -> Bool {
    nights.contains { $0.time == night.time && $0.commit == night.commit && $0.reference == night.reference }
  }
}
