/// The time for which workers were behind their schedules, and the engine's part of it.
struct Lag: Equatable {
  /// The time for which each worker has been behind, summed over the workers.
  var nanoseconds: UInt64 = 0
  /// The part of `nanoseconds` in which the engine served the workers, or an outage or an event held them.
  var engineNanoseconds: UInt64 = 0

  /// `engineNanoseconds` as a share of `nanoseconds`; 0 without a lag. The harness causes the rest of a lag.
  var engineShare: Double { nanoseconds > 0 ? Double(engineNanoseconds) / Double(nanoseconds) : 0 }

  var isOfHarness: Bool { engineShare < Distrust.leastEngineShare }

  static func += (left: inout Self, right: Self) {
    left.nanoseconds += right.nanoseconds
    left.engineNanoseconds += right.engineNanoseconds
  }
}

/// The pace of one worker: the time since which it is free, and the engine's and the harness's parts of its lag behind
/// the schedule. Times are nanoseconds of the monotonic clock.
struct WorkerPace {
  /// The time at which the worker became free for its next arrival.
  private(set) var freeSince: UInt64
  /// The last time at which the worker was not behind.
  private var busySince: UInt64
  private var engineNanoseconds: UInt64 = 0

  /// Creates the pace of a worker that is free from `start` on.
  init(freeSince start: UInt64) {
    freeSince = start
    busySince = start
  }

  /// Records that the worker is not behind at a time.
  mutating func resetLag(at now: UInt64) {
    busySince = now
    engineNanoseconds = 0
  }

  /// Begins with an arrival. The worker is not behind if it was free when the arrival was due.
  mutating func beginArrival(due intended: UInt64) {
    if intended >= freeSince { resetLag(at: intended) }
  }

  /// Adds the time that the engine took; the worker is free again at its end. The part before `freeSince` is not added,
  /// because it is counted already, for instance as an outage.
  mutating func addEngineTime(from start: UInt64, to end: UInt64) {
    engineNanoseconds += end - min(end, max(start, freeSince))
    freeSince = end
  }

  /// Begins a new lag, with a time in which the worker could not begin anything, through no fault of the harness.
  mutating func addHold(from start: UInt64, to end: UInt64) {
    resetLag(at: start)
    engineNanoseconds = end - start
    freeSince = end
  }

  /// The time for which the worker left a due arrival waiting although it was free.
  func lateness(at start: UInt64, due intended: UInt64) -> UInt64 { start - min(start, max(intended, freeSince)) }

  /// The lag of a worker that has been behind until now.
  func lag(at now: UInt64) -> Lag {
    Lag(nanoseconds: now - min(now, busySince), engineNanoseconds: engineNanoseconds)
  }
}
