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
  /// Options for tests that do not check durability, without syncs.
  static var quick: YapDatabaseOptions {
    var options = YapDatabaseOptions()
    options.synchronous = .off
    return options
  }

  /// Options with which opening does not wait for another owner of the file.
  static var impatient: YapDatabaseOptions {
    var options = quick
    options.busyTimeoutNanoseconds = 0
    return options
  }

  /// Options for the model, each of whose collections has its own codecs.
  static var model: YapDatabaseOptions {
    var options = quick
    Keyspace.setCodecs(in: &options)
    return options
  }
}

func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
