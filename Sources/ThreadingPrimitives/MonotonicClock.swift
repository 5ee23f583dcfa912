internal import CPlatform

/// CLOCK_MONOTONIC as an integer number of nanoseconds, so that the sample path uses integer arithmetic only.
public enum MonotonicClock {
  /// Nanoseconds since an arbitrary start; never decreases.
  @inline(__always)
  public static var now: UInt64 { cplatform_monotonic_nanoseconds() }

  /// Sleeps until `deadline`, in nanoseconds of this clock.
  public static func sleep(until deadline: UInt64) {
    while now < deadline { cplatform_sleep_until(deadline) }
  }

  /// Sleeps for most of the time and spins at the end, because a sleep would overshoot.
  /// - Parameter spin: The nanoseconds before `deadline` at which the spinning begins.
  public static func sleepThenSpin(until deadline: UInt64, spin: UInt64 = 60_000) {
    let current = now
    if deadline > current + spin { cplatform_sleep_until(deadline - spin) }
    while now < deadline {}
  }
}
