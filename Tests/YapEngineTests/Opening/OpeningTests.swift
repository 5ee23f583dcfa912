import Dispatch
import Foundation
import SQLiteBinding
import TestSupport
import Testing

@testable import YapEngine

/// The effects of opening, and the properties of a database and its handles.
@Suite struct OpeningTests {
  private func put(_ text: String, _ database: YapDatabase) throws {
    try database.newConnection().readWrite { try $0.setObject(bytes(text), forKey: "k") }
  }

  @Test func `opening ends when the file has its tables and the newest commit is known`() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/test.sqlite"
      for commits in 0..<3 {
        let database = try YapDatabase(path: path, options: .quick)
        #expect(database.snapshot == UInt64(commits))
        // Read with a handle outside the engine, before there is a connection.
        let other = try SQLiteHandle(path: path)
        try #expect(other.text("PRAGMA journal_mode") == "wal")
        try #expect(other.integer("PRAGMA application_id") == Schema.applicationID)
        try #expect(other.integer("PRAGMA user_version") == Schema.version)
        try #expect(other.integer("SELECT number FROM snapshot") == Int64(commits))
        try #expect(other.integer("SELECT count(*) FROM rows") == (commits == 0 ? 0 : 1))
        try other.close()
        // Creating a connection does not wait, not even for a writer.
        try database.newConnection().readWrite { transaction in
          try transaction.setObject(bytes("\(commits)"), forKey: "k")
          try database.newConnection().read { #expect($0.snapshot == UInt64(commits)) }
        }
        try database.close()
      }
    }
  }

  @Test func `a database returns its path, its properties and its options`() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/test.sqlite"
      let queue = DispatchQueue(label: "notifications")
      var options = YapDatabaseOptions.quick
      options.pageSize = 2_048
      options.busyTimeoutNanoseconds = 7_000_000
      options.notificationQueue = queue
      let database = try YapDatabase(path: path, options: options)
      try put("1", database)
      #expect(database.path == path && database.pageSize == 2_048 && database.snapshot == 1)
      #expect(database.files.database.path == path)
      for file in [database.files.database, database.files.wal, database.files.sharedMemory] {
        #expect(FileManager.default.fileExists(atPath: file.path))
      }
      #expect(database.options.busyTimeoutNanoseconds == 7_000_000 && database.options.pageSize == 2_048)
      #expect(database.notificationQueue === queue)
      #expect(database.connectionDefaults.objectCacheLimit == 250)
      #expect(database.recovery == nil && database.replacedFile == nil && database.damage == nil)
      try database.newConnection().read { _ in }
      let version = try database.newConnection().handle.text("SELECT sqlite_version()")
      #expect(version == YapDatabase.sqliteVersion)
      try database.close()
    }
  }

  @Test func `options that are changed after opening have no effect`() throws {
    try withTemporaryFolder { folder in
      var options = YapDatabaseOptions.quick
      options.objectCodecs = ["numbered": Self.prefixing("old ")]
      options.objectPolicies = ["numbered": .share]
      let database = try YapDatabase(path: folder + "/test.sqlite", options: options)
      let connection = try database.newConnection()
      try connection.readWrite { try $0.setObject("1", forKey: "first", inCollection: "numbered") }
      options.objectCodecs["numbered"] = Self.prefixing("new ")
      options.objectPolicies["numbered"] = .copy
      options.synchronous = .full
      try connection.readWrite { try $0.setObject("2", forKey: "second", inCollection: "numbered") }
      try database.newConnection().read { transaction in
        for (key, expected) in [("first", "old 1"), ("second", "old 2")] {
          try #expect(transaction.serializedObject(forKey: key, inCollection: "numbered") == bytes(expected))
        }
      }
      #expect(database.options.objectPolicies == ["numbered": .share])
      try #expect(connection.readWrite { try $0.effectiveSettings().synchronous } == .off)
      try #expect(database.newConnection().effectiveSettings().synchronous == .off)
      try database.close()
    }
  }

  private static func prefixing(_ prefix: String) -> YapDatabaseCodec {
    YapDatabaseCodec { object, _, _, write in
      try bytes(prefix + "\(object)").withUnsafeBytes(write)
    } decode: { bytes, _, _ in
      String(decoding: bytes, as: UTF8.self)
    }
  }

  // MARK: Pragmas

  private func options(_ synchronous: YapDatabaseOptions.Synchronous) -> YapDatabaseOptions {
    var options = YapDatabaseOptions()
    options.synchronous = synchronous
    options.pageSize = 8_192
    options.mmapSize = 1 << 20
    options.journalSizeLimit = 12_345
    options.autoVacuum = .incremental
    return options
  }

  /// The settings of every kind of handle: the writer's, a connection's, and one from the pool.
  private func everySetting(_ database: YapDatabase) throws -> [YapDatabaseEffectiveSettings] {
    let writing = try database.newConnection().readWrite { try $0.effectiveSettings() }
    let fresh = try (0..<7).map { _ in try database.newConnection() }.map { try $0.effectiveSettings() }
    // The last reference of a connection may be released on another thread.
    #expect(eventually { database.handles.count > 0 })
    let pooled = try database.newConnection()
    let reading = try pooled.read { try $0.effectiveSettings() }
    return [writing, reading] + fresh
  }

  @Test(arguments: [YapDatabaseOptions.Synchronous.off, .normal, .full])
  func `every handle has the requested pragmas, and makes no checkpoints`(
    _ synchronous: YapDatabaseOptions.Synchronous
  ) throws {
    try withTemporaryFolder { folder in
      let path = folder + "/test.sqlite"
      let expected = YapDatabaseEffectiveSettings(
        journalMode: "wal",
        synchronous: synchronous,
        pageSize: 8_192,
        mmapSize: 1 << 20,
        journalSizeLimit: 12_345,
        autoVacuum: .incremental,
        automaticCheckpointFrames: 0
      )
      let database = try YapDatabase(path: path, options: options(synchronous))
      for found in try everySetting(database) { #expect(found == expected) }
      try database.close()
    }
  }

  /// An existing file keeps its page size, and SQLite maps at most the size of its build.
  @Test func `settings are the effective values, not the requested ones`() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/test.sqlite"
      let first = try YapDatabase(path: path, options: options(.off))
      try put("1", first)
      try first.close()
      var asked = YapDatabaseOptions.quick
      asked.pageSize = 1_024
      asked.mmapSize = .max
      asked.journalSizeLimit = nil
      let second = try YapDatabase(path: path, options: asked)
      for found in try everySetting(second) {
        #expect(found.pageSize == 8_192 && found.autoVacuum == .incremental)
        #expect(found.journalSizeLimit == nil)
        #expect(found.mmapSize > 0 && found.mmapSize < .max)
      }
      #expect(second.pageSize == 8_192)
      let connection = try second.newConnection()
      try connection.read { _ in #expect(code { _ = try connection.effectiveSettings() } == .nestedTransaction) }
      try second.close()
      #expect(code { _ = try connection.effectiveSettings() } == .closed)
    }
  }

  /// The engine needs WAL mode, which a database in memory does not have.
  @Test func `a file without WAL mode is rejected`() throws {
    let handle = try SQLiteHandle(path: ":memory:")
    let error = failure { try Schema.prepareFirst(handle, path: "memory", options: .quick, alone: .unknown) }
    #expect(error?.code == .incompatible)
    #expect(error?.message.contains("WAL") == true)
  }
}
