internal import ThreadingPrimitives

/// The handlers that are called for commits.
final class CommitListeners: Sendable {
  private let handlers = Guarded<[@Sendable (CommitNews) -> Void]>([])

  /// - Parameter commit: The last commit for which the handler is not called.
  func add(after commit: UInt64, _ handler: @escaping @Sendable (CommitNews) -> Void) {
    handlers.withLock { $0.append { news in if news.commit > commit { handler(news) } } }
  }

  func notify(_ news: CommitNews) {
    for handler in handlers.withLock({ $0.map { $0 } }) { handler(news) }
  }
}
