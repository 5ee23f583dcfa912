import Foundation
import HarnessPrimitives
import SQLiteBinding
import TestSupport
import Testing

@testable import YapEngine

/// Views that select rows of another view.
@Suite struct FilteredViewTests {
  private static let ascending = YapDatabaseViewSorting.withObjectBlock { _, _, _, _, left, _, _, right in
    ViewKeyspace.order(left as? Int ?? 0, right as? Int ?? 0)
  }
  private static let descending = YapDatabaseViewSorting.withObjectBlock { _, _, _, _, left, _, _, right in
    ViewKeyspace.order(right as? Int ?? 0, left as? Int ?? 0)
  }
  private static let byDigit = YapDatabaseViewGrouping.withObjectBlock { _, _, _, object in
    (object as? Int).map { "\($0 % 3)" }
  }
  private static let even = YapDatabaseViewFiltering.withObjectBlock { _, _, _, _, object in
    (object as? Int ?? 1) % 2 == 0
  }
  private static let large = YapDatabaseViewFiltering.withRowBlock { _, _, _, _, object, metadata in
    (object as? Int ?? 0) > 50 || metadata != nil
  }

  /// The rows of the parent that the closure selects, by group.
  private func selected(_ transaction: YapDatabaseReadTransaction, _ isEven: Bool) throws -> [String: [String]] {
    let parent = try #require(try transaction.view("parent"))
    var groups: [String: [String]] = [:]
    for group in try parent.allGroups() {
      try parent.enumerateRows(inGroup: group) { _, key, object, metadata, _, _ in
        let number = object as? Int ?? 0
        if isEven ? number % 2 == 0 : number > 50 || metadata != nil { groups[group, default: []].append(key) }
      }
    }
    return groups
  }

  private func contents(_ transaction: YapDatabaseReadTransaction) throws -> [String: [String]] {
    let view = try #require(try transaction.view("filtered"))
    return try Dictionary(
      uniqueKeysWithValues: view.allGroups().map { ($0, try transaction.keys("filtered", $0) ?? []) }
    )
  }

  @Test(arguments: [true, false])
  func `random histories keep the groups and the order of the parent`(_ isPersistent: Bool) throws {
    var random = RandomStream(seed: Seed.announce(for: "FilteredViewTests"))
    try withDatabase { database in
      let connection = try database.newConnection()
      let parent = YapDatabaseView(grouping: Self.byDigit, sorting: Self.ascending, versionTag: "first")
      try database.register(parent, withName: "parent")
      let options = ViewSamples.options { $0.isPersistent = isPersistent }
      try database.register(
        YapDatabaseView(parentViewName: "parent", filtering: Self.even, versionTag: "first", options: options),
        withName: "filtered"
      )
      var isEven = true
      for step in 0..<TestScale.count(300) {
        try connection.readWrite { transaction in
          for _ in 0..<random.below(5) {
            let (key, value) = ("\(random.below(80))", random.below(100))
            switch random.below(6) {
            case 0: try transaction.removeObject(forKey: key)
            case 1: try transaction.replaceMetadata(random.chance(oneIn: 2) ? value : nil, forKey: key)
            default: try transaction.setObject(value, forKey: key)
            }
          }
          if random.chance(oneIn: 12) {
            let sorting = random.chance(oneIn: 2) ? Self.ascending : Self.descending
            try transaction.view("parent")?.setSorting(sorting, versionTag: "\(step)")
          }
          if random.chance(oneIn: 12) {
            isEven.toggle()
            let filtering = isEven ? Self.even : Self.large
            try #expect(transaction.view("filtered")?.setFiltering(filtering, versionTag: "\(step)") == true)
          }
          let (found, expected) = try (contents(transaction), selected(transaction, isEven))
          try Discrepancy.check(found, expected, "rows after step \(step)")
        }
      }
    }
  }

  @Test func `a filtered view needs its parent, and has no other closures`() throws {
    try withDatabase { database in
      let filtered = YapDatabaseView(parentViewName: "parent", filtering: Self.even)
      #expect(filtered.parentViewName == "parent" && filtered.options.dependencies == ["parent"])
      #expect(code { try database.register(filtered, withName: "filtered") } == .notRegistered)
      try database.register(
        YapDatabaseView(grouping: Self.byDigit, sorting: Self.ascending),
        withName: "parent"
      )
      try database.register(filtered, withName: "filtered")
      let connection = try database.newConnection()
      try connection.readWrite { transaction in
        let (parent, view) = try (
          #require(try transaction.view("parent")), #require(try transaction.view("filtered"))
        )
        #expect(code { try view.setSorting(Self.descending, versionTag: "2") } == .invalidArgument)
        #expect(
          code { try view.setGrouping(Self.byDigit, sorting: Self.descending, versionTag: "2") } == .invalidArgument
        )
        #expect(code { try parent.setFiltering(Self.even, versionTag: "2") } == .invalidArgument)
        // A refused call changes nothing, so the transaction can be committed.
        try transaction.setObject(4, forKey: "a")
      }
      try #expect(connection.keys("filtered", "1") == ["a"])
      try database.unregister("parent")
      #expect(database.registeredExtensionNames.isEmpty)
    }
  }

  /// Filters by one part of a row while another part changes, and rows that leave the parent and come back at once.
  @Test func `a filtered view follows several changes of a row in one transaction`() throws {
    try withDatabase { database in
      let valid = YapDatabaseView(
        grouping: .withObjectBlock { _, _, _, object in object as? Int == 0 ? nil : "valid" },
        sorting: Self.ascending
      )
      try database.register(valid, withName: "parent")
      let all = YapDatabaseView(parentViewName: "parent", filtering: .withKeyBlock { _, _, _, _ in true })
      try database.register(all, withName: "filtered")
      try database.register(YapDatabaseView(parentViewName: "parent", filtering: Self.even), withName: "even")
      let marked = YapDatabaseView(
        parentViewName: "filtered",
        filtering: .withMetadataBlock { _, _, _, _, metadata in metadata != nil }
      )
      try database.register(marked, withName: "marked")
      let connection = try database.newConnection()
      try connection.readWrite { try $0.setObject(1, forKey: "a") }
      try connection.readWrite { transaction in
        try transaction.setObject(0, forKey: "a")
        try #expect(transaction.keys("filtered", "valid") == [])
        try transaction.setObject(2, forKey: "a")
      }
      for name in ["parent", "filtered", "even"] { try #expect(connection.keys(name, "valid") == ["a"], "\(name)") }
      try connection.readWrite { try $0.replaceMetadata("m", forKey: "a") }
      for name in ["parent", "filtered", "even", "marked"] {
        try #expect(connection.keys(name, "valid") == ["a"], "\(name)")
      }
      try connection.readWrite { transaction in
        try transaction.replaceMetadata(nil, forKey: "a")
        try transaction.replaceObject(3, forKey: "a")
      }
      try #expect(connection.keys("marked", "valid") == [] && connection.keys("even", "valid") == [])
      try #expect(connection.keys("filtered", "valid") == ["a"])
    }
  }

  /// Rows that compare as equal have the order in which they were stored, or that of their keys in a view that is
  /// populated again.
  @Test(arguments: ["in memory", "damaged"])
  func `a stored filtered view is populated again with its parent`(parent: String) throws {
    try withTemporaryFolder { folder in
      let path = folder + "/test.sqlite"
      let unsorted = YapDatabaseView(
        grouping: .withKeyBlock { _, _, _ in "all" },
        sorting: .withKeyBlock { _, _, _, _, _, _ in .orderedSame },
        versionTag: "1",
        options: ViewSamples.options { $0.isPersistent = parent == "damaged" }
      )
      let filtered = YapDatabaseView(
        parentViewName: "parent",
        filtering: .withKeyBlock { _, _, _, _ in true },
        versionTag: "1"
      )
      var database = try YapDatabase(path: path, options: .quick)
      try database.register(unsorted, withName: "parent")
      try database.register(filtered, withName: "filtered")
      try database.newConnection().readWrite { transaction in
        for key in ["b", "a"] { try transaction.setObject([1] as [UInt8], forKey: key) }
      }
      try #expect(database.newConnection().keys("filtered", "all") == ["b", "a"])
      try database.close()
      if parent == "damaged" {
        let handle = try SQLiteHandle(path: path)
        try handle.execute(
          "UPDATE view_pages SET previous = 7 WHERE id >> 32 = (SELECT number FROM extensions WHERE name = 'parent')"
        )
        try handle.close()
        // This run does not use the filtered view.
        database = try YapDatabase(path: path, options: .quick)
        try database.register(unsorted, withName: "parent")
        try database.close()
      }

      database = try YapDatabase(path: path, options: .quick)
      try database.register(unsorted, withName: "parent")
      try database.register(filtered, withName: "filtered")
      let connection = try database.newConnection()
      try #expect(connection.keys("parent", "all") == ["a", "b"])
      try #expect(connection.keys("filtered", "all") == ["a", "b"])
      try database.close()
    }
  }
}
