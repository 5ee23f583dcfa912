public import Foundation

/// The files of a database. After the database is closed, each of them is deleted already or may be deleted.
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
  /// Posted on the database's notification queue when a database has closed and released its resources. The
  /// notification has no object, because the database may no longer exist; `YapDatabaseFiles(notification)` identifies
  /// it.
  // The name matches YapDatabaseModified.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  public static let YapDatabaseClosed = Notification.Name("YapDatabaseClosed")
}

extension YapDatabaseFiles {
  /// The key of the files in a notification's `userInfo`.
  public static let userInfoKey = "files"

  /// Reads the files from a notification; nil if it carries none.
  public init?(_ notification: Notification) {
    guard let found = notification.userInfo?[Self.userInfoKey] as? YapDatabaseFiles else { return nil }
    self = found
  }
}
