internal import Dispatch
internal import Foundation
internal import ThreadingPrimitives

/// Tells of commits: a notification for each, in order, on the database's queue, and whoever waits for the next one.
///
/// It follows the list of commits like any reader, so that however many commits come, one job waits on the queue. When
/// that runs, `NotificationSchedule` says.
final class NotificationDelivery: Sendable {
  private struct State {
    /// The last commit that was posted.
    var posted: Commit
    var schedule: NotificationSchedule
    /// The object of the notifications that are to come; nil while there are none.
    var database: YapDatabase?
    /// Tasks that wait for a commit, by the ticket that each has drawn.
    var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
    var lastTicket: UInt64 = 0
    var isClosed = false

    mutating func takeWaiters() -> [CheckedContinuation<Void, Never>] {
      guard !waiters.isEmpty else { return [] }
      defer { waiters = [:] }
      return waiters.map(\.value)
    }
  }

  /// How long a job rests: a timer's cost is then spread over some fifty commits, and nobody notices the delay.
  private static let restLength = DispatchTimeInterval.milliseconds(1)

  let queue: DispatchQueue
  private let state: Guarded<State>

  private let rests: Bool

  /// - Parameter queue: nil for one of its own.
  init(queue: DispatchQueue?, from opening: Commit, _ hooks: TestHooks) {
    self.queue = queue ?? DispatchQueue(label: "yap.notifications")
    rests = queue == nil
    state = Guarded(State(posted: opening, schedule: NotificationSchedule(rests: queue == nil, hooks)))
  }

  /// There is a commit to tell of. The object of the notifications is `database`.
  func schedule(for database: YapDatabase) {
    let (wakes, waiters) = state.withLock { state in
      if state.database == nil { state.database = database }
      return (state.schedule.noteCommit(), state.takeWaiters())
    }
    for waiter in waiters { waiter.resume() }
    if wakes {
      queue.async {
        self.deliver()
        self.rest()
      }
    }
  }

  /// The database has been closed. What was committed before is told before.
  func tellClosed(_ files: YapDatabaseFiles) {
    let waiters = state.withLock { state in
      state.isClosed = true
      return state.takeWaiters()
    }
    for waiter in waiters { waiter.resume() }
    queue.async {
      if self.state.withLock({ $0.schedule.cutRestShort() }) { self.deliver() }
      NotificationCenter.default.post(
        name: .YapDatabaseClosed,
        object: nil,
        userInfo: [YapDatabaseFiles.userInfoKey: files]
      )
    }
  }

  // MARK: Tasks that wait

  /// The commit after `place`, as soon as there is one; nil if the database closes before, or the task is cancelled.
  func commit(after place: Commit, isolation: isolated (any Actor)? = #isolation) async -> Commit? {
    while place.next == nil {
      if Task.isCancelled { return nil }
      let (ticket, isClosed) = state.withLock { state in
        state.lastTicket += 1
        return (state.lastTicket, state.isClosed)
      }
      if isClosed { break }
      await wait(for: place, ticket)
    }
    return place.next
  }

  /// Returns when something may have changed.
  private func wait(for place: Commit, _ ticket: UInt64, isolation: isolated (any Actor)? = #isolation) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let mustWait = state.withLock { state in
          // A commit is linked before it is told of, and a task is cancelled before its handler runs: whatever comes
          // after this look finds the waiter.
          guard place.next == nil, !state.isClosed, !Task.isCancelled else { return false }
          state.waiters[ticket] = continuation
          return true
        }
        if !mustWait { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: ticket) }?.resume()
    }
  }

  // MARK: Notifications

  private func rest() {
    guard rests else { return }
    queue.asyncAfter(deadline: .now() + Self.restLength) {
      guard self.state.withLock({ $0.schedule.restEnded() }) else { return }
      self.deliver()
      self.rest()
    }
  }

  /// Posts to the end of the list.
  private func deliver() {
    var database: YapDatabase?
    while let (commit, object) = nextCommit() {
      database = database ?? object
      NotificationCenter.default.post(
        name: .YapDatabaseModified,
        object: database,
        userInfo: [YapDatabaseModification.userInfoKey: YapDatabaseModification(commit: commit)]
      )
    }
  }

  /// Steps on; nil when all has been posted.
  private func nextCommit() -> (commit: Commit, object: YapDatabase?)? {
    let (next, passed, object) = state.withLock { state in
      let passed = state.posted
      let next = passed.next
      let object = state.database
      if let next {
        state.posted = next
      } else {
        state.schedule.reachedEnd()
        state.database = nil
      }
      return (next, passed, object)
    }
    // Out here, without the lock: with a commit may go the last of a client's objects, whose end may use the database,
    // and with this may go the database.
    return withExtendedLifetime((passed, object)) { next.map { ($0, object) } }
  }
}
