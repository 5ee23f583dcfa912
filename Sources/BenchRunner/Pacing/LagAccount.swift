/// For how long workers have been behind their schedules, and whose fault it was.
struct Lag: Equatable {
  /// Since each of them was last free for its next arrival, all of them together.
  var nanoseconds: UInt64 = 0
  /// Of that, while the engine served them.
  var engineNanoseconds: UInt64 = 0

  /// What the engine did not take, the harness took itself.
  var engineShare: Double { nanoseconds > 0 ? Double(engineNanoseconds) / Double(nanoseconds) : 0 }

  var isOfHarness: Bool { engineShare < Distrust.leastEngineShare }

  static func += (left: inout Self, right: Self) {
    left.nanoseconds += right.nanoseconds
    left.engineNanoseconds += right.engineNanoseconds
  }
}

/// Follows why one worker is behind its schedule: because of the engine, or of the harness.
struct LagAccount {
  private var busySince: UInt64 = 0
  private var engineNanoseconds: UInt64 = 0

  /// The worker is behind nothing now, in nanoseconds of the monotonic clock.
  mutating func isFree(at now: UInt64) {
    busySince = now
    engineNanoseconds = 0
  }

  /// An arrival is taken.
  mutating func begin(_ intended: UInt64, freeSince: UInt64) {
    if intended >= freeSince { isFree(at: intended) }
  }

  /// The engine took that long to serve it.
  mutating func served(_ nanoseconds: UInt64) { engineNanoseconds += nanoseconds }

  /// Of the worker that has been behind up to now.
  func lag(at now: UInt64) -> Lag {
    Lag(nanoseconds: now - min(now, busySince), engineNanoseconds: engineNanoseconds)
  }
}
