public import Dispatch
public import Foundation

/// YapDatabase's names for calls that the engine spells differently.
extension YapDatabase {
  /// Opens the database at a file URL. See `init(path:options:)`.
  public convenience init(url: URL, options: YapDatabaseOptions = YapDatabaseOptions()) throws {
    try self.init(path: url.path, options: options)
  }

  /// Opens the database at `defaultDatabaseURL`, and creates its folder if it does not exist.
  /// - Throws: The errors of `init(path:options:)`; `storage` if the folder cannot be created.
  public convenience init() throws {
    let url = Self.defaultDatabaseURL
    let folder = url.deletingLastPathComponent()
    do { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) } catch {
      throw YapDatabaseError(
        .storage,
        "the folder of the default database, \(folder.path), cannot be created: \(error.localizedDescription); set "
          + "XDG_DATA_HOME, or open a database at another path"
      )
    }
    try self.init(url: url)
  }

  /// The file of a program that names none: `yapdb.sqlite` in a folder with the program's name, in `$XDG_DATA_HOME` or,
  /// without it, in `~/.local/share`.
  public static var defaultDatabaseURL: URL {
    let variable = ProcessInfo.processInfo.environment["XDG_DATA_HOME"] ?? ""
    // The specification has relative paths ignored: https://specifications.freedesktop.org/basedir-spec/latest
    let data = variable.hasPrefix("/") ? variable : NSHomeDirectory() + "/.local/share"
    return URL(fileURLWithPath: "\(data)/\(ProcessInfo.processInfo.processName)/yapdb.sqlite")
  }

  public var databaseURL: URL { files.database }

  // The names that users of YapDatabase know.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  public var databaseURL_wal: URL { files.wal }

  // swift-format-ignore: AlwaysUseLowerCamelCase
  public var databaseURL_shm: URL { files.sharedMemory }

  public var sqliteVersion: String { Self.sqliteVersion }

  public func unregisterExtension(withName name: String) throws { try unregister(name) }

  public func asyncUnregisterExtension(
    withName name: String,
    completionQueue: DispatchQueue? = nil,
    completion: (@Sendable ((any Error)?) -> Void)? = nil
  ) {
    asyncUnregister(name, completionQueue: completionQueue, completion: completion)
  }
}

extension YapDatabaseReadTransaction {
  /// Enumerates the collections that have a row for a key. The list is complete before the first call of `block`, so
  /// `block` may change rows.
  public final func enumerateCollections(
    forKey key: String,
    using block: (_ collection: String, _ stop: inout Bool) throws -> Void
  ) throws {
    var stop = false
    for collection in try collections(withKey: key) where !stop { try block(collection, &stop) }
  }
}
