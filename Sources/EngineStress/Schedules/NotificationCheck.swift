internal import ThreadingPrimitives
internal import YapEngine

/// Checks that the notifications of a database arrive once for each commit, in order, and that a read inside an
/// observer sees the commit.
final class NotificationCheck: Sendable {
  private struct State: Sendable {
    var last: UInt64
    var count = 0
    var failures: [String] = []
  }

  private let connection: YapDatabaseConnection
  private let state: Guarded<State>

  /// The number of notifications.
  var count: Int { state.withLock { $0.count } }

  /// - Parameter connection: Reads inside the observer. It must not be used elsewhere.
  init(on connection: YapDatabaseConnection) {
    self.connection = connection
    state = Guarded(State(last: connection.snapshot))
  }

  /// Checks one notification.
  func receive(_ modification: YapDatabaseModification) {
    let commit = modification.snapshot
    state.withLock { state in
      state.count += 1
      let expected = state.last + 1
      if modification.snapshots != expected...expected {
        state.failures.append(
          "expected the notification of commit \(expected), found commits \(modification.snapshots)"
        )
      }
      state.last = commit
    }
    do {
      let seen = try connection.read { $0.snapshot }
      if seen < commit { fail("a read inside the notification of commit \(commit) sees commit \(seen)") }
    } catch let error as YapDatabaseError where error.code == .closed {
      // The database may be closed before the last notifications are posted.
    } catch {
      fail("a read inside the notification of commit \(commit): \(error)")
    }
  }

  /// Checks that no notification is missing, once all have been posted.
  /// - Returns: All failures.
  func end(newest: UInt64) -> [String] {
    state.withLock { state in
      if state.last != newest {
        state.failures.append("the last notification was for commit \(state.last), but the newest commit is \(newest)")
      }
      return state.failures
    }
  }

  private func fail(_ text: String) { state.withLock { $0.failures.append(text) } }
}
