import Foundation
import TestSupport
import Testing

@testable import YapEngine

/// Changes inside enumerations and searches of a view, touches in one view, and groups.
@Suite struct ViewEnumerationTests {
  /// A change of rows in the block of an enumeration of the group "g", whose rows are 1 to 4.
  struct Change: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let isAllowed: Bool
    let make: @Sendable (YapDatabaseReadWriteTransaction, _ key: String, _ object: Any) throws -> Void

    init(
      _ description: String,
      isAllowed: Bool,
      _ make: @escaping @Sendable (YapDatabaseReadWriteTransaction, _ key: String, _ object: Any) throws -> Void
    ) {
      testDescription = description
      self.isAllowed = isAllowed
      self.make = make
    }

    static let all = [
      Change("a row of another group", isAllowed: true) { transaction, key, _ in
        try transaction.setObject(0.0, forKey: key, inCollection: "other")
      },
      Change("a row of no view", isAllowed: true) { transaction, key, _ in
        try transaction.setObject(0.0, forKey: key, inCollection: "none")
      },
      Change("the row itself, in its place", isAllowed: true) { try $0.setObject($2, forKey: $1) },
      Change("its metadata", isAllowed: true) { transaction, key, _ in
        try transaction.replaceMetadata("seen", forKey: key)
      },
      Change("a touch", isAllowed: true) { transaction, key, _ in try transaction.touchRow(forKey: key) },
      Change("a touch in the view", isAllowed: true) { transaction, key, _ in
        try transaction.view("view")?.touchRow(forKey: key)
      },
      Change("the removal of a row of another group", isAllowed: true) { transaction, key, _ in
        try transaction.setObject(0.0, forKey: key, inCollection: "other")
        try transaction.removeAllObjects(inCollection: "other")
      },
      Change("the removal of an absent row", isAllowed: true) { transaction, _, _ in
        try transaction.removeObject(forKey: "absent")
      },
      Change("a new row", isAllowed: false) { transaction, _, _ in try transaction.setObject(2.5, forKey: "new") },
      Change("a new row at the end", isAllowed: false) { transaction, _, _ in
        try transaction.setObject(9.0, forKey: "new")
      },
      Change("its removal", isAllowed: false) { transaction, key, _ in try transaction.removeObject(forKey: key) },
      Change("the removal of another row", isAllowed: false) { transaction, _, _ in
        try transaction.removeObject(forKey: "4.0")
      },
      Change("a move of the row", isAllowed: false) { transaction, key, _ in
        try transaction.replaceObject(9.0, forKey: key)
      },
      Change("a move of another row", isAllowed: false) { transaction, _, _ in
        try transaction.replaceObject(0.5, forKey: "4.0")
      },
      Change("a removal and a new row in its place", isAllowed: false) { transaction, key, object in
        try transaction.removeObject(forKey: key)
        try transaction.setObject(object, forKey: "another")
      },
      Change("the removal of all rows, and new rows", isAllowed: false) { transaction, _, _ in
        try transaction.removeAllObjects()
        for number in [1.0, 2, 3, 4] { try transaction.setObject(number, forKey: "\(number)") }
      },
      Change("another sorting", isAllowed: false) { transaction, _, _ in
        try transaction.view("view")?.setSorting(.withKeyBlock { _, _, _, _, _, _ in .orderedSame }, versionTag: "2")
      },
    ]
  }

  private func withView(_ body: (YapDatabase, YapDatabaseConnection) throws -> Void) throws {
    try withDatabase { database in
      let view = YapDatabaseView(
        grouping: .withKeyBlock { _, collection, _ in collection == "none" ? nil : collection.isEmpty ? "g" : "other" },
        sorting: .withObjectBlock { _, _, _, _, left, _, _, right in
          ViewKeyspace.order(left as? Double ?? 0, right as? Double ?? 0)
        },
        versionTag: "1"
      )
      try database.register(view, withName: "view")
      let connection = try database.newConnection()
      try connection.readWrite { transaction in
        for number in [1.0, 2, 3, 4] { try transaction.setObject(number, forKey: "\(number)") }
      }
      try body(database, connection)
    }
  }

  @Test(arguments: Change.all)
  func `an enumeration allows a change that leaves its group as it is, and no other`(_ change: Change) throws {
    try withView { _, connection in
      let expected = change.isAllowed ? nil : YapDatabaseError.Code.mutatedDuringEnumeration
      try connection.readWrite { transaction in
        let view = try #require(try transaction.view("view"))
        var visited = 0
        let found = failure {
          try view.enumerateKeysAndObjects(inGroup: "g") { _, key, object, _, _ in
            visited += 1
            try change.make(transaction, key, object)
          }
        }
        #expect(found?.code == expected && visited == (change.isAllowed ? 4 : 1))
        if !change.isAllowed { #expect(found?.message.contains("group \"g\" of view \"view\"") == true) }
        try transaction.rollback()
      }
      // With `stop`, every change is allowed.
      try connection.readWrite { transaction in
        let view = try #require(try transaction.view("view"))
        try view.enumerateKeysAndObjects(inGroup: "g", reversed: true) { _, key, object, _, stop in
          try change.make(transaction, key, object)
          stop = true
        }
        try transaction.rollback()
      }
      // A filter and a comparison that change rows follow the same rule.
      for isFilter in [true, false] {
        try connection.readWrite { transaction in
          let view = try #require(try transaction.view("view"))
          let found = code {
            if isFilter {
              try view.enumerateKeys(
                inGroup: "g",
                filter: { _, _, key in
                  try change.make(transaction, key, Double(key) ?? 0)
                  return false
                },
                using: { _, _, _, _ in }
              )
            } else {
              _ = try view.findRange(
                inGroup: "g",
                usingObject: { _, key, object in
                  try change.make(transaction, key, object)
                  return ViewKeyspace.order(object as? Double ?? 0, 3)
                }
              )
            }
          }
          #expect(found == expected, "isFilter: \(isFilter)")
          try transaction.rollback()
        }
      }
    }
  }

  @Test func `every row may be marked in one enumeration, also in nested ones`() throws {
    try withView { _, connection in
      try connection.readWrite { transaction in
        let view = try #require(try transaction.view("view"))
        try view.enumerateRows(inGroup: "g") { collection, key, _, _, _, _ in
          try transaction.replaceMetadata("seen", forKey: key, inCollection: collection)
          try view.enumerateKeys(inGroup: "g") { _, key, _, _ in try transaction.touchObject(forKey: key) }
        }
        var seen: [String?] = []
        try view.enumerateKeysAndMetadata(inGroup: "g") { _, _, metadata, _, _ in seen.append(metadata as? String) }
        #expect(seen == ["seen", "seen", "seen", "seen"])
        // The enumeration outside the one that ended with `stop` finds the change too.
        let found = code {
          try view.enumerateKeys(inGroup: "g") { _, _, _, _ in
            try view.enumerateKeys(inGroup: "g") { _, key, _, stop in
              try transaction.removeObject(forKey: key)
              stop = true
            }
          }
        }
        #expect(found == .mutatedDuringEnumeration)
      }
    }
  }

  @Test func `a touch moves a row whose sorting depends on more than the row`() throws {
    try withDatabase { database in
      let connection = try database.newConnection()
      let view = YapDatabaseView(
        grouping: .withKeyBlock { _, collection, _ in collection == "" ? "g" : nil },
        sorting: .withObjectBlock { transaction, _, _, key1, _, _, key2, _ in
          let rank = { (key: String) in try transaction.object(forKey: key, inCollection: "ranks") as? Int ?? 0 }
          return try ViewKeyspace.order(rank(key1), rank(key2))
        }
      )
      try database.register(view, withName: "view")
      try connection.readWrite { transaction in
        for (rank, key) in ["a", "b", "c"].enumerated() {
          try transaction.setObject(rank, forKey: key, inCollection: "ranks")
          try transaction.setObject(1, forKey: key)
        }
      }
      try connection.readWrite { transaction in
        try transaction.setObject(9, forKey: "a", inCollection: "ranks")
        try #expect(transaction.keys("view", "g") == ["a", "b", "c"])
        try transaction.touchObject(forKey: "a")
        try #expect(transaction.keys("view", "g") == ["b", "c", "a"])
      }
    }
  }

  @Test func `a touch in one view is a change of that view only`() throws {
    try withView { database, connection in
      try database.register(
        YapDatabaseView(
          grouping: .withKeyBlock { _, _, _ in "g" },
          sorting: .withKeyBlock { _, _, _, _, _, _ in .orderedSame }
        ),
        withName: "second"
      )
      let ui = try database.newConnection()
      let mappings = YapDatabaseViewMappings(groups: ["g"], view: "view")
      try ui.beginLongLivedReadTransaction()
      try ui.read { try mappings.update(with: $0) }
      let before = database.snapshot
      try connection.readWrite { transaction in
        let view = try #require(try transaction.view("view"))
        try view.touchObject(forKey: "2.0")
        try view.touchMetadata(forKey: "3.0")
        try view.touchRow(forKey: "4.0")
        try view.touchRow(forKey: "absent")
        try view.touchRow(forKey: "2.0", inCollection: "absent")
      }
      #expect(database.snapshot == before + 1)
      let jumped = try ui.beginLongLivedReadTransaction()
      #expect(ui.hasChange(forView: "view", in: jumped) && !ui.hasChange(forView: "second", in: jumped))
      #expect(!ui.hasChange(forCollection: "", in: jumped) && !ui.hasChange(forKey: "2.0", in: jumped))
      let changes = try ui.read { try #require(try $0.view("view")).changes(for: jumped, with: mappings) }
      #expect(changes.sectionChanges.isEmpty && changes.rowChanges.allSatisfy { $0.kind == .update })
      let flags = Dictionary(uniqueKeysWithValues: changes.rowChanges.map { ($0.key, $0.changes) })
      #expect(flags == ["2.0": .object, "3.0": .metadata, "4.0": [.object, .metadata]])
      // Only rows of the view are touched, so nothing is committed here.
      try connection.readWrite { try $0.view("view")?.touchRow(forKey: "absent") }
      #expect(database.snapshot == before + 1)
      try connection.read { transaction in
        #expect(code { try transaction.view("view")?.touchRow(forKey: "2.0") } == .invalidArgument)
      }
    }
  }

  @Test func `groups are enumerated until the block ends it`() throws {
    try withView { _, connection in
      try connection.readWrite { transaction in
        try transaction.setObject(0.0, forKey: "a", inCollection: "other")
        let view = try #require(try transaction.view("view"))
        var groups: Set<String> = []
        try view.enumerateGroups { group, _ in groups.insert(group) }
        #expect(groups == ["g", "other"])
        var count = 0
        try view.enumerateGroups { _, stop in
          count += 1
          try transaction.setObject(0.0, forKey: "b", inCollection: "other")
          stop = true
        }
        #expect(count == 1)
      }
    }
  }

  @Test func `the first match is the first of equal rows`() throws {
    try withView { _, connection in
      try connection.readWrite { transaction in
        for number in 0..<200 { try transaction.setObject(Double(number / 10), forKey: "\(number)") }
        let view = try #require(try transaction.view("view"))
        for wanted in [0.0, 1, 7, 19, 20, -1, 7.5] {
          let byObject = YapDatabaseViewFind.withObjectBlock { _, _, object in
            ViewKeyspace.order(object as? Double ?? 0, wanted)
          }
          let byRow = YapDatabaseViewFind.withRowBlock { _, _, object, _ in
            ViewKeyspace.order(object as? Double ?? 0, wanted)
          }
          var expected: [Int] = []
          try view.enumerateKeysAndObjects(inGroup: "g") { _, _, object, index, _ in
            if object as? Double == wanted { expected.append(index) }
          }
          try #expect(view.findFirstMatch(inGroup: "g", using: byObject) == expected.first, "\(wanted)")
          try #expect(view.findRange(inGroup: "g", using: byRow)?.lowerBound == expected.first, "\(wanted)")
          try #expect(view.findRange(inGroup: "g", using: byObject)?.count ?? 0 == expected.count, "\(wanted)")
        }
        let all = [
          YapDatabaseViewFind.withKeyBlock { _, _ in .orderedSame }, .withMetadataBlock { _, _, _ in .orderedSame },
        ]
        for find in all {
          try #expect(view.findFirstMatch(inGroup: "g", using: find) == 0)
          try #expect(view.findFirstMatch(inGroup: "absent", using: find) == nil)
        }
      }
    }
  }
}
