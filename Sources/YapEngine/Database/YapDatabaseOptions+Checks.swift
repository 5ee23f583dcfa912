extension YapDatabaseOptions {
  /// - Throws: `invalidArgument` for a number out of its range.
  func check() throws(YapDatabaseError) {
    if let pageSize, !(512...65_536).contains(pageSize) || pageSize & (pageSize - 1) != 0 {
      let expected = "a power of two from 512 to 65536, or nil for SQLite's default"
      throw Self.refusal("pageSize", pageSize, expected: expected)
    }
    try Self.check("aggressiveCheckpointAt", aggressiveCheckpointAt, atLeast: 0, unit: "bytes; Int.max turns it off")
    try Self.check("mmapSize", mmapSize, atLeast: 0, unit: "bytes; 0 turns it off")
    try Self.check("journalSizeLimit", journalSizeLimit, atLeast: 0, unit: "bytes; nil never cuts the file")
    try Self.check("jointCommitLimit", jointCommitLimit, atLeast: 1, unit: "transactions; 1 turns joint commits off")
    try Self.check("waitingValuesLimit", waitingValuesLimit, atLeast: 0, unit: "bytes; nil means no limit")
    try Self.check("bookmarkCommitLimit", bookmarkCommitLimit, atLeast: 1, unit: "commits; nil means no limit")
    try Self.check("handlePoolLimit", handlePoolLimit, atLeast: 0, unit: "handles; 0 keeps none")
  }

  private static func check(_ name: String, _ value: Int?, atLeast least: Int, unit: String) throws(YapDatabaseError) {
    if let value, value < least { throw refusal(name, value, expected: "\(least) or more \(unit)") }
  }

  private static func refusal(_ name: String, _ value: Int, expected: String) -> YapDatabaseError {
    YapDatabaseError(.invalidArgument, "the option \(name) is \(value); expected \(expected)")
  }
}

extension YapDatabaseConnectionDefaults {
  /// - Throws: `invalidArgument` for a number out of its range.
  func check() throws(YapDatabaseError) {
    for (name, limit) in [("objectCacheLimit", objectCacheLimit), ("metadataCacheLimit", metadataCacheLimit)]
    where limit < 0 {
      throw YapDatabaseError(
        .invalidArgument,
        "\(name) of connectionDefaults is \(limit); expected 0 or more values; 0 means no limit"
      )
    }
  }
}
