internal import Dispatch
internal import Glibc
internal import Synchronization
internal import ThreadingPrimitives

/// An asynchronous call that failed and had no completion to receive the error.
public struct YapDatabaseAsyncFailure: Sendable, CustomStringConvertible {
  /// The name of the call, such as "asyncReadWrite".
  public let call: String
  /// The name of the connection.
  public let connection: String
  /// The error that ended the call. Nothing of a failed write was stored.
  public let error: any Error

  public var description: String {
    "\(call) on connection \"\(connection)\" failed, and has no completion to receive the error: \(error)"
  }
}

/// Counts asynchronous calls that failed without a completion, and reports them to the client's handler or standard
/// error.
final class AsyncFailures: Sendable {
  typealias Handler = @Sendable (YapDatabaseAsyncFailure) -> Void

  private struct State: Sendable {
    var handler: Handler?
    var limit = FailureLineLimit()
  }

  private let state: Guarded<State>
  private let failures = Atomic<Int>(0)
  private let write: @Sendable (String) -> Void

  /// - Parameters:
  ///   - handler: Receives each failure; nil to write lines instead.
  ///   - write: Receives the lines, without newlines.
  init(handler: Handler?, write: @escaping @Sendable (String) -> Void = AsyncFailures.writeToStandardError) {
    state = Guarded(State(handler: handler))
    self.write = write
  }

  /// Creates an instance with the client's handler. Without one, lines go to standard error, or to the hook of a test.
  convenience init(_ options: YapDatabaseOptions) {
    self.init(handler: options.asyncFailureHandler, write: Self.lineWriter(options))
  }

  /// The function that writes a line to standard error, or passes it to the hook of a test.
  static func lineWriter(_ options: YapDatabaseOptions) -> @Sendable (String) -> Void {
    #if TestPoints
      options.testHooks.onFailureLine ?? writeToStandardError
    #else
      writeToStandardError
    #endif
  }

  /// The number of failures since the database was opened.
  var count: Int { failures.load(ordering: .relaxed) }

  var handler: Handler? {
    get { state.withLock { $0.handler } }
    set { state.withLock { $0.handler = newValue } }
  }

  /// - Parameters:
  ///   - queue: The queue on which the handler runs.
  ///   - now: Nanoseconds of `MonotonicClock`.
  func report(_ failure: YapDatabaseAsyncFailure, on queue: DispatchQueue, at now: UInt64 = MonotonicClock.now) {
    let kind = Self.kind(of: failure.error)
    let (handler, suppressed) = state.withLock { state in
      (state.handler, state.handler == nil ? state.limit.admit(kind, at: now) : nil)
    }
    // A handler that is set after a failure was counted does not receive it.
    failures.add(1, ordering: .relaxed)
    if let handler {
      queue.async { handler(failure) }
    } else if let suppressed {
      write(Self.line(failure, suppressed: suppressed))
    }
  }

  /// The code of an engine's error, or else the name of the error's type.
  private static func kind(of error: any Error) -> String {
    (error as? YapDatabaseError)?.code.name ?? String(reflecting: type(of: error))
  }

  private static func line(_ failure: YapDatabaseAsyncFailure, suppressed: Int) -> String {
    let others = suppressed == 0 ? "" : " (and \(suppressed) more failures of this kind since the last line)"
    // An error's text is the client's, and may have line breaks.
    let text = failure.description.split(whereSeparator: \.isNewline).joined(separator: " ")
    return "YapEngine: \(text)\(others)"
  }

  private static func writeToStandardError(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    var start = 0
    while start < bytes.count {
      let written = bytes[start...].withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
      if written < 0, errno == EINTR { continue }
      // Standard error is closed or full, so the line is lost. `count` still includes the failure.
      guard written > 0 else { return }
      start += written
    }
  }
}

/// Decides which failures get a line: the first of each kind, then at most one of the kind per second. A pure state
/// machine.
struct FailureLineLimit: Sendable {
  static let intervalNanoseconds: UInt64 = 1_000_000_000

  private struct Kind {
    var lastLineAt: UInt64
    var suppressed = 0
  }

  private var kinds: [String: Kind] = [:]

  /// - Parameter now: Nanoseconds of a monotonic clock.
  /// - Returns: The number of earlier failures of the kind since its last line; nil if this failure gets no line.
  mutating func admit(_ kind: String, at now: UInt64) -> Int? {
    guard let known = kinds[kind] else {
      kinds[kind] = Kind(lastLineAt: now)
      return 0
    }
    guard now >= known.lastLineAt, now - known.lastLineAt >= Self.intervalNanoseconds else {
      kinds[kind]?.suppressed += 1
      return nil
    }
    kinds[kind] = Kind(lastLineAt: now)
    return known.suppressed
  }
}
