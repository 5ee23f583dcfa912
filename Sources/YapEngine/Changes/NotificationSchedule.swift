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
    case resting(hasNews: Bool)
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
      state = .resting(hasNews: true)
      return false
    }
  }

  /// Records that the job has reached the end of the list. If jobs rest, the job has to look again after its rest.
  mutating func reachedEnd() {
    state = rests ? .resting(hasNews: false) : .idle
  }

  /// Ends the rest.
  /// - Returns: Whether the job has to post to the end of the list. If not, it ends.
  mutating func restEnded() -> Bool {
    guard case .resting(let hasNews) = state else { return false }
    state = hasNews ? .posting : .idle
    return hasNews
  }

  /// Ends the rest early.
  /// - Returns: Whether to post to the end of the list. If so, the resting job finds nothing to do, so no other job is
  ///   needed.
  mutating func cutRestShort() -> Bool {
    guard state == .resting(hasNews: true) else { return false }
    state = .posting
    return true
  }
}
