internal import ThreadingPrimitives

/// A commit, as `DriverDatabase.onCommit` reports it.
public struct CommitNotification: Sendable, Equatable {
  /// The commit's number.
  public let commit: UInt64
  /// The time at which the commit had been written, in nanoseconds of the monotonic clock; nil if the engine does not
  /// report it.
  public let writtenAt: UInt64?

  public init(_ commit: UInt64, writtenAt: UInt64? = nil) {
    self.commit = commit
    self.writtenAt = writtenAt
  }
}

/// The handlers that are called for commits.
final class CommitListeners: Sendable {
  private let handlers = Guarded<[@Sendable (CommitNotification) -> Void]>([])

  /// Adds a handler.
  /// - Parameter commit: The handler is called only for commits with a greater number.
  func add(after commit: UInt64, _ handler: @escaping @Sendable (CommitNotification) -> Void) {
    handlers.withLock { $0.append { if $0.commit > commit { handler($0) } } }
  }

  /// Calls every handler on this thread.
  func notify(_ notification: CommitNotification) {
    for handler in handlers.withLock({ $0.map { $0 } }) { handler(notification) }
  }
}
