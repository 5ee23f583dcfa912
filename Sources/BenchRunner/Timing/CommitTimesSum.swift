internal import BenchModel

/// Where the time of commits went, all of them together.
struct CommitTimesSum: Sendable {
  private(set) var count = 0
  /// Of the transactions from start to end, in nanoseconds.
  private(set) var service: UInt64 = 0
  private(set) var times = CommitTimes()

  /// - Parameter service: nanoseconds from the transaction's start to its end, as its actor sees it.
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

  /// nil where nothing was timed.
  func result(phase: String, actor: String) -> CommitTimesResult? {
    guard count > 0 else { return nil }
    return CommitTimesResult(phase: phase, actor: actor, count: count, service: service, times: times)
  }
}

/// What the engine has told of the transaction at hand, until its worker records it.
struct ToldTimes {
  /// nil where the engine does not tell, as the following.
  var laneWait: UInt64?
  var writeLaneWait: UInt64?
  /// nil also for what has not committed anything.
  var commit: CommitTimes?
}
