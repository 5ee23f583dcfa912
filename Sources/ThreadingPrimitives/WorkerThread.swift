internal import CPlatform
internal import Glibc
internal import Synchronization

/// A thread with a name that can be joined.
///
/// Blocking work runs on threads, never as tasks: on few cores the cooperative pool would queue one blocking body
/// behind another, which would distort every latency.
public struct WorkerThread: Sendable {
  private let handle: pthread_t
  private let scheduled: ScheduledThread?

  /// Starts a thread. If the calling thread belongs to a `ThreadSchedule`, so does the new one.
  /// - Parameters:
  ///   - name: The name that debuggers show; its first 15 bytes are used.
  ///   - body: Runs on the new thread.
  /// - Throws: `ThreadError` if the system cannot create a thread.
  public init(name: String, _ body: @escaping @Sendable () -> Void) throws(ThreadError) {
    try self.init(name: name, in: ScheduledThread.current?.schedule, body)
  }

  /// Starts a thread of a schedule; an ordinary one if `schedule` is nil.
  package init(
    name: String,
    in schedule: (any ThreadSchedule)?,
    _ body: @escaping @Sendable () -> Void
  ) throws(ThreadError) {
    scheduled = schedule.map { ScheduledThread(number: $0.add(name), schedule: $0) }
    let start = Unmanaged.passRetained(ThreadStart(name: name, scheduled: scheduled, body: body))
    var handle = pthread_t()
    let code = pthread_create(&handle, nil, threadMain, start.toOpaque())
    guard code == 0 else {
      start.release()
      if let scheduled { scheduled.schedule.remove(scheduled.number) }
      throw ThreadError(code: code)
    }
    self.handle = handle
  }

  /// Waits until the thread's body has returned. Must be called at most once.
  public func join() {
    if let thread = ScheduledThread.current, let scheduled { thread.schedule.join(thread.number, to: scheduled.number) }
    pthread_join(handle, nil)
  }

  /// Detaches the thread. It must not be joined afterwards.
  public func detach() {
    pthread_detach(handle)
  }
}

/// The error of a thread that the system did not start.
public struct ThreadError: Error, CustomStringConvertible {
  /// The errno value that pthread_create returned.
  public let code: Int32

  public var description: String { "cannot start a thread: \(String(cString: strerror(code)))" }
}

private final class ThreadStart: Sendable {
  let name: String
  let scheduled: ScheduledThread?
  let body: @Sendable () -> Void

  init(name: String, scheduled: ScheduledThread?, body: @escaping @Sendable () -> Void) {
    self.name = name
    self.scheduled = scheduled
    self.body = body
  }
}

/// A free function, because a closure literal would be checked against an actor on which it never runs.
private func threadMain(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let argument else { return nil }
  let start = Unmanaged<ThreadStart>.fromOpaque(argument)
  guard let scheduled = start.takeUnretainedValue().scheduled else {
    perform(start.takeRetainedValue())
    return nil
  }
  scheduled.begin()
  perform(start.takeRetainedValue())
  // The body is released: releasing it may run deinitializers, which are steps of the schedule.
  scheduled.end()
  return nil
}

private func perform(_ start: consuming ThreadStart) {
  cplatform_set_thread_name(start.name)
  cplatform_set_exact_timers()
  start.body()
}

/// Identifies a thread, at the cost of a register read.
///
/// A token is unique among living threads; after a thread has ended, a later thread may get its token.
public struct ThreadToken: Hashable, Sendable {
  public let rawValue: UInt

  /// The calling thread's token.
  public static var current: ThreadToken { ThreadToken(rawValue: UInt(bitPattern: cplatform_thread_slot())) }

  /// The token of no thread.
  public static let none = ThreadToken(rawValue: 0)

  init(rawValue: UInt) { self.rawValue = rawValue }
}

/// A pool of threads that starts every job immediately, on a new thread if none is idle, and keeps idle threads for 10
/// s.
///
/// It has no upper limit, because a job may hold one lane and wait for another, and the job that would release the
/// other lane must not be queued behind the waiting one.
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
      // A late wake may belong to a job that has already been taken. A caller without a limit waits for a job that is
      // sure to follow.
      if given != nil || nanoseconds != nil { return given }
    }
  }
}
