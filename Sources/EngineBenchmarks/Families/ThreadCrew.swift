internal import ThreadingPrimitives

/// Runs threads concurrently.
enum ThreadCrew {
  private struct Outcome {
    var operations = 0
    var failure: (any Error)?
    var lastEnd: UInt64 = 0
  }

  /// Runs each body on its own thread. All begin together.
  /// - Parameters:
  ///   - bodies: Return the numbers of operations that they performed.
  ///   - meanwhile: Runs on the calling thread once they have begun.
  /// - Returns: The total number of operations, and the nanoseconds from the start to the end of the last body.
  static func run(
    _ bodies: [@Sendable () throws -> Int],
    meanwhile: () -> Void = {}
  ) throws -> (operations: Int, nanoseconds: UInt64) {
    let gate = StartGate()
    let outcome = SharedOutcome()
    let threads = try bodies.map { body in
      try WorkerThread(name: "bench") {
        gate.wait()
        let result = Result { try body() }
        let end = MonotonicClock.now
        outcome.value.withLock { outcome in
          switch result {
          case .success(let operations): outcome.operations += operations
          case .failure(let error): outcome.failure = outcome.failure ?? error
          }
          outcome.lastEnd = max(outcome.lastEnd, end)
        }
      }
    }
    let begun = MonotonicClock.now
    gate.open()
    meanwhile()
    for thread in threads { thread.join() }
    let end = outcome.value.withLock { $0 }
    if let failure = end.failure { throw failure }
    return (end.operations, end.lastEnd - begun)
  }

  private final class SharedOutcome: Sendable {
    let value = Guarded(Outcome())
  }
}
