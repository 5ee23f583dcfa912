internal import CPlatform
internal import Glibc

/// A thread with a name that can be joined.
///
/// Blocking work runs on threads, never as tasks: on few cores the cooperative pool would queue one blocking body
/// behind another, which would distort every latency.
public struct WorkerThread: Sendable {
  private let handle: pthread_t

  /// Starts a thread.
  /// - Parameters:
  ///   - name: The name that debuggers show; its first 15 bytes are used.
  ///   - body: Runs on the new thread.
  /// - Throws: `ThreadError` if the system cannot create a thread.
  public init(name: String, _ body: @escaping @Sendable () -> Void) throws(ThreadError) {
    let start = Unmanaged.passRetained(ThreadStart(name: name, body: body))
    var handle = pthread_t()
    let code = pthread_create(&handle, nil, threadMain, start.toOpaque())
    guard code == 0 else {
      start.release()
      throw ThreadError(code: code)
    }
    self.handle = handle
  }

  /// Waits until the thread's body has returned. Must be called at most once.
  public func join() {
    pthread_join(handle, nil)
  }

  /// Detaches the thread. It must not be joined afterwards.
  public func detach() {
    pthread_detach(handle)
  }
}

/// The system refused to start a thread.
public struct ThreadError: Error, CustomStringConvertible {
  /// The errno value that pthread_create returned.
  public let code: Int32

  public var description: String { "cannot start a thread: \(String(cString: strerror(code)))" }
}

private final class ThreadStart: Sendable {
  let name: String
  let body: @Sendable () -> Void

  init(name: String, body: @escaping @Sendable () -> Void) {
    self.name = name
    self.body = body
  }
}

/// A free function, because a closure literal would be checked against an actor on which it never runs.
private func threadMain(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let argument else { return nil }
  let start = Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue()
  cplatform_set_thread_name(start.name)
  cplatform_set_exact_timers()
  start.body()
  return nil
}
