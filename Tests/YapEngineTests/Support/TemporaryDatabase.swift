import Foundation

@testable import YapEngine

/// Runs `body` with a database in a folder of its own, which is removed afterwards.
func withDatabase<Result>(
  _ options: YapDatabaseOptions = .quick,
  _ body: (YapDatabase) throws -> Result
) throws -> Result {
  try withTemporaryFolder { folder in
    let database = try YapDatabase(path: folder + "/test.sqlite", options: options)
    let result = Swift.Result { try body(database) }
    try database.close()
    return try result.get()
  }
}

func withTemporaryFolder<Result>(_ body: (String) throws -> Result) throws -> Result {
  let folder = NSTemporaryDirectory() + "yap-" + UUID().uuidString
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(atPath: folder) }
  return try body(folder)
}

extension YapDatabaseOptions {
  /// For tests that do not look at durability: nothing is synced.
  static var quick: YapDatabaseOptions {
    var options = YapDatabaseOptions()
    options.synchronous = .off
    return options
  }

  /// For the model: each of its collections has codecs of its own.
  static var model: YapDatabaseOptions {
    var options = quick
    Keyspace.setCodecs(in: &options)
    return options
  }
}

func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

/// A folder for a test that cannot be a closure, because it awaits. It is removed with the object.
final class TemporaryFolder {
  let path = NSTemporaryDirectory() + "yap-" + UUID().uuidString

  init() { try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
  deinit { try? FileManager.default.removeItem(atPath: path) }
}
