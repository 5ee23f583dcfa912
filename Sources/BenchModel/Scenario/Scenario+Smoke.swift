internal import NumericConversion

extension Scenario {
  /// Where nothing else is asked for.
  public static let longestSmokePhaseNanoseconds: UInt64 = 300_000_000

  /// The same story in a few hundred milliseconds: it shows that a scenario runs, and measures nothing.
  public func smoke(longestPhaseNanoseconds: UInt64 = longestSmokePhaseNanoseconds) -> Scenario {
    let longestWaitNanoseconds: UInt64 = 20_000_000_000  // ends as soon as its condition holds
    let mostRows = 1_000
    let mostOperations = 1_000
    let mostOfATransaction = 100  // a transaction has to end within a phase
    var result = self
    for index in result.dataset.indices {
      result.dataset[index].rows = min(result.dataset[index].rows, mostRows)
    }
    for index in result.phases.indices {
      let end = result.phases[index].end
      switch result.phases[index].end {
      case .duration(let nanoseconds):
        result.phases[index].end = .duration(nanoseconds: min(nanoseconds, longestPhaseNanoseconds))
      case .operations(let operations):
        result.phases[index].end = .operations(min(operations, mostOperations))
      case .until(let condition, let within) where condition.isSteadiness:
        // What is steady shows in seconds, which a smoke run has not.
        result.phases[index].end = .duration(nanoseconds: min(within, longestPhaseNanoseconds))
      case .until(let condition, let within):
        result.phases[index].end = .until(condition, withinNanoseconds: min(within, longestWaitNanoseconds))
      }
      for actor in result.phases[index].actors.indices {
        let range = result.phases[index].actors[actor].settings.operationsPerTransaction
        result.phases[index].actors[actor].settings.operationsPerTransaction = range.clamped(to: 1...mostOfATransaction)
      }
      let share = result.phases[index].end.amount / end.amount
      for event in result.phases[index].events.indices { result.phases[index].events[event].scale(by: share) }
    }
    // An expectation that does not judge does not end the run either.
    for index in result.expectations.indices { result.expectations[index].isAbort = false }
    return result
  }
}

extension PhaseEnd {
  /// Nanoseconds, or operations where it has no time; at least 1.
  fileprivate var amount: Double {
    if case .operations(let count) = self { return Double(max(count, 1)) }
    return Double(max(plannedNanoseconds, 1))
  }
}

extension PhaseEvent {
  /// Keeps its place in a phase that is cut.
  fileprivate mutating func scale(by share: Double) {
    guard share < 1 else { return }
    atNanoseconds = UInt64(saturating: Double(atNanoseconds) * share)
    if case .stall(let actor, let nanoseconds) = action {
      action = .stall(actor: actor, nanoseconds: max(UInt64(saturating: Double(nanoseconds) * share), 1))
    }
  }
}
