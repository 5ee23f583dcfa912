import Foundation
import HarnessPrimitives
import SQLiteBinding
import TestSupport
import Testing

@testable import YapEngine

/// The names of collections without rows, which take space in the file and time at open.
@Suite struct EmptiedCollectionsTests {
  /// The names in the file of a closed database, sorted.
  private func storedNames(_ path: String) throws -> [String] {
    let handle = try SQLiteHandle(path: path)
    let statement = try handle.prepare("SELECT name FROM collections ORDER BY name")
    var names: [String] = []
    while try statement.step() { names.append(statement.text(at: 0)) }
    return names
  }

  private func put(_ connection: YapDatabaseConnection, _ collections: String...) throws {
    try connection.readWrite { transaction in
      for collection in collections { try transaction.setObject(1, forKey: "k", inCollection: collection) }
    }
  }

  private func numbers(_ database: YapDatabase, _ names: String...) -> [Int64?] {
    names.map { database.names.find(ByteString($0))?.number }
  }

  @Test func `a vacuum removes the names of collections without rows`() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/test.sqlite"
      let database = try YapDatabase(path: path, options: .quick)
      let connection = try database.newConnection()
      let reader = try database.newConnection()
      let names = (0..<2_000).map { "session \($0), with a name of a usual length" }
      try connection.readWrite { transaction in
        for name in names { try transaction.setObject(1, forKey: "k", inCollection: name) }
      }
      try put(connection, "a", "b", "c")
      try reader.beginLongLivedReadTransaction()
      try connection.readWrite { transaction in
        for name in names { try transaction.removeAllObjects(inCollection: name) }
        try transaction.removeObject(forKey: "k", inCollection: "b")
      }
      try connection.vacuum()
      try reader.read { transaction in
        try #expect(transaction.numberOfCollections() == 2_003)
        try #expect(transaction.object(forKey: "k", inCollection: names[7]) as? Int == 1)
        try #expect(transaction.object(forKey: "k", inCollection: "b") as? Int == 1)
      }
      let before = numbers(database, "b", names[7])
      try put(connection, "b")
      #expect(numbers(database, "b", names[7]) == before)
      try reader.beginLongLivedReadTransaction()
      try reader.read { transaction in
        try #expect(transaction.allCollections().sorted() == ["a", "b", "c"])
        try #expect(transaction.object(forKey: "k", inCollection: names[7]) == nil)
        try #expect(transaction.object(forKey: "k", inCollection: "b") as? Int == 1)
      }
      try database.close()
      try #expect(storedNames(path) == ["a", "b", "c"])
      let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
      #expect(size < 64 << 10)
    }
  }

  @Test func `a dropped collection has neither rows nor a name, and observers are notified of its rows`() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/test.sqlite"
      let database = try YapDatabase(path: path, options: .quick)
      let connection = try database.newConnection()
      let reader = try database.newConnection()
      try put(connection, "a", "b", "empty")
      try connection.readWrite { try $0.removeAllObjects(inCollection: "empty") }
      try reader.beginLongLivedReadTransaction()
      try connection.readWrite { transaction in
        try transaction.dropCollection("a")
        try #expect(transaction.object(forKey: "k", inCollection: "a") == nil)
        try #expect(transaction.allCollections() == ["b"])
      }
      try connection.readWrite { try $0.dropCollection("empty") }
      #expect(database.snapshot == 4)
      // A name that is not in the file is no reason for a commit.
      try connection.readWrite { transaction in
        try transaction.dropCollection("empty")
        try transaction.dropCollection("unknown")
      }
      #expect(database.snapshot == 4)
      try reader.read { try #expect($0.object(forKey: "k", inCollection: "a") as? Int == 1) }
      let jumped = try reader.beginLongLivedReadTransaction()
      #expect(jumped.map(\.snapshot) == [3, 4])
      #expect(reader.didClearCollection("a", in: [jumped[0]]))
      #expect(!reader.hasChange(forCollection: "empty", in: jumped))
      try reader.read { try #expect($0.object(forKey: "k", inCollection: "a") == nil) }
      try database.close()
      try #expect(storedNames(path) == ["b"])
    }
  }

  @Test func `a collection can be dropped and filled in any order within one transaction`() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/test.sqlite"
      let database = try YapDatabase(path: path, options: .quick)
      let connection = try database.newConnection()
      try put(connection, "old")
      try connection.readWrite { transaction in
        try transaction.dropCollection("old")
        try transaction.setObject(2, forKey: "k", inCollection: "old")
        try transaction.setObject(2, forKey: "k", inCollection: "new")
        try transaction.dropCollection("new")
        try transaction.setObject(3, forKey: "k", inCollection: "new")
        try transaction.setObject(2, forKey: "k", inCollection: "gone")
        try transaction.dropCollection("gone")
      }
      // After a rollback, the names are in the file as before.
      try connection.readWrite { transaction in
        try transaction.dropCollection("old")
        try transaction.removeAllObjectsInAllCollections()
        try transaction.rollback()
      }
      try put(connection, "old")
      let reader = try database.newConnection()
      try reader.read { try #expect($0.allCollections().sorted() == ["new", "old"]) }
      try database.close()
      try #expect(storedNames(path) == ["new", "old"])
      let again = try YapDatabase(path: path, options: .quick)
      let last = try again.newConnection()
      try last.readWrite { try $0.removeAllObjectsInAllCollections() }
      try put(last, "b")
      try again.close()
      try #expect(storedNames(path) == ["b"])
    }
  }

  /// A participant stores and drops names behind transactions that are not committed yet.
  @Test(.enabled(if: TestHooks.areBuiltIn), arguments: [false, true])
  func `names are right in a joint commit, of which one participant may be rolled back`(isRolledBack: Bool) throws {
    try withTemporaryFolder { folder in
      let path = folder + "/test.sqlite"
      var options = YapDatabaseOptions.quick
      options.joinAlways()
      let database = try YapDatabase(path: path, options: options)
      try database.waitForOpeningCheckpoint()
      let writers = try (0..<3).map { _ in try database.newConnection() }
      try put(writers[0], "before")
      let outcomes = writeTogether([
        Writing(writers[0]) { try $0.setObject(1, forKey: "k", inCollection: "joined") },
        Writing(writers[1]) { transaction in
          try transaction.dropCollection("joined")
          try transaction.dropCollection("before")
          if isRolledBack { throw Deliberate() }
        },
        Writing(writers[2]) { transaction in
          try transaction.setObject(2, forKey: "l", inCollection: "joined")
          try transaction.setObject(2, forKey: "l", inCollection: "before")
        },
      ])
      #expect(outcomes.map { $0.number != nil } == [true, !isRolledBack, true])
      try database.newConnection().read { transaction in
        try #expect(transaction.allCollections().sorted() == ["before", "joined"])
        try #expect(transaction.allKeys(inCollection: "joined").sorted() == (isRolledBack ? ["k", "l"] : ["l"]))
      }
      try database.close()
      try #expect(storedNames(path) == ["before", "joined"])
      let again = try YapDatabase(path: path, options: .quick)
      try again.newConnection().read { try #expect($0.numberOfKeysInAllCollections() == (isRolledBack ? 4 : 2)) }
      try again.close()
    }
  }

  /// Random transactions, vacuums and reopenings, compared with a dictionary. Two connections keep snapshots meanwhile.
  @Test func `rows and names agree after random drops, vacuums and rollbacks`() throws {
    var random = RandomStream(seed: Seed.announce(for: "EmptiedCollectionsTests"))
    let collections = (0..<8).map { "c\($0)" }
    try withTemporaryFolder { folder in
      let path = folder + "/test.sqlite"
      var rows: [String: [String: Int]] = [:]
      for _ in 0..<TestScale.count(15) {
        let database = try YapDatabase(path: path, options: .quick)
        let connections = try (0..<3).map { _ in try database.newConnection() }
        var bookmarked = rows
        try connections[2].beginLongLivedReadTransaction()
        for step in 0..<40 {
          var changed = rows
          let isRolledBack = random.chance(oneIn: 4)
          try connections[random.below(2)].readWrite { transaction in
            for _ in 0..<random.below(5) {
              try Self.change(transaction, &changed, collections[random.below(8)], &random, value: step)
            }
            if isRolledBack { try transaction.rollback() }
          }
          if !isRolledBack { rows = changed }
          if random.chance(oneIn: 6) { try connections[random.below(2)].vacuum() }
          if random.chance(oneIn: 5) {
            try connections[2].beginLongLivedReadTransaction()
            bookmarked = rows
          }
          try connections[random.below(2)].read { try Self.check($0, rows, collections) }
          try connections[2].read { try Self.check($0, bookmarked, collections) }
        }
        try database.close()
        let named = try Set(storedNames(path))
        #expect(named.isSuperset(of: rows.filter { !$0.value.isEmpty }.keys))
      }
    }
  }

  private static func change(
    _ transaction: YapDatabaseReadWriteTransaction,
    _ rows: inout [String: [String: Int]],
    _ collection: String,
    _ random: inout RandomStream,
    value: Int
  ) throws {
    let key = "k\(random.below(3))"
    switch random.below(8) {
    case 0:
      try transaction.dropCollection(collection)
      rows[collection] = nil
    case 1:
      try transaction.removeAllObjects(inCollection: collection)
      rows[collection] = nil
    case 2 where random.chance(oneIn: 3):
      try transaction.removeAllObjectsInAllCollections()
      rows = [:]
    case 3, 4:
      try transaction.removeObject(forKey: key, inCollection: collection)
      rows[collection]?[key] = nil
    default:
      try transaction.setObject(value, forKey: key, inCollection: collection)
      rows[collection, default: [:]][key] = value
    }
  }

  private static func check(
    _ transaction: YapDatabaseReadTransaction,
    _ rows: [String: [String: Int]],
    _ collections: [String]
  ) throws {
    for collection in collections {
      for key in (0..<3).map({ "k\($0)" }) {
        let found = try transaction.object(forKey: key, inCollection: collection) as? Int
        try Discrepancy.check(found, rows[collection]?[key], "\(collection) \(key)")
      }
    }
    let named = rows.filter { !$0.value.isEmpty }.keys.sorted()
    try Discrepancy.check(transaction.allCollections().sorted(), named, "the collections")
  }
}
