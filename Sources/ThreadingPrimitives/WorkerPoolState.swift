/// Decides which jobs of a pool get a thread, and which threads end. A pure state machine, protected by the pool's
/// lock.
struct WorkerPoolState<Worker: AnyObject & Sendable>: Sendable {
  typealias Job = WorkerPool.Job

  enum Submission {
    /// The idle worker gets the job.
    case give(Worker)
    /// A new thread gets the job.
    case start
    /// The job waits for a thread.
    case queue
  }

  /// The place of a job whose thread could not be started.
  enum Substitute {
    /// The idle worker gets the job.
    case worker(Worker)
    /// The job waits for a thread.
    case line
    /// There is no thread.
    case none
  }

  enum Next {
    case run(Job)
    /// The worker waits for a job, which `submit` gives it.
    case idle
    case end
  }

  /// The time for which the pool does not try to start threads after a failure.
  static var pauseNanoseconds: UInt64 { 10_000_000_000 }

  private let limit: Int
  /// The largest number of threads at present: the limit, or fewer for a while after the system has refused one.
  private var ceiling: Int
  /// The time at which `ceiling` becomes the limit again; nil if it is the limit.
  private var pauseEnd: UInt64?
  private(set) var threadCount = 0
  /// The number of threads that run jobs of the share half.
  private var halfCount = 0
  private var idle: [Worker] = []
  private var waiting = TicketLine<Job>()
  private var waitingOfHalf = TicketLine<Job>()
  private var lastTicket: UInt64 = 0

  init(limit: Int) {
    precondition(limit > 0, "a pool of threads has a limit of \(limit)")
    self.limit = limit
    ceiling = limit
  }

  var waitingCount: Int { waiting.count + waitingOfHalf.count }

  private var mayRunHalf: Bool { halfCount < max(min(limit, ceiling) / 2, 1) }

  /// - Parameter now: Nanoseconds of a monotonic clock.
  mutating func submit(_ job: Job, now: @autoclosure () -> UInt64) -> Submission {
    endPause(now)
    if job.share == .all || mayRunHalf {
      if let worker = idle.popLast() {
        noteStart(job)
        return .give(worker)
      }
      if threadCount < ceiling, pauseEnd == nil || threadCount == 0 {
        threadCount += 1
        noteStart(job)
        return .start
      }
    }
    queue(job)
    return .queue
  }

  /// Records that the thread for a job that was to be started could not be started.
  mutating func startFailed(_ job: Job, now: UInt64) -> Substitute {
    threadCount -= 1
    guard threadCount > 0 else {
      noteEnd(job)
      return .none
    }
    ceiling = max(threadCount - 1, 1)
    pauseEnd = now + Self.pauseNanoseconds
    // A worker may have become idle since the start was tried. Nothing would wake it for a waiting job.
    if let worker = idle.popLast() { return .worker(worker) }
    noteEnd(job)
    queue(job)
    return .line
  }

  /// Returns the waiting job that holds the lane, for a thread of its own; nil if there is none.
  mutating func takeWaiting(holding lane: ObjectIdentifier) -> Job? {
    guard waitingCount > 0,
      let job = waiting.remove(where: { $1.lane == lane }) ?? waitingOfHalf.remove(where: { $1.lane == lane })
    else { return nil }
    threadCount += 1
    noteStart(job)
    return job
  }

  /// Records that the thread for a job of `takeWaiting` could not be started.
  /// - Returns: The idle worker that gets the job; nil if the job waits again, before all others.
  mutating func hurryFailed(_ job: Job) -> Worker? {
    threadCount -= 1
    if let worker = idle.popLast() { return worker }
    noteEnd(job)
    switch job.share {
    case .all: waiting.insertFirst(job)
    case .half: waitingOfHalf.insertFirst(job)
    }
    return nil
  }

  /// Records that a worker's job has ended.
  mutating func ended(_ job: Job, by worker: Worker, now: @autoclosure () -> UInt64) -> Next {
    noteEnd(job)
    endPause(now)
    if threadCount <= ceiling {
      if let next = nextJob() {
        noteStart(next)
        return .run(next)
      }
      if pauseEnd == nil || threadCount == 1 {
        idle.append(worker)
        return .idle
      }
    }
    threadCount -= 1
    return .end
  }

  /// Removes an idle worker.
  /// - Returns: false if the worker has been given a job.
  mutating func retire(_ worker: Worker) -> Bool {
    guard let index = idle.firstIndex(where: { $0 === worker }) else { return false }
    idle.remove(at: index)
    threadCount -= 1
    return true
  }

  private mutating func endPause(_ now: () -> UInt64) {
    guard let pauseEnd, now() >= pauseEnd else { return }
    self.pauseEnd = nil
    ceiling = limit
  }

  private mutating func queue(_ job: Job) {
    lastTicket += 1
    switch job.share {
    case .all: waiting.append(job, ticket: lastTicket)
    case .half: waitingOfHalf.append(job, ticket: lastTicket)
    }
  }

  /// Removes the first job that may run.
  private mutating func nextJob() -> Job? {
    guard mayRunHalf, let ofHalf = waitingOfHalf.firstTicket else { return waiting.removeFirst() }
    if let ticket = waiting.firstTicket, ticket < ofHalf { return waiting.removeFirst() }
    return waitingOfHalf.removeFirst()
  }

  private mutating func noteStart(_ job: Job) { if job.share == .half { halfCount += 1 } }

  private mutating func noteEnd(_ job: Job) { if job.share == .half { halfCount -= 1 } }
}
