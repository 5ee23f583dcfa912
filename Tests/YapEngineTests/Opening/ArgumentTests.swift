import Foundation
import TestSupport
import Testing

@testable import YapEngine

/// Invalid paths and options. The error has the value, the expected values and the remedy.
@Suite struct ArgumentTests {
  @Test(arguments: [
    ("", "is empty", "give the path of a file"),
    (":memory:", "without a file", "/dev/shm"),
    ("file:x.sqlite", "URI", "./file:x.sqlite"),
    ("a\0b", "NUL", "without one"),
  ])
  func `a text that is not a path is rejected with a remedy`(path: String, found: String, remedy: String) {
    let error = failure { _ = try YapDatabase(path: path, options: .quick) }
    #expect(error?.code == .invalidArgument)
    #expect(
      error?.message.contains(found) == true && error?.message.contains(remedy) == true,
      "\(error?.message ?? "")"
    )
  }

  @Test func `a path in a folder that does not exist is rejected with the given name of the folder`() throws {
    try withTemporaryFolder { folder in
      try Data([1]).write(to: URL(fileURLWithPath: folder + "/file"))
      try FileManager.default.createDirectory(atPath: folder + "/inner", withIntermediateDirectories: false)
      let cases = [
        (folder + "/no/such/test.sqlite", "the folder \(folder)/no/such does not exist: create the folder"),
        (folder + "/none/test.sqlite", "the folder \(folder)/none does not exist: create the folder"),
        (folder + "/file/test.sqlite", "\(folder)/file is not a folder: choose another path"),
        (folder + "/file/a/test.sqlite", "a part of \(folder)/file/a is not a folder: choose another path"),
        (folder + "/inner", "\(folder)/inner is a folder: give the path of a file in it"),
        (folder + "/none/", "\(folder)/none/ is a folder: give the path of a file in it"),
      ]
      for (path, expected) in cases {
        let error = failure { _ = try YapDatabase(path: path, options: .quick) }
        #expect(error?.code == .invalidArgument)
        #expect(error?.message.contains(expected) == true, "\(error?.message ?? "no error") for \(path)")
        #expect(error?.message.contains("//") == false)
      }
      try #expect(Set(FileManager.default.contentsOfDirectory(atPath: folder)) == ["file", "inner"])
    }
  }

  @Test(arguments: ["", "-wal"]) func `a FIFO is rejected and not opened`(beside suffix: String) throws {
    try withTemporaryFolder { folder in
      let path = folder + "/test.sqlite"
      if !suffix.isEmpty { try Data([1]).write(to: URL(fileURLWithPath: path + suffix)) }
      #expect(mkfifo(path, 0o600) == 0)
      let error = failure { _ = try YapDatabase(path: path, options: .quick) }
      #expect(error?.code == .invalidArgument)
      #expect(error?.message == "\(path) is not a regular file: choose another path")
    }
  }

  @Test func `no message has a double slash, whichever folder cannot be written`() {
    let error = failure { _ = try YapDatabase(path: "/proc/test.sqlite", options: .quick) }
    #expect(error?.code == .storage)
    #expect(error?.message.contains("/proc/test.sqlite") == true && error?.message.contains("//") == false)
  }

  /// Each option with values out of its range, and the expected values in the message.
  private static let wrongOptions:
    [(name: String, values: [Int], expected: String, @Sendable (Int) -> YapDatabaseOptions)] = [
      ("pageSize", [-1, 0, 256, 1_000, 131_072], "a power of two from 512 to 65536", { options($0, \.pageSize) }),
      ("aggressiveCheckpointAt", [-1, .min], "0 or more bytes", { options($0, \.aggressiveCheckpointAt) }),
      ("mmapSize", [-1, .min], "0 or more bytes", { options($0, \.mmapSize) }),
      ("journalSizeLimit", [-1, .min], "0 or more bytes", { options($0, \.journalSizeLimit) }),
      ("jointCommitLimit", [0, -1, .min], "1 or more transactions", { options($0, \.jointCommitLimit) }),
      ("waitingValuesLimit", [-1, .min], "0 or more bytes", { options($0, \.waitingValuesLimit) }),
      ("handlePoolLimit", [-1, .min], "0 or more handles", { options($0, \.handlePoolLimit) }),
    ]

  private static func options<Value>(
    _ value: Int,
    _ option: WritableKeyPath<YapDatabaseOptions, Value>
  ) -> YapDatabaseOptions {
    var options = YapDatabaseOptions.quick
    if let value = value as? Value { options[keyPath: option] = value }
    return options
  }

  @Test func `invalid options are rejected with their name, value and range`() throws {
    try withTemporaryFolder { folder in
      for (name, values, expected, options) in Self.wrongOptions {
        for value in values {
          let error = failure { _ = try YapDatabase(path: folder + "/test.sqlite", options: options(value)) }
          #expect(error?.code == .invalidArgument)
          let start = "the option \(name) is \(value); expected \(expected)"
          #expect(error?.message.hasPrefix(start) == true, "\(error?.message ?? "no error") for \(name) \(value)")
        }
      }
      try #expect(FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }
  }

  @Test func `the least valid values of the options are accepted`() throws {
    var options = YapDatabaseOptions.quick
    options.pageSize = 512
    options.aggressiveCheckpointAt = 0
    options.mmapSize = 0
    options.journalSizeLimit = 0
    options.jointCommitLimit = 1
    options.waitingValuesLimit = 0
    options.handlePoolLimit = 0
    try withDatabase(options) { database in
      try database.newConnection().readWrite { try $0.setObject(bytes("1"), forKey: "k") }
      #expect(database.snapshot == 1)
    }
  }

  @Test func `negative limits of caches and pages are rejected`() throws {
    try withDatabase { database in
      for limit in [\YapDatabaseConnectionDefaults.objectCacheLimit, \.metadataCacheLimit] {
        database.connectionDefaults[keyPath: limit] = -1
        let error = failure { _ = try database.newConnection() }
        #expect(
          error?.code == .invalidArgument && error?.message.contains("CacheLimit of connectionDefaults is -1") == true
        )
        database.connectionDefaults[keyPath: limit] = 0
      }
      let connection = try database.newConnection()
      for pages in [0, -1] {
        let error = failure { try connection.incrementalVacuum(pages: pages) }
        #expect(error?.code == .invalidArgument && error?.message.contains("pages is \(pages)") == true)
      }
      try connection.incrementalVacuum(pages: 1)
    }
  }
}
