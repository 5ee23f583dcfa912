public import Foundation

/// The changes of one commit, or of several that were folded into one: what a notification carries.
///
/// A long-lived read returns them when it moves; `Notification.Name.YapDatabaseModified` carries one. Questions such as
/// `hasChange(forKey:inCollection:in:)` answer what changed.
public struct YapDatabaseModification: Sendable {
  /// The commit's number; of folded commits the last one's.
  public let snapshot: UInt64

  /// Nanoseconds of CLOCK_MONOTONIC at which the commit was about to be written; of folded commits the first one.
  public let committedAtNanoseconds: UInt64

  /// Nanoseconds of CLOCK_MONOTONIC at which the commit had been written; of folded commits the last one. Where commits
  /// are not synced, so that writing takes some microseconds, it may equal `committedAtNanoseconds`.
  public let writtenAtNanoseconds: UInt64

  let changes: CommittedChanges

  /// Not the commit itself: a client that keeps a modification would keep every later commit with it.
  init(commit: Commit) {
    snapshot = commit.snapshot
    committedAtNanoseconds = commit.committedAt
    writtenAtNanoseconds = commit.writtenAt
    changes = commit.changes
  }

  /// The numbers of the commits that it stands for: one, unless commits were folded.
  ///
  /// Commits are folded behind a long-lived read if `YapDatabaseOptions.bookmarkCommitLimit` says so, and behind a
  /// connection that has shown its client nothing for 100,000 commits. Among the modifications that one connection
  /// returns, each snapshot is in the range of one.
  public var snapshots: ClosedRange<UInt64> { (changes.foldedFrom ?? snapshot)...snapshot }

  /// Whether it stands for several commits. Questions about changes have the answer that they have for all of them
  /// together.
  public var isFolded: Bool { changes.foldedFrom.map { $0 < snapshot } ?? false }

  /// The value that the writer attached to the commit. Of folded commits the last value that was attached to any of
  /// them; earlier ones are dropped.
  public var customObject: (any Sendable)? { changes.customObject }
}

extension Notification.Name {
  /// Posted for each commit that changed something, in order; the object is the database. In `userInfo`, under
  /// `YapDatabaseModification.userInfoKey`, is the commit's `YapDatabaseModification`.
  // The name that the users of such databases know.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  public static let YapDatabaseModified = Notification.Name("YapDatabaseModified")
}

extension YapDatabaseModification {
  /// Where a notification carries its modification.
  public static let userInfoKey = "modification"

  /// The modification that a notification carries; nil if it is about something else.
  public init?(_ notification: Notification) {
    guard let found = notification.userInfo?[Self.userInfoKey] as? YapDatabaseModification else { return nil }
    self = found
  }
}
