/// The time for which workers were behind their schedules, and the engine's part of it.
struct Lag: Equatable {
  /// The time since each worker was last free for its next arrival, summed over the workers.
  var nanoseconds: UInt64 = 0
  /// The part of it in which the engine served them.
  var engineNanoseconds: UInt64 = 0

  /// The engine's share of the time; the harness took the rest.
  var engineShare: Double { nanoseconds > 0 ? Double(engineNanoseconds) / Double(nanoseconds) : 0 }

  var isOfHarness: Bool { engineShare < Distrust.leastEngineShare }

  static func += (left: inout Self, right: Self) {
    left.nanoseconds += right.nanoseconds
    left.engineNanoseconds += right.engineNanoseconds
  }
}

/// Attributes the lag of one worker behind its schedule to the engine or the harness.
struct LagAccount {
  private var busySince: UInt64 = 0
  private var engineNanoseconds: UInt64 = 0

  /// Records that the worker is not behind; `now` is in nanoseconds of the monotonic clock.
  mutating func isFree(at now: UInt64) {
    busySince = now
    engineNanoseconds = 0
  }

  /// Records that an arrival was taken.
  mutating func begin(_ intended: UInt64, freeSince: UInt64) {
    if intended >= freeSince { isFree(at: intended) }
  }

  /// Adds time that the engine took.
  mutating func served(_ nanoseconds: UInt64) { engineNanoseconds += nanoseconds }

  /// The lag of a worker that has been behind until now.
  func lag(at now: UInt64) -> Lag {
    Lag(nanoseconds: now - min(now, busySince), engineNanoseconds: engineNanoseconds)
  }
}
