internal import BenchModel
internal import ThreadingPrimitives

/// Holds the engine's notifications against its commits: each is told once, in order.
///
/// What a moving bookmark is told of is checked where it moves; this is for those that are sent to everybody.
final class NotificationCheck: Sendable {
  private static let pollNanoseconds: UInt64 = 1_000_000

  private let state: Guarded<(last: UInt64, count: Int)>
  private let violations: ViolationLog

  /// - Parameter commit: the last that is not told of.
  init(after commit: UInt64, _ violations: ViolationLog) {
    state = Guarded((commit, 0))
    self.violations = violations
  }

  /// How many were told.
  var count: Int { state.withLock { $0.count } }

  /// There was a notification of this commit.
  func told(_ commit: UInt64) {
    let last = state.withLock { state in
      defer { state = (max(state.last, commit), state.count + 1) }
      return state.last
    }
    if commit != last + 1 {
      violations.report(
        .exactlyOnceNotifications,
        "after the notification of commit \(last) came that of commit \(commit)"
      )
    }
  }

  /// The engine begins anew after this commit: nobody will tell of those before it that are not told of yet.
  func begin(after commit: UInt64) {
    let last = state.withLock { state in
      defer { state.last = commit }
      return state.last
    }
    if last > commit {
      violations.report(
        .exactlyOnceNotifications,
        "commit \(last) was told of, and after the end of the engine's process the newest is \(commit)"
      )
    }
  }

  /// Waits until every commit up to this one has been told, or should have been by all patience.
  func expect(_ commit: UInt64, within nanoseconds: UInt64) {
    let deadline = MonotonicClock.now + nanoseconds
    while true {
      let last = state.withLock { $0.last }
      if last >= commit { return }
      if MonotonicClock.now >= deadline {
        return violations.report(
          .exactlyOnceNotifications,
          "of \(commit) commits, none after commit \(last) was told within \(nanoseconds / 1_000_000) ms of the "
            + "run's end"
        )
      }
      MonotonicClock.sleep(until: MonotonicClock.now + Self.pollNanoseconds)
    }
  }
}
