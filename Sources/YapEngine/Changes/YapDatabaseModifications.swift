internal import ThreadingPrimitives

/// An asynchronous sequence of the changes of each commit, in order: `for await modification in
/// database.modifications`.
///
/// Each iteration begins with the first commit after the access to `YapDatabase.modifications`, and returns each commit
/// exactly once. It ends when the database is closed or the task is cancelled. The sequence retains neither the
/// database nor a snapshot. A slow iteration keeps the pending change sets in memory, without values.
public struct YapDatabaseModifications: AsyncSequence, Sendable {
  public typealias Element = YapDatabaseModification
  public typealias Failure = Never

  let delivery: NotificationDelivery
  let start: Commit

  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(delivery: delivery, place: start)
  }

  public struct AsyncIterator: AsyncIteratorProtocol {
    let delivery: NotificationDelivery
    var place: Commit

    public mutating func next() async -> YapDatabaseModification? {
      await next(isolation: nil)
    }

    public mutating func next(isolation actor: isolated (any Actor)?) async -> YapDatabaseModification? {
      guard let commit = await delivery.commit(after: place, isolation: actor) else { return nil }
      place = commit
      return YapDatabaseModification(commit: commit)
    }
  }
}

extension YapDatabase {
  /// The commits of all connections from now on. Each iteration returns all of them.
  public var modifications: YapDatabaseModifications {
    YapDatabaseModifications(delivery: delivery, start: registry.withLock { $0.newest })
  }
}
