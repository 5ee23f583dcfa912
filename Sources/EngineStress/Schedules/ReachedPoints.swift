internal import BenchDrivers
internal import ThreadingPrimitives
internal import YapEngine

/// Counts the named points that the threads of a program pass. On a thread of a schedule, each is a step.
final class ReachedPoints: Sendable {
  private let counted = Guarded(CaseOutcome())

  var outcome: CaseOutcome { counted.withLock { $0 } }

  /// The name of the count of passes of a point.
  static func count(of point: TestPoint) -> String { "at \(point.rawValue)" }

  /// Returns the hooks of the program's database.
  func hooks(_ tests: EngineTestSettings = EngineTestSettings()) -> TestHooks {
    var hooks = tests.hooks()
    let pause = hooks.onReach
    hooks.onReach = { [self] point, name in
      counted.withLock { $0.count(Self.count(of: point)) }
      // Some names are paths, which differ between executions.
      ScheduledThread.reach(name.contains("/") ? point.rawValue : "\(point.rawValue) of \(name)")
      pause?(point, name)
    }
    hooks.onLockWait = { [self] in
      counted.withLock { $0.count("waits for SQLite's locks") }
      if ScheduledThread.current != nil { MonotonicClock.sleep(until: MonotonicClock.now + 1_000_000) }
    }
    return hooks
  }
}
