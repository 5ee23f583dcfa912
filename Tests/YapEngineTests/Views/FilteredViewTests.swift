import Foundation
import SeededRandom
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
      let parent = YapDatabaseView(grouping: Self.byDigit, sorting: Self.ascending, versionTag: "0")
      try database.register(parent, withName: "parent")
      let options = ViewSamples.options { $0.isPersistent = isPersistent }
      try database.register(
        YapDatabaseView(parentViewName: "parent", filtering: Self.even, versionTag: "0", options: options),
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
}
