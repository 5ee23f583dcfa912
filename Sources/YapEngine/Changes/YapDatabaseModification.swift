public import Foundation

/// What one commit changed: the notification of it.
///
/// A long-lived read returns them when it moves; `Notification.Name.YapDatabaseModified` carries one. They are asked
/// through `hasChange(forKey:inCollection:in:)` and its like.
public struct YapDatabaseModification: Sendable {
  /// The commit's number.
  public let snapshot: UInt64

  /// Nanoseconds of CLOCK_MONOTONIC at which the commit was about to be written.
  public let committedAtNanoseconds: UInt64

  /// The same at which it had been written. Where commits are not synced, so that writing takes but some microseconds,
  /// the two may be one.
  public let writtenAtNanoseconds: UInt64

  let changes: ChangeSet

  /// Not the commit itself: a client that keeps a modification would keep every later commit with it.
  init(commit: Commit) {
    snapshot = commit.snapshot
    committedAtNanoseconds = commit.committedAt
    writtenAtNanoseconds = commit.writtenAt
    changes = commit.changes
  }

  /// What the writer attached to the commit.
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
