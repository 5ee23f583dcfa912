public import Foundation
internal import ThreadingPrimitives

/// The changes of one commit, or of several commits that were folded into one.
///
/// The calls that begin, move or end a long-lived read return modifications, and each notification of the name
/// `YapDatabaseModified` carries one. Questions such as `hasChange(forKey:inCollection:in:)` inspect the changes.
public struct YapDatabaseModification: Sendable {
  /// The commit's number. For folded commits, the number of the last one.
  public let snapshot: UInt64

  /// The time at which the changes were complete, in nanoseconds of CLOCK_MONOTONIC: before the wait in a joint commit
  /// and before COMMIT. For folded commits, the time of the first.
  public let committedAtNanoseconds: UInt64

  /// The time when COMMIT returned, in nanoseconds of CLOCK_MONOTONIC. For folded commits, the time of the last. If
  /// another connection returns the modification before COMMIT has returned to the writer, the time at which that
  /// connection saw the commit. Equals `committedAtNanoseconds` if the time is not known: COMMIT is timed only at
  /// `Synchronous.full` and in timed calls.
  public let writtenAtNanoseconds: UInt64

  let changes: CommittedChanges

  /// Copies the commit's contents. A reference to the commit would keep every later commit in memory as well.
  init(commit: Commit) {
    snapshot = commit.snapshot
    committedAtNanoseconds = commit.committedAt
    writtenAtNanoseconds = commit.writtenAt
    changes = commit.changes
  }

  /// The numbers of the commits that the modification stands for: a single number unless commits were folded.
  ///
  /// Commits are folded behind a long-lived read if `YapDatabaseOptions.bookmarkCommitLimit` requires it, and otherwise
  /// behind a connection through which the client has seen nothing for more than 100,000 commits. The ranges of the
  /// modifications that a connection returns do not overlap.
  public var snapshots: ClosedRange<UInt64> { (changes.foldedFrom ?? snapshot)...snapshot }

  /// Whether the modification stands for several commits. Questions about changes are answered for all of them
  /// together.
  public var isFolded: Bool { changes.foldedFrom.map { $0 < snapshot } ?? false }

  /// Whether the commits were made by another process, while this one has the database open with
  /// `YapDatabaseOptions.isReadOnly`. Their changes are not known, so every question about a change is answered with
  /// true, and no changed key is enumerated: read the rows again.
  public var isExternal: Bool {
    guard case .set(let set) = changes else { return false }
    return set.changes.isExternal
  }

  /// The value that the writer attached to the commit; nil for none. For folded commits, the last value attached to any
  /// of them; earlier values are dropped.
  public var customObject: (any Sendable)? { changes.customObject }
}

extension Notification.Name {
  /// Posted for each commit, in order, even if it changed no row. The notification's object is the database. `userInfo`
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

/// A value with the changes of a commit: a modification, or the notification that carries it.
public protocol YapDatabaseModificationCarrier {
  /// The modification; nil for a notification that carries none.
  var carriedModification: YapDatabaseModification? { get }
}

extension YapDatabaseModification: YapDatabaseModificationCarrier {
  public var carriedModification: YapDatabaseModification? { self }
}

extension Notification: YapDatabaseModificationCarrier {
  public var carriedModification: YapDatabaseModification? { YapDatabaseModification(self) }
}

// MARK: All commits in order

/// An asynchronous sequence of the changes of each commit, in order: `for await modification in
/// database.modifications`.
///
/// Each iteration begins with the first commit after the access to `YapDatabase.modifications`, and returns each commit
/// exactly once. If the database is closed or the task is cancelled, the iteration ends after the last known commit.
/// The sequence retains all change sets since the access, but neither the database nor a snapshot. An iteration retains
/// the change sets that it has yet to return.
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
