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

  /// Waits for the commit after `reached` and returns it. Returns nil if the database is closed first or the task is
  /// cancelled.
  func commit(after reached: Commit, isolation: isolated (any Actor)? = #isolation) async -> Commit? {
    while reached.next == nil {
      if Task.isCancelled { return nil }
      let (ticket, isClosed) = state.withLock { state in
        state.lastTicket += 1
        return (state.lastTicket, state.isClosed)
      }
      if isClosed { break }
      await wait(after: reached, ticket: ticket)
    }
    return reached.next
  }

  /// Waits until there may be a next commit, the database is closed, or the task is cancelled.
  private func wait(after reached: Commit, ticket: UInt64, isolation: isolated (any Actor)? = #isolation) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let mustWait = state.withLock { state in
          // A commit is linked before `schedule(for:)` is called, and a task is cancelled before its handler runs. Any
          // event after this check therefore finds the waiter.
          guard reached.next == nil, !state.isClosed, !Task.isCancelled else { return false }
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

/// Decides when the job that posts notifications runs. A pure state machine; `NotificationDelivery` protects it with a
/// lock.
///
/// Waking a queue's thread costs the committing thread more than a tenth of a small commit. Therefore, on a queue that
/// the database created, a job that has posted something rests briefly before it looks again. The first commit after a
/// quiet period is posted immediately. Commits in quick succession are posted together by one job, without another
/// wake-up. A client's queue gets each commit immediately: a block that the client enqueues after a commit runs after
/// the commit's notification.
///
/// A commit is linked into the list before `noteCommit()` is called. A job checks for the end of the list and calls
/// `reachedEnd()` under one lock, so it misses no commit.
struct NotificationSchedule {
  enum State: Hashable {
    /// No job is scheduled: the next commit has to schedule one.
    case idle
    /// A job is queued or running, and posts to the end of the list.
    case posting
    /// A job will look for commits at the end of its rest.
    case resting(hasCommits: Bool)
  }

  private(set) var state: State
  /// Whether jobs rest.
  let rests: Bool

  init(rests: Bool, _ state: State = .idle) {
    self.rests = rests
    self.state = state
  }

  /// Records a commit.
  /// - Returns: Whether a job has to be put on the queue, which then posts to the end of the list.
  mutating func noteCommit() -> Bool {
    switch state {
    case .idle:
      state = .posting
      return true
    case .posting: return false
    case .resting:
      state = .resting(hasCommits: true)
      return false
    }
  }

  /// Records that the job has reached the end of the list. If jobs rest, the job has to look again after its rest.
  mutating func reachedEnd() {
    state = rests ? .resting(hasCommits: false) : .idle
  }

  /// Ends the rest.
  /// - Returns: Whether the job has to post to the end of the list. If not, it ends.
  mutating func restEnded() -> Bool {
    guard case .resting(let hasCommits) = state else { return false }
    state = hasCommits ? .posting : .idle
    return hasCommits
  }

  /// Ends the rest early.
  /// - Returns: Whether to post to the end of the list. If so, the resting job finds nothing to do, so no other job is
  ///   needed.
  mutating func cutRestShort() -> Bool {
    guard state == .resting(hasCommits: true) else { return false }
    state = .posting
    return true
  }
}
