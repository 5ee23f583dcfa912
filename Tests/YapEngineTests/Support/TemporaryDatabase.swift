import Foundation
import TestSupport

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
