internal import BenchModel

/// The parts of the time of commits, summed.
struct CommitTimesSum: Sendable {
  private(set) var count = 0
  /// The time of the transactions from start to end, in nanoseconds.
  private(set) var service: UInt64 = 0
  private(set) var times = CommitTimes()

  /// - Parameter service: nanoseconds from the transaction's start to its end, as its actor measures it.
  mutating func add(_ one: CommitTimes, service: UInt64) {
    count += 1
    self.service += service
    times += one
  }

  static func += (left: inout Self, right: Self) {
    left.count += right.count
    left.service += right.service
    left.times += right.times
  }

  /// nil if no commit was timed.
  func result(phase: String, actor: String) -> CommitTimesResult? {
    guard count > 0 else { return nil }
    return CommitTimesResult(phase: phase, actor: actor, count: count, service: service, times: times)
  }
}

/// The engine's reported times of the current transaction, until its worker records them.
struct ReportedTimes {
  /// nil if the engine does not report it; so is the next one.
  var laneWait: UInt64?
  var writeLaneWait: UInt64?
  /// nil also for a transaction that has not committed anything.
  var commit: CommitTimes?
}
