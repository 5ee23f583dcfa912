/// Runs in which workers take turns, by a time that no clock measures.
extension Scenario {
  /// The reason why the workers cannot take turns; nil if they can.
  package var obstacleToTurns: String? {
    for phase in phases {
      if !phase.events.isEmpty { return "phase \"\(phase.name)\" has events" }
      if phase.end.until != nil { return "phase \"\(phase.name)\" waits for a condition" }
      if let actor = phase.actors.first(where: { $0.settings.transactionCall == .async }) {
        return "actor \"\(actor.settings.name)\" makes asynchronous calls, which run on other threads"
      }
    }
    return nil
  }
}

extension ActorSettings {
  /// The time in turns from one transaction of a closed load to the next, without think time.
  package static let stepNanoseconds: UInt64 = 1_000_000

  /// The highest rate of its transactions in turns.
  package var highestRateInTurns: Double {
    switch load {
    case .closed(let think): Double(threads) * 1e9 / Double(Self.stepNanoseconds + think.lowerBound)
    case .open(let rate, _): rate.highestPerSecond
    }
  }
}
