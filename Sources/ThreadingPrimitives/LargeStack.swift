/// Runs recursive code that may need more stack than is left on the calling thread.
public enum LargeStack {
  /// The size of a thread's stack in bytes. The system provides only the pages that are used.
  public static let bytes = 16 << 20

  /// Runs `body` on a new thread with a stack of `bytes`, while the calling thread waits.
  ///
  /// The thread holds no lanes, and has neither the task nor the thread-local values of the calling thread.
  /// - Throws: the error of `body`; `ThreadError` if the system cannot create the thread.
  public static func run<Result>(_ body: () throws -> Result) throws -> Result {
    try withoutActuallyEscaping(body) { body in
      var result: Swift.Result<Result, any Error>?
      // The calling thread waits for the new one, so only one of them uses the closure and the result at a time.
      nonisolated(unsafe) let work = { result = Swift.Result { try body() } }
      try WorkerThread(name: "yap-deep", stackBytes: bytes) { work() }.join()
      guard let result else { preconditionFailure("a thread ended without running its body") }
      return try result.get()
    }
  }
}
