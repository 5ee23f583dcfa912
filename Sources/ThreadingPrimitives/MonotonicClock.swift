internal import CPlatform

/// CLOCK_MONOTONIC as plain nanoseconds, so that arithmetic on the sample path is integer arithmetic.
public enum MonotonicClock {
  /// Nanoseconds since an arbitrary start; never goes back.
  @inline(__always)
  public static var now: UInt64 { cplatform_monotonic_nanoseconds() }

  /// Sleeps until `deadline`, in nanoseconds of this clock.
  public static func sleep(until deadline: UInt64) {
    while now < deadline { cplatform_sleep_until(deadline) }
  }

  /// Sleeps for most of the time and spins for the last stretch, which a sleep would overshoot.
  /// - Parameter spin: nanoseconds before `deadline` from which on the thread spins.
  public static func sleepThenSpin(until deadline: UInt64, spin: UInt64 = 60_000) {
    let current = now
    if deadline > current + spin { cplatform_sleep_until(deadline - spin) }
    while now < deadline {}
  }
}
