internal import Synchronization
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

/// The number of the newest commit of a driver that counts commits itself, and the handlers that are called for them.
final class CommitCounter: Sendable {
  private let number: Atomic<UInt64>
  private let listeners = CommitListeners()

  /// - Parameter newest: The number of the newest commit in the file.
  init(newest: UInt64) { number = Atomic(newest) }

  var newest: UInt64 { number.load(ordering: .acquiring) }

  func addListener(_ handler: @escaping @Sendable (CommitNotification) -> Void) {
    listeners.add(after: newest, handler)
  }

  /// Counts a commit, and calls every handler on this thread. Must be called with the writers' lock held.
  func report(_ commit: UInt64) {
    number.store(commit, ordering: .releasing)
    listeners.notify(CommitNotification(commit))
  }
}

/// A database whose driver counts the commits of this process, because the engine does not number them.
protocol CountingDatabase: DriverDatabase {
  var commits: CommitCounter { get }
}

extension CountingDatabase {
  var commit: UInt64 { commits.newest }

  func onCommit(_ handler: @escaping @Sendable (CommitNotification) -> Void) { commits.addListener(handler) }
}
