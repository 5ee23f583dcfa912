extension Scenario {
  /// The same story in a few hundred milliseconds: it shows that a scenario runs, and measures nothing.
  public func smoke() -> Scenario {
    let longestPhaseNanoseconds: UInt64 = 300_000_000
    let longestWaitNanoseconds: UInt64 = 20_000_000_000  // ends as soon as its condition holds
    let mostRows = 1_000
    let mostOperations = 1_000
    var result = self
    for index in result.dataset.indices {
      result.dataset[index].rows = min(result.dataset[index].rows, mostRows)
    }
    for index in result.phases.indices {
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
    }
    // An expectation that does not judge does not end the run either.
    for index in result.expectations.indices { result.expectations[index].isAbort = false }
    return result
  }
}
