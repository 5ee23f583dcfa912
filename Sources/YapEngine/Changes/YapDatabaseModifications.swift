internal import ThreadingPrimitives

/// What each commit changed, in order, as they come: `for await modification in database.modifications`.
///
/// It begins with the first commit after `YapDatabase.modifications` was asked for, each time it is gone through; no
/// commit is left out or told twice. It ends when the database closes, or the task is cancelled. It holds neither the
/// database nor any snapshot, and whoever falls behind keeps the change sets, without values, that are still to come.
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
  /// The commits from now on, of every connection. Each iteration sees all of them.
  public var modifications: YapDatabaseModifications {
    YapDatabaseModifications(delivery: delivery, start: registry.withLock { $0.newest })
  }
}
