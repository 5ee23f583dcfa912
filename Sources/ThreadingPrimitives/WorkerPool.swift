/// A pool of threads for jobs that block. Threads are started when they are needed, up to a limit, and are kept idle
/// for 10 s. Jobs above the limit wait, first come, first served.
///
/// If the system starts no further thread, jobs wait for the threads that exist. For 10 s the pool then uses one thread
/// fewer than it has, because other parts of the process need threads too.
///
/// A job may hold a lane before it has a thread. A thread that holds other lanes and waits for this lane would wait
/// forever if all threads of the pool wait for it in turn. Therefore such a thread calls `hurry`, which starts the job
/// beyond the limit.
public final class WorkerPool: Sendable {
  /// The share of the threads that jobs of a kind may occupy.
  public enum Share: Sendable {
    case all
    /// Half of the limit, but at least one thread. For jobs that wait for each other, such as writes, so that they do
    /// not keep out others.
    case half
  }

  /// A job, which is called once.
  struct Job: Sendable {
    /// The lane that the job holds; nil for none.
    var lane: ObjectIdentifier?
    var share = Share.all
    /// Gets nil on a thread of the pool.
    let body: LaneJob
  }

  enum Submission {
    case started, queued
    /// There is no thread, and the system cannot start one. The job will not run.
    case refused(ThreadError)
  }

  private static let idleNanoseconds: UInt64 = 10_000_000_000

  private let name: String
  private let state: Guarded<WorkerPoolState<PooledWorker>>

  /// - Parameters:
  ///   - name: The name of the threads.
  ///   - limit: The largest number of threads, at least 1, without those that `hurry` starts.
  public init(name: String, limit: Int = .max) {
    self.name = name
    state = Guarded(WorkerPoolState(limit: limit))
  }

  /// The number of threads. Does not block.
  public var threadCount: Int { state.withLock { $0.threadCount } }

  /// The number of jobs that wait for a thread. Does not block.
  public var waitingCount: Int { state.withLock { $0.waitingCount } }

  /// Runs `job` on a thread of the pool.
  /// - Throws: `ThreadError` if there is no thread, and the system cannot start one. The job does not run then.
  public func run(_ job: @escaping @Sendable () -> Void) throws(ThreadError) {
    if case .refused(let error) = submit(Job(body: { _ in job() })) { throw error }
  }

  func submit(_ job: Job) -> Submission {
    switch state.withLock({ $0.submit(job, now: MonotonicClock.now) }) {
    case .give(let worker):
      worker.give(job)
      return .started
    case .queue: return .queued
    case .start:
      do { try startThread(with: job) } catch {
        switch state.withLock({ $0.startFailed(job, now: MonotonicClock.now) }) {
        case .worker(let worker): worker.give(job)
        case .line: return .queued
        case .none: return .refused(error)
        }
      }
      return .started
    }
  }

  /// Starts the job that holds the given lane, if it waits for a thread, even if this exceeds the limit.
  /// - Returns: false if the job still waits, because the system cannot start a thread.
  func hurry(_ lane: ObjectIdentifier) -> Bool {
    guard let job = state.withLock({ $0.takeWaiting(holding: lane) }) else { return true }
    do { try startThread(with: job) } catch {
      guard let worker = state.withLock({ $0.hurryFailed(job) }) else { return false }
      worker.give(job)
    }
    return true
  }

  private func startThread(with job: Job) throws(ThreadError) {
    let worker = PooledWorker()
    worker.give(job)
    try WorkerThread(name: name) { [self] in serve(worker) }.detach()
  }

  private func serve(_ worker: PooledWorker) {
    while let job = worker.take(within: Self.idleNanoseconds) ?? retire(worker) {
      job.body(nil)
      switch state.withLock({ $0.ended(job, by: worker, now: MonotonicClock.now) }) {
      case .run(let next): worker.give(next)
      case .idle: break
      case .end: return
      }
    }
  }

  /// Removes the idle worker from the pool. If a job was given at the same moment, returns that job.
  private func retire(_ worker: PooledWorker) -> Job? {
    state.withLock { $0.retire(worker) } ? nil : worker.take(within: nil)
  }
}

private final class PooledWorker: Sendable {
  private let parker = Parker()
  private let job = Guarded<WorkerPool.Job?>(nil)

  func give(_ job: WorkerPool.Job) {
    self.job.withLock { $0 = job }
    parker.unpark()
  }

  /// - Parameter nanoseconds: The longest wait for a job; nil waits without a limit.
  func take(within nanoseconds: UInt64?) -> WorkerPool.Job? {
    while true {
      parker.park(deadline: nanoseconds.map { MonotonicClock.now + $0 })
      let given = job.withLock { $0.take() }
      // A late wake may belong to a job that has already been taken. A caller without a limit waits for a job that is
      // sure to follow.
      if given != nil || nanoseconds != nil { return given }
    }
  }
}
