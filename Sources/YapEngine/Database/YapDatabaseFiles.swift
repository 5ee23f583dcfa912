public import Foundation

/// Where a database lies. All three files are gone or free to be deleted once the database is closed.
public struct YapDatabaseFiles: Sendable, Equatable {
  public let database: URL
  public let wal: URL
  public let sharedMemory: URL

  init(path: String) {
    database = URL(fileURLWithPath: path)
    wal = URL(fileURLWithPath: path + "-wal")
    sharedMemory = URL(fileURLWithPath: path + "-shm")
  }
}

extension Notification.Name {
  /// Posted on the database's notification queue when a database has been closed and all of it was let go. There is no
  /// object, because the database may be gone; `YapDatabaseFiles(notification)` says which it was.
  // The name goes with that of YapDatabaseModified.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  public static let YapDatabaseClosed = Notification.Name("YapDatabaseClosed")
}

extension YapDatabaseFiles {
  /// Where a notification carries the files.
  public static let userInfoKey = "files"

  /// The files that a notification tells of; nil if it is about something else.
  public init?(_ notification: Notification) {
    guard let found = notification.userInfo?[Self.userInfoKey] as? YapDatabaseFiles else { return nil }
    self = found
  }
}
