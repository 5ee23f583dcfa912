internal import Synchronization

/// Threads that run jobs at once, as many as there are jobs, and are kept for a while afterwards.
///
/// It has no upper limit on purpose: a job may hold one lane and wait for another, and the job that would free that
/// one must not stand in a queue behind it.
public final class WorkerPool: Sendable {
  private static let idleNanoseconds: UInt64 = 10_000_000_000

  private let name: String
  private let idle = Guarded<[PooledWorker]>([])

  public init(name: String) {
    self.name = name
  }

  /// Runs `job` on a thread of the pool, at once.
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
      // Without a thread the job could never run, and whoever waits for it would hang without a word.
      fatalError("\(error)")
    }
  }

  private func serve(_ worker: PooledWorker) {
    while let job = worker.take(within: Self.idleNanoseconds) ?? retire(worker) {
      job()
      idle.withLock { $0.append(worker) }
    }
  }

  /// Leaves the pool, unless a job was given in the same moment: then that job.
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

  /// - Parameter nanoseconds: how long to wait for a job; nil waits for ever.
  func take(within nanoseconds: UInt64?) -> (@Sendable () -> Void)? {
    while true {
      parker.park(deadline: nanoseconds.map { MonotonicClock.now + $0 })
      let given = job.withLock { job in
        defer { job = nil }
        return job
      }
      // A wake may be late and belong to a job that was taken without it. Who waits without limit knows that one comes.
      if given != nil || nanoseconds != nil { return given }
    }
  }
}
