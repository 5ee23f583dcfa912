internal import ThreadingPrimitives

/// Hands entries over to a thread of its own, so that a slow receiver delays no caller.
final class Relay<Entry: Sendable>: Sendable {
  private struct State {
    var waiting: [Entry] = []
    var isFinished = false
  }

  private let state = Guarded(State())
  private let hasEnded = StopFlag()
  private let listener = Parker()
  private let ended = Parker()

  /// - Parameter handler: called on the relay's thread, with the entries in order.
  init(name: String, to handler: @escaping @Sendable ([Entry]) -> Void) throws {
    try WorkerThread(name: name) { self.listen(handler) }.detach()
  }

  /// Queues entries for the handler.
  /// - Parameter isReplaced: whether the last waiting entry is dropped, because the new ones replace it.
  func append(_ entries: [Entry], replacing isReplaced: (Entry) -> Bool = { _ in false }) {
    state.withLock { state in
      if let last = state.waiting.last, isReplaced(last) { state.waiting.removeLast() }
      state.waiting += entries
    }
    listener.unpark()
  }

  /// Waits until everything was handled.
  /// - Parameter deadline: ends the wait, in nanoseconds of the monotonic clock; nil waits without a limit.
  func finish(deadline: UInt64? = nil) {
    state.withLock { $0.isFinished = true }
    listener.unpark()
    while !hasEnded.isRaised, ended.park(deadline: deadline) {}
  }

  private func listen(_ handler: ([Entry]) -> Void) {
    while true {
      let (entries, isLast) = state.withLock { (exchange(&$0.waiting, with: []), $0.isFinished) }
      if !entries.isEmpty { handler(entries) }
      if isLast { break }
      listener.park()
    }
    hasEnded.raise()
    ended.unpark()
  }
}
