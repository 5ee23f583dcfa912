internal import BenchScenario
internal import ThreadingPrimitives

/// Checks the engine's notifications: each commit is notified once, in order.
///
/// It checks the notifications to all clients. The commits that a moving bookmark reports are checked by
/// `MeasuredConnection`.
final class NotificationCheck: Sendable {
  private static let pollNanoseconds: UInt64 = 1_000_000

  private let state: Guarded<(last: UInt64, count: Int)>
  private let violations: ViolationLog

  /// - Parameter commit: the newest commit before the check; the first notification must be for the next commit.
  init(after commit: UInt64, _ violations: ViolationLog) {
    state = Guarded((commit, 0))
    self.violations = violations
  }

  /// The number of notifications.
  var count: Int { state.withLock { $0.count } }

  /// Records a notification, and reports a violation if it is not for the next commit.
  func record(_ commit: UInt64) {
    let last = state.withLock { state in
      defer { state = (max(state.last, commit), state.count + 1) }
      return state.last
    }
    if commit != last + 1 { report("expected the notification of commit \(last + 1), found that of commit \(commit)") }
  }

  /// Expects the commit after `commit` next, because the engine was restarted: missing notifications of earlier commits
  /// will not come. Reports a violation if a later commit was notified, because that commit is lost.
  func begin(after commit: UInt64) {
    let last = state.withLock { exchange(&$0.last, with: commit) }
    if last > commit {
      report("commit \(last) was notified, but after the end of the engine's process the newest commit is \(commit)")
    }
  }

  /// Waits until every commit up to `commit` was notified, and reports a violation if some are missing after the limit.
  /// - Parameter pause: waits until the time at which the notifications are looked at again.
  func expect(
    _ commit: UInt64,
    within nanoseconds: UInt64,
    pause: (_ until: UInt64) -> Void = MonotonicClock.sleep(until:)
  ) {
    let deadline = MonotonicClock.now + nanoseconds
    while true {
      let last = state.withLock { $0.last }
      if last >= commit { return }
      if MonotonicClock.now >= deadline {
        return report(
          "commit \(last + 1) of \(commit) was not notified within \(nanoseconds / 1_000_000) ms of the run's end"
        )
      }
      pause(MonotonicClock.now + Self.pollNanoseconds)
    }
  }

  private func report(_ what: String) { violations.report(.exactlyOnceNotifications, what) }
}
