public import Foundation
internal import ThreadingPrimitives

/// The changes of one commit, or of several commits that were folded into one.
///
/// A long-lived read returns modifications when it moves, and `Notification.Name.YapDatabaseModified` carries one.
/// Questions such as `hasChange(forKey:inCollection:in:)` inspect the changes.
public struct YapDatabaseModification: Sendable {
  /// The commit's number. For folded commits, the number of the last.
  public let snapshot: UInt64

  /// The time just before the commit was written, in nanoseconds of CLOCK_MONOTONIC. For folded commits, that of the
  /// first.
  public let committedAtNanoseconds: UInt64

  /// The time when the commit had been written, in nanoseconds of CLOCK_MONOTONIC. For folded commits, that of the
  /// last. If commits are not synced, writing takes a few microseconds, and this time may equal
  /// `committedAtNanoseconds`.
  public let writtenAtNanoseconds: UInt64

  let changes: CommittedChanges

  /// Does not keep the commit itself: otherwise a client that keeps a modification would also keep every later commit.
  init(commit: Commit) {
    snapshot = commit.snapshot
    committedAtNanoseconds = commit.committedAt
    writtenAtNanoseconds = commit.writtenAt
    changes = commit.changes
  }

  /// The numbers of the commits that the modification stands for: a single number unless commits were folded.
  ///
  /// Commits are folded behind a long-lived read if `YapDatabaseOptions.bookmarkCommitLimit` requires it, and behind a
  /// connection that has shown its client nothing for 100,000 commits. Each snapshot is in the range of exactly one of
  /// the modifications that a connection returns.
  public var snapshots: ClosedRange<UInt64> { (changes.foldedFrom ?? snapshot)...snapshot }

  /// Whether the modification stands for several commits. Questions about changes are answered for all of them
  /// together.
  public var isFolded: Bool { changes.foldedFrom.map { $0 < snapshot } ?? false }

  /// The value that the writer attached to the commit. For folded commits, the last value attached to any of them;
  /// earlier values are dropped.
  public var customObject: (any Sendable)? { changes.customObject }
}

extension Notification.Name {
  /// Posted for each commit that changed something, in order. The notification's object is the database. `userInfo`
  /// contains the commit's `YapDatabaseModification` under `YapDatabaseModification.userInfoKey`.
  // The name that users of YapDatabase know.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  public static let YapDatabaseModified = Notification.Name("YapDatabaseModified")
}

extension YapDatabaseModification {
  /// The key of the modification in a notification's `userInfo`.
  public static let userInfoKey = "modification"

  /// Creates the modification that a notification carries; nil if the notification carries none.
  public init?(_ notification: Notification) {
    guard let found = notification.userInfo?[Self.userInfoKey] as? YapDatabaseModification else { return nil }
    self = found
  }
}

// MARK: All commits in order

/// An asynchronous sequence of the changes of each commit, in order: `for await modification in
/// database.modifications`.
///
/// Each iteration begins with the first commit after the access to `YapDatabase.modifications`, and returns each commit
/// exactly once. It ends when the database is closed or the task is cancelled. The sequence retains neither the
/// database nor a snapshot, but all change sets since the access, without values. An iteration retains those that it
/// has yet to return.
public struct YapDatabaseModifications: AsyncSequence, Sendable {
  public typealias Element = YapDatabaseModification
  public typealias Failure = Never

  let delivery: NotificationDelivery
  let start: Commit

  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(delivery: delivery, reached: start)
  }

  public struct AsyncIterator: AsyncIteratorProtocol {
    let delivery: NotificationDelivery
    var reached: Commit

    public mutating func next() async -> YapDatabaseModification? {
      await next(isolation: nil)
    }

    public mutating func next(isolation actor: isolated (any Actor)?) async -> YapDatabaseModification? {
      guard let commit = await delivery.commit(after: reached, isolation: actor) else { return nil }
      reached = commit
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
