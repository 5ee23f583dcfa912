internal import ThreadingPrimitives

/// Who is told of commits.
final class CommitListeners: Sendable {
  private let handlers = Guarded<[@Sendable (CommitNews) -> Void]>([])

  /// - Parameter commit: the last that is not told of.
  func add(after commit: UInt64, _ handler: @escaping @Sendable (CommitNews) -> Void) {
    handlers.withLock { $0.append { told in if told.commit > commit { handler(told) } } }
  }

  func tell(_ news: CommitNews) {
    for handler in handlers.withLock({ $0.map { $0 } }) { handler(news) }
  }
}
