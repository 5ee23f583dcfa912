internal import HarnessPrimitives

/// The combinations that each case of a campaign must contain. It depends only on the seed and the case's number.
///
/// The possible combinations are divided by their events, and each part is shuffled. The cases take the events in turn,
/// and the next few combinations of the event's part. So after a known number of cases, each combination was planned
/// once. Scenarios contain more combinations than planned, so most of them are covered much earlier.
struct CombinationPlan: Sendable {
  /// The number of combinations that are planned for one case.
  static let combinationsOfCase = 4

  private let events: [EventForm]
  /// The combinations of each event.
  private let parts: [[Combination]]

  init(seed: UInt64) {
    var random = RandomStream(seed: seed, "plan")
    events = EventForm.allCases.shuffled(using: &random)
    // In the order of the events, because a dictionary has another order in each process.
    parts = events.map { event in Combination.possible.filter { $0.event == event }.shuffled(using: &random) }
  }

  /// The number of cases after which each combination was planned at least once.
  var caseCount: Int {
    let longest = parts.map(\.count).max() ?? 0
    return events.count * ((longest + Self.combinationsOfCase - 1) / Self.combinationsOfCase)
  }

  /// Returns the combinations of a case, all with the same event.
  func combinations(ofCase number: Int) -> [Combination] {
    let part = parts[number % events.count]
    let first = number / events.count * Self.combinationsOfCase
    return (0..<Self.combinationsOfCase).map { part[(first + $0) % part.count] }
  }
}
