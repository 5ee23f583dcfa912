internal import Synchronization

/// A pool of threads that starts every job immediately, on a new thread if none is idle, and keeps idle threads for 10
/// s.
///
/// It has no upper limit, because a job may hold one lane and wait for another, and the job that would release that
/// lane must not be queued behind it.
public final class WorkerPool: Sendable {
  private static let idleNanoseconds: UInt64 = 10_000_000_000

  private let name: String
  private let idle = Guarded<[PooledWorker]>([])

  public init(name: String) {
    self.name = name
  }

  /// Runs `job` on a thread of the pool, immediately.
  public func run(_ job: @escaping @Sendable () -> Void) {
    if let worker = idle.withLock({ $0.popLast() }) {
      worker.give(job)
      return
    }
    let worker = PooledWorker()
    worker.give(job)
    do {
      try WorkerThread(name: name) { [self] in serve(worker) }.detach()
    } catch {
      // Without a thread the job could never run, and its waiters would hang without a message.
      fatalError("\(error)")
    }
  }

  private func serve(_ worker: PooledWorker) {
    while let job = worker.take(within: Self.idleNanoseconds) ?? retire(worker) {
      job()
      idle.withLock { $0.append(worker) }
    }
  }

  /// Removes the worker from the pool. If a job was given at the same moment, returns that job.
  private func retire(_ worker: PooledWorker) -> (@Sendable () -> Void)? {
    let left = idle.withLock { idle in
      guard let index = idle.firstIndex(where: { $0 === worker }) else { return false }
      idle.remove(at: index)
      return true
    }
    return left ? nil : worker.take(within: nil)
  }
}

private final class PooledWorker: Sendable {
  private let parker = Parker()
  private let job = Guarded<(@Sendable () -> Void)?>(nil)

  func give(_ job: @escaping @Sendable () -> Void) {
    self.job.withLock { $0 = job }
    parker.unpark()
  }

  /// - Parameter nanoseconds: The longest wait for a job; nil waits without a limit.
  func take(within nanoseconds: UInt64?) -> (@Sendable () -> Void)? {
    while true {
      parker.park(deadline: nanoseconds.map { MonotonicClock.now + $0 })
      let given = job.withLock { job in
        defer { job = nil }
        return job
      }
      // A late wake may belong to a job that has already been taken. A caller without a limit knows that a job will
      // follow.
      if given != nil || nanoseconds != nil { return given }
    }
  }
}
