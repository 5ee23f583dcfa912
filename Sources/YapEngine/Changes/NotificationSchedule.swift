/// When the job that posts notifications runs. A pure state machine; `NotificationDelivery` keeps it behind a lock.
///
/// To wake the thread of a queue costs the committing thread more than a tenth of a small commit. So on a queue of the
/// database's own a job that has posted something rests for a moment before it looks again: the first commit after a
/// quiet time is told at once, and those that come in quick succession are told together, by one job that nobody had to
/// wake. A client's queue is told of each at once: what the client puts on it after a commit runs after the news of it.
///
/// Who tells of a commit has put it into the list of commits before; so a job that sees the end of the list and says
/// so, both with the lock held, misses none.
struct NotificationSchedule {
  enum State: Hashable {
    /// Nobody looks: the next commit has to wake a job.
    case idle
    /// A job is on the queue or runs, and goes on to the end of the list.
    case posting
    /// A job will look when its rest is over.
    case resting(hasNews: Bool)
  }

  private(set) var state: State
  /// Whether jobs rest.
  let rests: Bool
  private let hooks: TestHooks

  init(rests: Bool, _ hooks: TestHooks, _ state: State = .idle) {
    self.rests = rests
    self.hooks = hooks
    self.state = state
  }

  /// There is a commit to tell of.
  /// - Returns: whether a job has to be put on the queue, which then posts to the end of the list.
  mutating func noteCommit() -> Bool {
    switch state {
    case .idle:
      state = .posting
      return true
    case .posting: return false
    case .resting:
      if !hooks.has(.forgetsCommitsDuringARest) { state = .resting(hasNews: true) }
      return false
    }
  }

  /// The job has come to the end of the list. Where jobs rest it has to look again after its rest.
  mutating func reachedEnd() {
    state = rests ? .resting(hasNews: false) : .idle
  }

  /// - Returns: whether the job has to post to the end of the list; otherwise it ends.
  mutating func restEnded() -> Bool {
    guard case .resting(let hasNews) = state else { return false }
    state = hasNews ? .posting : .idle
    return hasNews
  }

  /// Somebody cannot wait for the end of the rest.
  /// - Returns: whether to post to the end of the list. The job that rests finds nothing to do then, so no other has
  ///   to follow.
  mutating func cutRestShort() -> Bool {
    guard state == .resting(hasNews: true) else { return false }
    state = .posting
    return true
  }
}
