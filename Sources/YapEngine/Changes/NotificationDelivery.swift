internal import Dispatch
internal import Foundation
internal import ThreadingPrimitives

/// Posts a notification for each commit, in order, on the database's queue.
///
/// It follows the list of commits like any reader, so that however many commits come, one job waits on the queue.
final class NotificationDelivery: Sendable {
  private struct State {
    /// The last commit that was posted.
    var posted: Commit
    var isScheduled = false
  }

  private let queue: DispatchQueue
  private let state: Guarded<State>

  init(queue: DispatchQueue, from opening: Commit) {
    self.queue = queue
    state = Guarded(State(posted: opening))
  }

  /// There is a commit to tell of. The object of the notifications is `database`.
  func schedule(for database: YapDatabase) {
    let isFirst = state.withLock { state in
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    if isFirst { queue.async { self.deliver(for: database) } }
  }

  /// The database has been closed. What was committed before is told before.
  func tellClosed(_ files: YapDatabaseFiles) {
    queue.async {
      NotificationCenter.default.post(
        name: .YapDatabaseClosed,
        object: nil,
        userInfo: [YapDatabaseFiles.userInfoKey: files]
      )
    }
  }

  private func deliver(for database: YapDatabase) {
    while let commit = nextCommit() {
      let modification = YapDatabaseModification(commit: commit)
      NotificationCenter.default.post(
        name: .YapDatabaseModified,
        object: database,
        userInfo: [YapDatabaseModification.userInfoKey: modification]
      )
    }
  }

  /// Steps on; nil when all has been posted, and then the next commit schedules a new job.
  private func nextCommit() -> Commit? {
    let (next, passed) = state.withLock { state in
      let passed = state.posted
      let next = passed.next
      if let next { state.posted = next } else { state.isScheduled = false }
      return (next, passed)
    }
    // Out here, without the lock: with a commit may go the last of a client's objects, whose end may use the database.
    return withExtendedLifetime(passed) { next }
  }
}
