internal import Foundation
internal import ThreadingPrimitives

/// Posts a notification for each commit, in order, on the database's queue, and resumes tasks that await the next
/// commit.
///
/// It walks the list of commits, so one job at a time is queued, however many commits there are. `NotificationSchedule`
/// decides when the job runs.
final class NotificationDelivery: Sendable {
  private struct State {
    /// The last commit that was posted; initially the state at opening.
    var posted: Commit
    var schedule: NotificationSchedule
    /// The object of the next notifications; nil if all commits have been posted.
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

  /// The delay before a job looks for further commits. When commits follow each other quickly, about 50 of them share
  /// the cost of one wake-up.
  private static let restNanoseconds: UInt64 = 1_000_000

  let queue: DispatchQueue
  /// Sleeps. A timer of Dispatch would need two file descriptors, and Dispatch ends the process if there are none.
  private let restQueue = DispatchQueue(label: "yap.notifications.rest")
  private let state: Guarded<State>

  private let rests: Bool
  private let hooks: TestHooks

  /// - Parameters:
  ///   - queue: The client's queue; nil to create a queue.
  ///   - opening: The state at opening.
  init(queue: DispatchQueue?, from opening: Commit, hooks: TestHooks) {
    self.queue = queue ?? DispatchQueue(label: "yap.notifications")
    self.hooks = hooks
    rests = queue == nil && (hooks.onNotificationJob == nil || !TestHooks.areBuiltIn)
    state = Guarded(State(posted: opening, schedule: NotificationSchedule(rests: rests)))
  }

  /// Runs a job on the queue.
  private func run(_ job: @escaping @Sendable () -> Void) {
    #if TestPoints
      if let runJob = hooks.onNotificationJob { return runJob(job) }
    #endif
    queue.async(execute: job)
  }

  /// Schedules the notification of a commit, with `database` as its object, and resumes the waiting tasks.
  func schedule(for database: YapDatabase) {
    let (wakes, waiters) = state.withLock { state in
      if state.database == nil { state.database = database }
      return (state.schedule.noteCommit(), state.takeWaiters())
    }
    for waiter in waiters { waiter.resume() }
    if wakes {
      run {
        self.deliver()
        self.rest()
      }
    }
  }

  /// Posts that the database has been closed, after the notifications of all commits. Resumes the waiting tasks.
  func notifyClosed(_ files: YapDatabaseFiles) {
    let waiters = state.withLock { state in
      state.isClosed = true
      return state.takeWaiters()
    }
    for waiter in waiters { waiter.resume() }
    run {
      if self.state.withLock({ $0.schedule.cutRestShort() }) { self.deliver() }
      NotificationCenter.default.post(
        name: .YapDatabaseClosed,
        object: nil,
        userInfo: [YapDatabaseFiles.userInfoKey: files]
      )
    }
  }

  // MARK: Tasks that wait

  /// Returns the commit after `reached`, for which it waits if necessary. Returns nil if the database is closed, or the
  /// task is cancelled, before there is such a commit.
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
    restQueue.async {
      MonotonicClock.sleep(until: MonotonicClock.now + Self.restNanoseconds)
      self.queue.async {
        guard self.state.withLock({ $0.schedule.restEnded() }) else { return }
        self.deliver()
        self.rest()
      }
    }
  }

  /// Posts all commits up to the end of the list.
  private func deliver() {
    var database: YapDatabase?
    while let (commit, object) = nextCommit() {
      database = database ?? object
      Self.post(commit, of: database)
    }
  }

  private static func post(_ commit: Commit, of database: YapDatabase?) {
    NotificationCenter.default.post(
      name: .YapDatabaseModified,
      object: database,
      userInfo: [YapDatabaseModification.userInfoKey: YapDatabaseModification(commit: commit)]
    )
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
    // Release both outside the lock: `passed` may hold the last reference to a client's object, whose deinit may use
    // the database, and `object` may be the last reference to the database.
    return withExtendedLifetime((passed, object)) { next.map { ($0, object) } }
  }
}

/// Decides when the job that posts notifications runs. A pure state machine; `NotificationDelivery` protects it with a
/// lock.
///
/// Waking a queue's thread costs the committing thread more than a tenth of a small commit. Therefore, on a queue that
/// the database created, a job that has posted something rests briefly before it looks again. The first commit after a
/// quiet period is posted immediately. Commits in quick succession are posted together by one job, without another
/// wake-up. A client's queue gets each commit immediately: if the queue is serial, a block that the client enqueues
/// after a commit runs after the commit's notification.
///
/// A commit is linked into the list before `noteCommit()` is called. A job checks for the end of the list and calls
/// `reachedEnd()` under one lock, so it misses no commit.
struct NotificationSchedule {
  enum State: Hashable {
    /// No job is scheduled: the next commit has to schedule a job.
    case idle
    /// A job is queued or running, and posts to the end of the list.
    case posting
    /// A job rests. At the end of its rest it continues if commits were made during it.
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
  /// - Returns: Whether the job has to post to the end of the list. If not, the job ends.
  mutating func restEnded() -> Bool {
    guard case .resting(let hasCommits) = state else { return false }
    state = hasCommits ? .posting : .idle
    return hasCommits
  }

  /// Ends the rest early, if commits were made during it.
  /// - Returns: Whether the caller has to post to the end of the list, in place of the resting job.
  mutating func cutRestShort() -> Bool {
    guard state == .resting(hasCommits: true) else { return false }
    state = .posting
    return true
  }
}
