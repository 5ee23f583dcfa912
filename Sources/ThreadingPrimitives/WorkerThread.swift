internal import CPlatform
internal import Glibc

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
  ///   - stackBytes: The size of the thread's stack; nil for the system's default.
  ///   - body: Runs on the new thread.
  /// - Throws: `ThreadError` if the system cannot create a thread.
  public init(name: String, stackBytes: Int? = nil, _ body: @escaping @Sendable () -> Void) throws(ThreadError) {
    try self.init(name: name, stackBytes: stackBytes, in: ScheduledThread.current?.schedule, body)
  }

  /// Starts a thread of a schedule; an ordinary one if `schedule` is nil.
  package init(
    name: String,
    stackBytes: Int? = nil,
    in schedule: (any ThreadSchedule)?,
    _ body: @escaping @Sendable () -> Void
  ) throws(ThreadError) {
    scheduled = schedule.map { ScheduledThread(number: $0.add(name), schedule: $0) }
    let start = Unmanaged.passRetained(ThreadStart(name: name, scheduled: scheduled, body: body))
    var handle = pthread_t()
    let code = Self.create(&handle, stackBytes: stackBytes, start.toOpaque())
    guard code == 0 else {
      start.release()
      if let scheduled { scheduled.schedule.remove(scheduled.number) }
      throw ThreadError(code: code)
    }
    self.handle = handle
  }

  private static func create(_ handle: inout pthread_t, stackBytes: Int?, _ start: UnsafeMutableRawPointer) -> Int32 {
    guard let stackBytes else { return pthread_create(&handle, nil, threadMain, start) }
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    let code = pthread_attr_setstacksize(&attributes, stackBytes)
    return code == 0 ? pthread_create(&handle, &attributes, threadMain, start) : code
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
