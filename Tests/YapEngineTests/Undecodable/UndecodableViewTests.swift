import Foundation
import TestSupport
import Testing

@testable import YapEngine

/// Views over rows that cannot be decoded.
@Suite struct UndecodableViewTests {
  private static let rowCount = 400

  private static func key(_ number: Int) -> String { "\(1_000 + number)" }

  /// A view of one group with all rows, sorted by their objects.
  private static let byObject = YapDatabaseView(
    grouping: .withKeyBlock { _, _, _ in "all" },
    sorting: .withObjectBlock { _, _, _, _, left, _, _, right in
      ViewKeyspace.order(left as? [UInt8] ?? [], right as? [UInt8] ?? [])
    },
    versionTag: "1"
  )

  private static let byKey = YapDatabaseView(
    grouping: .withKeyBlock { _, _, _ in "all" },
    sorting: .withKeyBlock { _, _, _, left, _, right in left.compare(right) }
  )

  /// Runs `body` with a file of rows in the first format and, on request, the view over them.
  private func withOldRows(
    isViewStored: Bool,
    _ handler: YapDatabaseUndecodableValue.Handler?,
    _ body: (YapDatabase, YapDatabaseConnection) throws -> Void
  ) throws {
    try withTemporaryFolder { folder in
      let path = folder + "/test.sqlite"
      let before = try YapDatabase(path: path, options: .format(1))
      if isViewStored { try before.register(Self.byObject, withName: "view") }
      try before.newConnection().readWrite { transaction in
        for number in 0..<Self.rowCount {
          try transaction.setObject([UInt8(number / 2)] as [UInt8], forKey: Self.key(number))
        }
      }
      try before.close()
      let database = try YapDatabase(path: path, options: .format(2, handler))
      try body(database, try database.newConnection())
      try database.close()
    }
  }

  private func view(_ transaction: YapDatabaseReadTransaction) throws -> YapDatabaseViewTransaction {
    try #require(try transaction.ext("view") as? YapDatabaseViewTransaction)
  }

  @Test func `without a handler a view over such rows cannot be registered`() throws {
    try withOldRows(isViewStored: false, nil) { database, _ in
      #expect(code { try database.register(Self.byObject, withName: "view") } == .codec)
      #expect(database.registeredExtensionNames == [])
    }
  }

  @Test func `skipped rows are not in a new view, and are added when they are stored again`() throws {
    try withOldRows(isViewStored: false, UndecodableChoice.skip.handler) { database, connection in
      try connection.readWrite { try $0.setObject([9] as [UInt8], forKey: "new") }
      try database.register(Self.byObject, withName: "view")
      try #expect(connection.keys("view", "all") == ["new"])
      try connection.readWrite { transaction in
        try transaction.setObject([5] as [UInt8], forKey: Self.key(7))
        // These calls do not change the object.
        try transaction.replaceMetadata([1] as [UInt8], forKey: Self.key(8))
        try transaction.touchRow(forKey: Self.key(9))
      }
      try #expect(connection.keys("view", "all") == [Self.key(7), "new"])
      #expect(database.statistics.undecodableValues.skipped >= Self.rowCount)
    }
  }

  @Test func `replaced values are sorted, and are not stored`() throws {
    try withOldRows(isViewStored: false, UndecodableChoice.replace.handler) { database, connection in
      try database.register(Self.byObject, withName: "view")
      try connection.readWrite { transaction in
        try transaction.setObject(bytes("Q"), forKey: "before")
        try transaction.setObject(bytes("S"), forKey: "after")
      }
      let old = (0..<Self.rowCount).map { Self.key($0) }
      let keys = try #require(try connection.keys("view", "all"))
      #expect(keys.first == "before" && keys.last == "after" && Set(keys.dropFirst().dropLast()) == Set(old))
      try connection.read { transaction in
        let view = try view(transaction)
        try #expect(view.object(atIndex: 7, inGroup: "all") as? [UInt8] == bytes("R"))
        try #expect(view.object([UInt8].self, atIndex: 7, inGroup: "all") == bytes("R"))
        let found = try view.findRange(
          [UInt8].self,
          inGroup: "all",
          usingObject: { _, _, object in
            ViewKeyspace.order(object, bytes("R"))
          }
        )
        #expect(found == 1..<(Self.rowCount + 1))
        try #expect(transaction.serializedObject(forKey: Self.key(3)) == [1, 1])
        #expect(code { _ = try transaction.object(forKey: Self.key(3)) } == .codec)
        // A view keeps the first rows of its pages in memory, but not replacements.
        try #expect(ViewChecks.checkLandmarks(of: "view", transaction) <= 1)
      }
    }
  }

  @Test func `a stored view removes skipped rows when it compares with them`() throws {
    try withOldRows(isViewStored: true, UndecodableChoice.skip.handler) { database, connection in
      try database.register(Self.byObject, withName: "view")
      let ui = try database.newConnection()
      let mappings = YapDatabaseViewMappings(groups: ["all"], view: "view")
      try ui.beginLongLivedReadTransaction()
      try ui.read { try mappings.update(with: $0) }
      #expect(mappings.numberOfItems(inGroup: "all") == Self.rowCount)

      try connection.readWrite { try $0.setObject([100] as [UInt8], forKey: "new") }
      let count = try connection.read { try view($0).numberOfItems(inGroup: "all") }
      #expect(count < Self.rowCount + 1)
      try connection.read { transaction in
        var found: [String] = []
        try view(transaction).enumerateKeysAndObjects(inGroup: "all") { _, key, _, _, _ in found.append(key) }
        #expect(found == ["new"])
      }
      // A list on a screen gets the removal of these rows.
      let jumped = try ui.beginLongLivedReadTransaction()
      let changes = try ui.read { try view($0).changes(for: jumped, with: mappings) }
      #expect(changes.rowChanges.filter { $0.kind == .delete }.count == Self.rowCount + 1 - count)
      #expect(changes.rowChanges.filter { $0.kind == .insert }.count == 1)

      // After all rows are stored in the new format, the view contains them in order.
      try connection.readWrite { transaction in
        for number in (0..<Self.rowCount).reversed() {
          try transaction.setObject([UInt8(number / 2), UInt8(number % 2)] as [UInt8], forKey: Self.key(number))
        }
        try transaction.removeObject(forKey: "new")
      }
      try #expect(connection.keys("view", "all") == (0..<Self.rowCount).map { Self.key($0) })
    }
  }

  @Test func `a filtered view loses the rows that its parent removes because they are skipped`() throws {
    try withOldRows(isViewStored: true, UndecodableChoice.skip.handler) { database, connection in
      try database.register(Self.byObject, withName: "view")
      let all = YapDatabaseView(parentViewName: "view", filtering: .withKeyBlock { _, _, _, _ in true })
      try database.register(all, withName: "filtered")
      try #expect(connection.keys("filtered", "all")?.count == Self.rowCount)
      try connection.readWrite { try $0.setObject([100] as [UInt8], forKey: "new") }
      let keys = try #require(try connection.keys("view", "all"))
      #expect(keys.count < Self.rowCount + 1)
      try #expect(connection.keys("filtered", "all") == keys)
    }
  }

  @Test func `a stored view continues with replaced values`() throws {
    try withOldRows(isViewStored: true, UndecodableChoice.replace.handler) { database, connection in
      try database.register(Self.byObject, withName: "view")
      try connection.readWrite { try $0.setObject(bytes("S"), forKey: "new") }
      let keys = try #require(try connection.keys("view", "all"))
      #expect(keys.count == Self.rowCount + 1 && keys.last == "new")
    }
  }

  @Test func `without a handler a stored view is registered, and a write that compares with such a row fails`() throws {
    try withOldRows(isViewStored: true, nil) { database, connection in
      try database.register(Self.byObject, withName: "view")
      #expect(code { try connection.readWrite { try $0.setObject([9] as [UInt8], forKey: "new") } } == .codec)
      try connection.read { try #expect(!$0.hasObject(forKey: "new")) }
    }
  }

  /// The view's closures do not read objects, so every row is in the view.
  @Test(arguments: [UndecodableChoice.skip, .replace])
  func `calls of a view that read objects skip rows, replace them, or throw`(_ choice: UndecodableChoice) throws {
    try withOldRows(isViewStored: false, choice.handler) { database, connection in
      try connection.readWrite { try $0.setObject(bytes("n"), forKey: "new", withMetadata: bytes("m")) }
      try database.register(Self.byKey, withName: "view")
      try connection.read { transaction in
        let view = try view(transaction)
        try #expect(view.numberOfItems(inGroup: "all") == Self.rowCount + 1)
        var objects = 0
        try view.enumerateKeysAndObjects(inGroup: "all") { _, _, _, _, _ in objects += 1 }
        var rows: [Int] = []
        try view.enumerateRows(inGroup: "all") { _, _, _, _, index, _ in rows.append(index) }
        let isSkipped = choice == .skip
        #expect(objects == (isSkipped ? 1 : Self.rowCount + 1))
        #expect(rows == (isSkipped ? [Self.rowCount] : Array(0...Self.rowCount)))
        #expect(code { _ = try view.object(atIndex: 0, inGroup: "all") } == (isSkipped ? .codec : nil))
        #expect(code { _ = try view.row(atIndex: 0, inGroup: "all") } == (isSkipped ? .codec : nil))
        #expect(code { _ = try view.firstObject(inGroup: "all") } == (isSkipped ? .codec : nil))
        try #expect(view.lastObject(inGroup: "all") as? [UInt8] == bytes("n"))
        try #expect(view.metadata(atIndex: Self.rowCount, inGroup: "all") as? [UInt8] == bytes("m"))
        let search = code { _ = try view.findRange(inGroup: "all", usingObject: { _, _, _ in .orderedAscending }) }
        #expect(search == (isSkipped ? .codec : nil))
      }
    }
  }
}
