import Foundation
import Glibc
import TestSupport
import Testing

@testable import YapEngine

/// Calls that have the names of YapDatabase.
@Suite struct NamesTests {
  @Test func `a connection may get its own settings instead of the defaults`() throws {
    try withDatabase { database in
      var settings = YapDatabaseConnectionDefaults()
      settings.objectCacheLimit = 3
      settings.metadataCacheEnabled = false
      settings.permittedTransactions = .anyRead
      settings.objectPolicy = .share
      let own = try database.newConnection(settings, name: "own")
      #expect(own.name == "own" && own.objectCacheLimit == 3 && !own.metadataCacheEnabled)
      #expect(own.objectPolicy == .share && own.effectiveObjectPolicy() == .share)
      #expect(code { try own.readWrite { _ in } } == .notPermitted)
      try #expect(database.newConnection().objectCacheLimit == YapDatabaseConnectionDefaults().objectCacheLimit)
      settings.objectCacheLimit = -1
      #expect(code { _ = try database.newConnection(settings) } == .invalidArgument)
    }
  }

  @Test func `a database is opened by URL, and returns its URLs`() throws {
    try withTemporaryFolder { folder in
      let url = URL(fileURLWithPath: folder + "/test.sqlite")
      let database = try YapDatabase(url: url, options: .quick)
      #expect(database.databaseURL.lastPathComponent == "test.sqlite")
      #expect(database.databaseURL_wal.lastPathComponent == "test.sqlite-wal")
      #expect(database.databaseURL_shm.lastPathComponent == "test.sqlite-shm")
      #expect(database.sqliteVersion == YapDatabase.sqliteVersion)
      try database.register(ViewSamples.byBytes(), withName: "view")
      try database.unregisterExtension(withName: "view")
      let ended = SharedList<Bool>()
      database.asyncUnregisterExtension(withName: "view") { ended.append($0 == nil) }
      #expect(eventually { ended.all == [false] })
      try database.close()
    }
  }

  /// In a process of its own, because it changes the environment.
  @Test func `the default database is in the user's folder for data`() async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    await #expect(processExitsWith: .success) { [path = folder.path as String] in
      reported {
        setenv("XDG_DATA_HOME", path + "/data", 1)
        let url = YapDatabase.defaultDatabaseURL
        try Discrepancy.check(url.path.hasPrefix(path + "/data/"), true, "the folder of \(url.path)")
        try Discrepancy.check(url.lastPathComponent, "yapdb.sqlite", "the name of the default database")
        let database = try YapDatabase()
        try database.newConnection().readWrite { try $0.setObject("a", forKey: "a") }
        try Discrepancy.check(FileManager.default.fileExists(atPath: url.path), true, "whether there is a file")
        try database.close()
        // A file is in the way of the folder.
        setenv("XDG_DATA_HOME", url.path, 1)
        let error = failure { _ = try YapDatabase() }
        try Discrepancy.check(error?.code, .storage, "error for \(url.path)")
        setenv("XDG_DATA_HOME", "relative", 1)
        let other = YapDatabase.defaultDatabaseURL.path
        try Discrepancy.check(other.contains("relative"), false, "whether a relative folder is used")
      }
    }
  }

  @Test func `stored bytes may be given to replacements`() throws {
    try withDatabase { database in
      let (connection, reader) = (try database.newConnection(), try database.newConnection())
      try connection.readWrite { transaction in
        try transaction.setObject("object", forKey: "a", withMetadata: "metadata")
        let other = try #require(try transaction.serializedObject(forKey: "a"))
        try transaction.replaceObject("b", forKey: "a", withSerializedObject: other)
        try transaction.replaceMetadata("c", forKey: "a", withSerializedMetadata: other)
        try transaction.replaceObject("d", forKey: "absent", withSerializedObject: other)
      }
      // The writer caches the values that it was given; others decode the bytes.
      try connection.read { try #expect($0.object(forKey: "a") as? String == "b") }
      try reader.read { transaction in
        try #expect(transaction.object(forKey: "a") as? String == "object")
        try #expect(transaction.metadata(forKey: "a") as? String == "object")
        try #expect(!transaction.hasObject(forKey: "absent"))
      }
      try connection.readWrite { try $0.replaceMetadata(nil, forKey: "a", withSerializedMetadata: [1, 2]) }
      try reader.read { try #expect($0.metadata(forKey: "a") == nil) }
    }
  }

  @Test func `the custom object can be read, and ends with its transaction`() throws {
    try withDatabase { database in
      let connection = try database.newConnection()
      let escaped = try connection.readWrite { transaction in
        try #expect(transaction.customObject == nil)
        try transaction.setCustomObject(7)
        try #expect(transaction.customObject as? Int == 7)
        return transaction
      }
      #expect(code { _ = try escaped.customObject } == .transactionEnded)
      try connection.readWrite { try #expect($0.customObject == nil) }
    }
  }

  @Test func `collections that have a key are enumerated, and the block may change rows`() throws {
    try withDatabase { database in
      try database.newConnection().readWrite { transaction in
        for collection in ["a", "b", "c"] { try transaction.setObject(1, forKey: "k", inCollection: collection) }
        try transaction.setObject(1, forKey: "other", inCollection: "d")
        var found: Set<String> = []
        try transaction.enumerateCollections(forKey: "k") { collection, _ in
          found.insert(collection)
          try transaction.removeObject(forKey: "k", inCollection: collection)
        }
        #expect(found == ["a", "b", "c"])
        var count = 0
        try transaction.enumerateCollections(forKey: "other") { _, stop in
          count += 1
          stop = true
        }
        #expect(count == 1)
      }
    }
  }

  /// A port of the usual code for a table view.
  @Test func `a view of a connection returns the changes of lists`() throws {
    try withDatabase { database in
      try database.register(ViewSamples.byBytes(), withName: "view")
      let (ui, writer) = (try database.newConnection(), try database.newConnection())
      try writer.readWrite { try $0.setObject(bytes("a"), forKey: "a") }
      let mappings = YapDatabaseViewMappings(groups: [""], view: "view")
      try ui.beginLongLivedReadTransaction()
      try ui.read { try mappings.update(with: $0) }
      try writer.readWrite { try $0.setObject(bytes("b"), forKey: "b", withMetadata: bytes("m")) }
      let notifications = try ui.beginLongLivedReadTransaction()
      #expect(ui.ext("view").hasChanges(for: notifications) && !ui.ext("absent").hasChanges(for: notifications))
      #expect(ui.ext("view").hasChanges(forGroup: "", in: notifications))
      #expect(!ui.ext("view").hasChanges(forGroup: "absent", in: notifications))
      #expect(ui.ext("view").hasChanges(forAnyGroups: ["absent", ""], in: notifications))
      let absent = code { _ = try ui.ext("absent").getChanges(forNotifications: notifications, withMappings: mappings) }
      #expect(absent == .notRegistered)
      let changes = try ui.ext("view").getChanges(forNotifications: notifications, withMappings: mappings)
      #expect(changes.rowChanges.map(\.key) == ["b"] && changes.sectionChanges.isEmpty)
      try ui.read { transaction in
        let view = try #require(try transaction.view("view"))
        try #expect(view.object(atRow: 1, inSection: 0, withMappings: mappings) as? [UInt8] == bytes("b"))
        try #expect(view.object([UInt8].self, atRow: 0, inSection: 0, withMappings: mappings) == bytes("a"))
        try #expect(view.metadata(atRow: 1, inSection: 0, withMappings: mappings) as? [UInt8] == bytes("m"))
        try #expect(view.metadata([UInt8].self, atRow: 0, inSection: 0, withMappings: mappings) == nil)
        try #expect(view.collectionKey(forRow: 1, inSection: 0, withMappings: mappings)?.key == "b")
        let place = try view.rowAndSection(forKey: "b", withMappings: mappings)
        #expect(place?.row == 1 && place?.section == 0)
        try #expect(view.rowAndSection(forKey: "absent", withMappings: mappings)?.row == nil)
        for (row, section) in [(2, 0), (0, 1), (-1, 0), (0, -1), (Int.max, Int.min)] {
          try #expect(view.object(atRow: row, inSection: section, withMappings: mappings) == nil)
          try #expect(view.collectionKey(forRow: row, inSection: section, withMappings: mappings)?.key == nil)
        }
      }
    }
  }

  @Test func `the policy of a collection can be changed at run time`() throws {
    var options = YapDatabaseOptions.quick
    options.defaultObjectCodec = Instance.codec(Instance.self)
    options.metadataPolicies = ["c": .copy]
    try withDatabase(options) { database in
      let (reader, writer) = (try database.newConnection(), try database.newConnection())
      func isShared(_ collection: String) throws -> Bool {
        try writer.readWrite { try $0.setObject(bytes("1"), forKey: "k", inCollection: collection) }
        try reader.read { _ = try $0.object(forKey: "k", inCollection: collection) }
        let stored = Instance(bytes("2"))
        try writer.readWrite { try $0.setObject(stored, forKey: "k", inCollection: collection) }
        return try reader.read { try $0.object(forKey: "k", inCollection: collection) } as? Instance === stored
      }
      try #expect(!isShared("c"))
      database.setObjectPolicy(.share, forCollection: "c")
      #expect(
        reader.effectiveObjectPolicy(inCollection: "c") == .share && reader.effectiveObjectPolicy() == .containment
      )
      try #expect(isShared("c") && !isShared("d"))
      database.setObjectPolicy(nil, forCollection: "c")
      try #expect(!isShared("c"))
      #expect(reader.effectiveMetadataPolicy(inCollection: "c") == .copy)
      database.setMetadataPolicy(.share, forCollection: "c")
      #expect(reader.effectiveMetadataPolicy(inCollection: "c") == .share)
    }
  }
}
