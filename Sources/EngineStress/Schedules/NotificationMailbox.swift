internal import ThreadingPrimitives

/// The jobs of a notification queue, which one thread runs in order.
final class NotificationMailbox: Sendable {
  private struct State {
    var jobs: [@Sendable () -> Void] = []
    var isEnding = false
  }

  private let state = Guarded(State())
  private let parker = Parker()

  func append(_ job: @escaping @Sendable () -> Void) {
    state.withLock { $0.jobs.append(job) }
    parker.unpark()
  }

  /// Makes `serve` return once all jobs have run.
  func end() {
    state.withLock { $0.isEnding = true }
    parker.unpark()
  }

  /// Runs the jobs until `end` is called.
  func serve() {
    while true {
      let (job, isEnding): ((@Sendable () -> Void)?, Bool) = state.withLock { state in
        (state.jobs.isEmpty ? nil : state.jobs.removeFirst(), state.isEnding)
      }
      if let job {
        job()
      } else if isEnding {
        return
      } else {
        parker.park()
      }
    }
  }
}
