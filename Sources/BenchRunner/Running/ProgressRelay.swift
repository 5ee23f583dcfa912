internal import ThreadingPrimitives

/// Hands a run's progress over to a thread of its own, so that nobody who is slow to listen, such as a terminal that
/// was stopped, holds the run up.
final class ProgressRelay: Sendable {
  /// How long the end of the run waits for the last of it to be told.
  private static let longestFarewellNanoseconds: UInt64 = 2_000_000_000

  private let waiting = Guarded<[RunProgress]>([])
  private let isFinished = StopFlag()
  private let hasEnded = StopFlag()
  private let listener = Parker()
  private let farewell = Parker()

  /// - Parameter handler: is called on the thread of the relay, in order.
  init(to handler: @escaping @Sendable (RunProgress) -> Void) throws {
    try WorkerThread(name: "progress") { self.listen(handler) }.detach()
  }

  /// Takes progress to be told. What passes, and has not been told yet, is left out when later of its kind comes.
  func tell(_ progress: RunProgress) {
    waiting.withLock { waiting in
      if let last = waiting.last, progress.replaces(last) { waiting.removeLast() }
      waiting.append(progress)
    }
    listener.unpark()
  }

  /// Waits until everything has been told, unless that takes too long.
  func finish() {
    isFinished.raise()
    listener.unpark()
    let deadline = MonotonicClock.now + Self.longestFarewellNanoseconds
    while !hasEnded.isRaised, farewell.park(deadline: deadline) {}
  }

  private func listen(_ handler: (RunProgress) -> Void) {
    while true {
      // Asked first: what is told before the end is in the list then.
      let isLast = isFinished.isRaised
      let told = waiting.withLock { waiting in
        defer { waiting = [] }
        return waiting
      }
      for progress in told { handler(progress) }
      if isLast { break }
      listener.park()
    }
    hasEnded.raise()
    farewell.unpark()
  }
}

extension RunProgress {
  /// Whether an older one need not be told any more.
  fileprivate func replaces(_ older: RunProgress) -> Bool {
    switch (older, self) {
    case (.loading(let one, _, _), .loading(let other, _, _)): one == other
    case (.settling, .settling), (.sampled, .sampled), (.waiting, .waiting): true
    default: false
    }
  }
}
