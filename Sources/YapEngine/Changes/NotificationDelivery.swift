internal import Dispatch
internal import Foundation
internal import ThreadingPrimitives

/// Posts a notification for each commit, in order, on the database's queue, and resumes tasks that await the next
/// commit.
///
/// It follows the list of commits as a reader does, so at most one job is queued, however many commits there are.
/// `NotificationSchedule` decides when the job runs.
final class NotificationDelivery: Sendable {
  private struct State {
    /// The last commit that was posted.
    var posted: Commit
    var schedule: NotificationSchedule
    /// The object of the next notifications; nil if none are due.
    var database: YapDatabase?
    /// Tasks that wait for a commit, by ticket.
    var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
    var lastTicket: UInt64 = 0
    var isClosed = false

    mutating func takeWaiters() -> [CheckedContinuation<Void, Never>] {
      guard !waiters.isEmpty else { return [] }
      defer { waiters = [:] }
      return waiters.map(\.value)
    }
  }

  /// The delay before a job looks for further commits: it spreads a timer's cost over some 50 commits and is too short
  /// to be noticed.
  private static let restLength = DispatchTimeInterval.milliseconds(1)

  let queue: DispatchQueue
  private let state: Guarded<State>

  private let rests: Bool

  /// - Parameter queue: nil to create a queue.
  init(queue: DispatchQueue?, from opening: Commit) {
    self.queue = queue ?? DispatchQueue(label: "yap.notifications")
    rests = queue == nil
    state = Guarded(State(posted: opening, schedule: NotificationSchedule(rests: queue == nil)))
  }

  /// Schedules the notification of a commit. The notification's object is `database`.
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

  /// Posts that the database has been closed, after the notifications of all commits.
  func notifyClosed(_ files: YapDatabaseFiles) {
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

  /// Waits for the commit after `place` and returns it. Returns nil if the database is closed first or the task is
  /// cancelled.
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

  /// Waits until there may be a next commit, the database is closed, or the task is cancelled.
  private func wait(for place: Commit, _ ticket: UInt64, isolation: isolated (any Actor)? = #isolation) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let mustWait = state.withLock { state in
          // A commit is linked before `schedule(for:)` is called, and a task is cancelled before its handler runs. Any
          // event after this check therefore finds the waiter.
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

  /// Posts all commits up to the end of the list.
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

  /// Advances to the next commit; returns nil if all have been posted.
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
    // Release these outside the lock: the commit may hold the last reference to a client's object, whose deinit may use
    // the database, and this may be the last reference to the database.
    return withExtendedLifetime((passed, object)) { next.map { ($0, object) } }
  }
}
