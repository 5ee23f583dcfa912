internal import CPlatform

/// CLOCK_MONOTONIC as an integer number of nanoseconds, so that the sample path uses integer arithmetic only.
public enum MonotonicClock {
  /// Nanoseconds since an arbitrary start; never decreases. A thread of a `ThreadSchedule` reads the schedule's time.
  @inline(__always)
  public static var now: UInt64 { ScheduledThread.current?.schedule.now ?? cplatform_monotonic_nanoseconds() }

  /// Sleeps until `deadline`, in nanoseconds of this clock.
  public static func sleep(until deadline: UInt64) {
    if ScheduledThread.current != nil {
      Parker().park(deadline: deadline)
    } else {
      while now < deadline { cplatform_sleep_until(deadline) }
    }
  }
}
