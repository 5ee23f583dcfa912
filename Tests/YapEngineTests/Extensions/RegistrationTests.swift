import Foundation
import SQLiteBinding
import TestSupport
import Testing
import ThreadingPrimitives

@testable import YapEngine

/// Registration, visibility and removal of extensions.
@Suite struct RegistrationTests {
  private func fill(_ database: YapDatabase, _ texts: [String]) throws {
    try database.newConnection().readWrite { transaction in
      for text in texts { try transaction.setObject(bytes(text), forKey: text) }
    }
  }

  @Test func `a view is visible once its connection is at the commit of its registration`() throws {
    try withDatabase { database in
      try fill(database, ["b", "a"])
      let (bookmarked, reader) = (try database.newConnection(), try database.newConnection())
      try bookmarked.beginLongLivedReadTransaction()
      try #expect(reader.keys("view") == nil)
      try database.register(ViewSamples.byBytes(), withName: "view")
      #expect(database.registeredExtensionNames == ["view"])
      // The permissions of the client's connections do not affect registrations.
      let defaults = database.connectionDefaults
      database.connectionDefaults.permittedTransactions = .anyRead
      #expect(code { try database.register(ViewSamples.byBytes(), withName: "view") } == .alreadyRegistered)
      database.connectionDefaults = defaults
      try #expect(reader.keys("view") == ["a", "b"] && database.newConnection().keys("view") == ["a", "b"])
      try #expect(bookmarked.keys("view") == nil)
      try fill(database, ["c"])
      try #expect(bookmarked.keys("view") == nil)
      try #expect(bookmarked.beginLongLivedReadTransaction().map(\.snapshot) == [2, 3])
      try fill(database, ["d"])
      try #expect(bookmarked.keys("view") == ["a", "b", "c"] && reader.keys("view") == ["a", "b", "c", "d"])
      try database.unregister("view")
      try #expect(bookmarked.keys("view") == ["a", "b", "c"] && reader.keys("view") == nil)
      try bookmarked.beginLongLivedReadTransaction()
      try #expect(bookmarked.keys("view") == nil)
    }
  }

  @Test func `a name is used once, dependencies are registered first, and their removal removes dependents`() throws {
    try withDatabase { database in
      let first = ViewSamples.byBytes()
      let second = ViewSamples.byBytes(ViewSamples.options { $0.dependencies = ["first"] })
      let third = ViewSamples.byBytes(ViewSamples.options { $0.dependencies = ["second"] })
      #expect(code { try database.register(second, withName: "second") } == .notRegistered)
      try database.register(first, withName: "first")
      try database.register(second, withName: "second")
      try database.register(third, withName: "third")
      try database.register(first, withName: "other")
      #expect(code { try database.register(first, withName: "first") } == .alreadyRegistered)
      #expect(failure { try database.register(first, withName: "first") }?.message.contains("\"first\"") == true)
      #expect(database.registeredExtensionNames == ["first", "second", "third", "other"])
      #expect(code { try database.unregister("none") } == .notRegistered)
      try database.unregister("first")
      #expect(database.registeredExtensionNames == ["other"])
      #expect(code { try database.register(second, withName: "second") } == .notRegistered)
    }
  }

  @Test func `a registration inside a write is rejected, and inside a read it is not`() throws {
    try withDatabase { database in
      let connection = try database.newConnection()
      try connection.readWrite { _ in
        #expect(code { try database.register(ViewSamples.byBytes(), withName: "view") } == .nestedTransaction)
      }
      try connection.read { transaction in
        try database.register(ViewSamples.byBytes(), withName: "view")
        try #expect(transaction.ext("view") == nil)
      }
      try #expect(connection.keys("view") == [])
      // The asynchronous form is queued, wherever it is called.
      let told = SharedList<Bool>()
      try connection.readWrite { _ in
        database.asyncRegister(ViewSamples.byBytes(), withName: "later") { told.append($0 == nil) }
        database.asyncUnregister("view") { told.append($0 == nil) }
      }
      #expect(eventually { told.all.count == 2 } && told.all == [true, true])
      #expect(database.registeredExtensionNames == ["later"])
      database.asyncUnregister("view") { told.append(($0 as? YapDatabaseError)?.code == .notRegistered) }
      #expect(eventually { told.all.count == 3 } && told.all.last == true)
    }
  }

  /// Writers continue, a bookmark stays, and views are registered and removed. No thread hangs, and no row is lost.
  @Test func `views are registered concurrently with writers and a bookmark`() throws {
    try withDatabase { database in
      let bookmarked = try database.newConnection()
      try bookmarked.beginLongLivedReadTransaction()
      let crew = Crew()
      let stop = StopFlag()
      for number in 0..<4 {
        let writer = try database.newConnection()
        try crew.add("writer \(number)") {
          var count = 0
          while !stop.isRaised && !crew.hasFailed {
            try writer.readWrite { transaction in
              for key in 0..<3 { try transaction.setObject(bytes("\(count % 7)"), forKey: "\(number) \(count) \(key)") }
              if count > 4 { try transaction.removeObject(forKey: "\(number) \(count - 5) 1") }
              let seen = try transaction.view("always")?.numberOfItemsInAllGroups()
              let stored = try transaction.numberOfKeysInAllCollections()
              if let seen { try Discrepancy.check(seen, stored, "rows in a view inside a write") }
            }
            count += 1
          }
        }
      }
      let reader = try database.newConnection()
      try crew.add("reader") {
        while !stop.isRaised && !crew.hasFailed {
          try reader.read { transaction in
            guard let view = try transaction.view("always") else { return }
            let stored = try transaction.numberOfKeysInAllCollections()
            try Discrepancy.check(try view.numberOfItemsInAllGroups(), stored, "rows in a view at one snapshot")
            var last: [UInt8] = []
            try view.enumerateKeysAndObjects(inGroup: "", range: 0..<50) { _, _, object, _, _ in
              let object = object as? [UInt8] ?? []
              if object.lexicographicallyPrecedes(last) { throw Discrepancy("a view that is out of order") }
              last = object
            }
          }
        }
      }
      try crew.add("registration") {
        defer { stop.raise() }
        for round in 0..<TestScale.count(15) {
          try database.register(ViewSamples.byBytes(tag: "\(round)"), withName: "view")
          if round == 0 { try database.register(ViewSamples.byBytes(), withName: "always") }
          try Discrepancy.check(try bookmarked.keys("always"), nil, "a view behind a bookmark")
          if round % 2 == 1 { try bookmarked.keys("view").map { _ in throw Discrepancy("a view behind a bookmark") } }
          try database.unregister("view")
        }
      }
      let found = crew.run()
      #expect(found == nil)
      try bookmarked.beginLongLivedReadTransaction()
      try #expect(bookmarked.keys("always")?.count == bookmarked.read { try $0.numberOfKeysInAllCollections() })
    }
  }

  // MARK: Reopening

  @Test func `a stored view is reused unless its version tag differs`() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/test.sqlite"
      let asked = SharedList<String>()
      func run(_ tag: String, _ body: (YapDatabase) throws -> Void = { _ in }) throws -> Int {
        let before = asked.all.count
        let database = try YapDatabase(path: path, options: .quick)
        try database.register(ViewSamples.byBytes(tag: tag, asked: asked), withName: "view")
        let count = asked.all.count - before
        try body(database)
        try database.close()
        return count
      }
      let first = try run("1") { try self.fill($0, (0..<200).map { "\($0)" }) }
      let same = try run("1") { try #expect($0.newConnection().keys("view")?.count == 200) }
      let other = try run("2") { try #expect($0.newConnection().keys("view")?.count == 200) }
      let again = try run("2")
      #expect(first == 0 && same == 0 && other > 200 && again == 0)
      // A view in memory replaces a stored one, and is rebuilt each time.
      let database = try YapDatabase(path: path, options: .quick)
      #expect(database.previouslyRegisteredExtensionNames == ["view"])
      try database.register(ViewSamples.byBytes(ViewSamples.options { $0.isPersistent = false }), withName: "view")
      try #expect(database.newConnection().keys("view")?.count == 200)
      try database.close()
      try #expect(rows(of: "view_pages", path) == 0 && rows(of: "extensions", path) == 0)
    }
  }

  private func rows(of table: String, _ path: String) throws -> Int64? {
    let handle = try SQLiteHandle(path: path)
    defer { try? handle.close() }
    return try handle.integer("SELECT count(*) FROM \(table)")
  }

  @Test func `the tables of a view that is not registered are removed with the first change of a row`() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/test.sqlite"
      var database = try YapDatabase(path: path, options: .quick)
      for name in ["one", "two", "three"] { try database.register(ViewSamples.byBytes(), withName: name) }
      try fill(database, ["b", "a"])
      try database.close()

      database = try YapDatabase(path: path, options: .quick)
      try database.register(ViewSamples.byBytes(), withName: "one")
      try database.newConnection().readWrite { try $0.setCustomObject(1) }
      try #expect(database.newConnection().read { try ExtensionTable(handle: $0.handle()).rows().count } == 3)
      let asked = SharedList<String>()
      try database.register(ViewSamples.byBytes(asked: asked), withName: "two")
      #expect(asked.all.isEmpty)
      try database.newConnection().readWrite { transaction in
        try transaction.setObject(bytes("c"), forKey: "c")
        try transaction.rollback()
      }
      try #expect(database.newConnection().read { try ExtensionTable(handle: $0.handle()).rows().count } == 3)
      try fill(database, ["c"])
      try #expect(
        database.newConnection().read { try ExtensionTable(handle: $0.handle()).rows().map(\.name) } == [
          "one", "two",
        ]
      )
      try database.register(ViewSamples.byBytes(), withName: "three")
      for name in ["one", "two", "three"] { try #expect(database.newConnection().keys(name) == ["a", "b", "c"]) }
      try database.close()
    }
  }

  @Test func `inconsistent pages are rebuilt`() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/test.sqlite"
      var database = try YapDatabase(path: path, options: .quick)
      try database.register(ViewSamples.byBytes(), withName: "view")
      try fill(database, (0..<300).map { "\($0)" })
      try database.close()
      let damages = [
        "DELETE FROM view_pages WHERE id & 0xffff = 2", "UPDATE view_pages SET previous = 1 WHERE previous <> 0",
        "UPDATE view_pages SET previous = 0", "UPDATE view_pages SET page_group = 'x' WHERE id & 0xffff = 2",
        "UPDATE view_pages SET rowids = (SELECT rowids FROM view_pages LIMIT 1)", "UPDATE view_pages SET rowids = x''",
      ]
      for damage in damages {
        let handle = try SQLiteHandle(path: path)
        try handle.execute(damage)
        try handle.close()
        database = try YapDatabase(path: path, options: .quick)
        try database.register(ViewSamples.byBytes(), withName: "view")
        try #expect(database.newConnection().keys("view")?.count == 300, "after \(damage)")
        try database.close()
      }
    }
  }
}
