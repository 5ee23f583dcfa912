internal import ThreadingPrimitives

/// Hands a run's progress over to a thread of its own, so that a slow receiver, such as a stopped terminal, does not
/// delay the run.
final class ProgressRelay: Sendable {
  /// The longest that the end of the run waits until the last progress is handled.
  private static let longestFarewellNanoseconds: UInt64 = 2_000_000_000

  private let waiting = Guarded<[RunProgress]>([])
  private let isFinished = StopFlag()
  private let hasEnded = StopFlag()
  private let listener = Parker()
  private let farewell = Parker()

  /// - Parameter handler: called on the relay's thread, in order.
  init(to handler: @escaping @Sendable (RunProgress) -> Void) throws {
    try WorkerThread(name: "progress") { self.listen(handler) }.detach()
  }

  /// Queues progress for the handler. It replaces the last entry if that is a passing state of the same kind.
  func report(_ progress: RunProgress) {
    waiting.withLock { waiting in
      if let last = waiting.last, progress.replaces(last) { waiting.removeLast() }
      waiting.append(progress)
    }
    listener.unpark()
  }

  /// Waits until everything was handled, but at most `longestFarewellNanoseconds`.
  func finish() {
    isFinished.raise()
    listener.unpark()
    let deadline = MonotonicClock.now + Self.longestFarewellNanoseconds
    while !hasEnded.isRaised, farewell.park(deadline: deadline) {}
  }

  private func listen(_ handler: (RunProgress) -> Void) {
    while true {
      // Read before the list, so that entries from before the end are in it.
      let isLast = isFinished.isRaised
      let entries = waiting.withLock { waiting in
        defer { waiting = [] }
        return waiting
      }
      for progress in entries { handler(progress) }
      if isLast { break }
      listener.park()
    }
    hasEnded.raise()
    farewell.unpark()
  }
}

extension RunProgress {
  /// Whether an older entry can be dropped when this one is queued.
  fileprivate func replaces(_ older: RunProgress) -> Bool {
    switch (older, self) {
    case (.loading(let one, _, _), .loading(let other, _, _)): one == other
    case (.settling, .settling), (.sampled, .sampled), (.waiting, .waiting): true
    default: false
    }
  }
}
