import Foundation
import TestSupport
import Testing

@testable import YapEngine

/// Mappings, and the changes that move a list from one snapshot to the next.
@Suite struct MappingsTests {
  @Test func `negative numbers of a range count as 0`() throws {
    var range = YapDatabaseViewRangeOptions.fixed(length: 3, offset: -2, from: .end)
    #expect(range.window(count: 5) == 2..<5)
    range.length = -1
    #expect(range.window(count: 5).isEmpty)
    range = .flexible(length: 3, from: .beginning)
    (range.maxLength, range.minLength) = (-1, -1)
    #expect(range.maxLength == 0 && range.minLength == 0 && range.window(count: 5).isEmpty)
  }

  @Test func `the lengths of a range limit each other`() {
    var range = YapDatabaseViewRangeOptions.flexible(length: 3, from: .beginning)
    range.minLength = 8
    range.maxLength = 5
    #expect(range.minLength == 8 && range.maxLength == 8 && range.window(count: 20) == 0..<8)
    range.minLength = 10
    #expect(range.minLength == 8 && range.window(count: 4) == 0..<4)
  }

  // MARK: On a database

  /// Runs `body` with a database of numbers in a view, in which each collection is a sorted group.
  private func withNumbers(
    _ numbers: [Int],
    _ body: (YapDatabase, _ ui: YapDatabaseConnection, _ writer: YapDatabaseConnection) throws -> Void
  ) throws {
    try withDatabase { database in
      let writer = try database.newConnection()
      try writer.readWrite { transaction in
        for number in numbers { try transaction.setObject(Self.bytes(number), forKey: "\(number)", inCollection: "a") }
      }
      let view = YapDatabaseView(
        grouping: .withKeyBlock { _, collection, _ in collection },
        sorting: .withObjectBlock { _, _, _, _, left, _, _, right in
          ViewKeyspace.order(left as? [UInt8] ?? [], right as? [UInt8] ?? [])
        }
      )
      try database.register(view, withName: "numbers")
      let ui = try database.newConnection(name: "ui")
      try ui.beginLongLivedReadTransaction()
      try body(database, ui, writer)
    }
  }

  private static func bytes(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 255)] }

  private func move(
    _ ui: YapDatabaseConnection,
    _ mappings: YapDatabaseViewMappings
  ) throws -> YapDatabaseViewChanges {
    let modifications = try ui.beginLongLivedReadTransaction()
    return try ui.read { transaction in
      let view = try #require(try transaction.ext("numbers") as? YapDatabaseViewTransaction)
      return try view.changes(for: modifications, with: mappings)
    }
  }

  @Test func `changes are merged, and returned with their positions and flags`() throws {
    try withNumbers([10, 20, 30, 40]) { _, ui, writer in
      let mappings = YapDatabaseViewMappings(groups: ["a"], view: "numbers")
      try ui.read { try mappings.update(with: $0) }
      try writer.readWrite { transaction in
        try transaction.setObject(Self.bytes(35), forKey: "10", inCollection: "a")
        try transaction.setObject(Self.bytes(1), forKey: "1", inCollection: "a")
        try transaction.setObject(Self.bytes(2), forKey: "2", inCollection: "a")
      }
      try writer.readWrite { transaction in
        try transaction.removeObject(forKey: "2", inCollection: "a")
        try transaction.removeObject(forKey: "20", inCollection: "a")
        try transaction.replaceMetadata(Self.bytes(0), forKey: "40", inCollection: "a")
        try transaction.touchObject(forKey: "40", inCollection: "a")
      }
      // 10 20 30 40 → 1 30 35 40
      let found = try move(ui, mappings).rowChanges
      #expect(found.map(\.kind) == [.delete, .insert, .move, .update])
      #expect(found.map(\.key) == ["20", "1", "10", "40"])
      #expect(found.map { $0.indexPath?.row } == [1, nil, 0, 3])
      #expect(found.map { $0.newIndexPath?.row } == [nil, 0, 2, 3])
      #expect(
        found.map(\.changes) == [
          [.object, .metadata], [.object, .metadata], [.object, .metadata], [.object, .metadata],
        ]
      )
      #expect(found.allSatisfy { $0.collection == "a" })
      try writer.readWrite { try $0.replaceMetadata(nil, forKey: "30", inCollection: "a") }
      let only = try move(ui, mappings).rowChanges
      #expect(only.map(\.kind) == [.update] && only.map(\.changes) == [.metadata])
    }
  }

  @Test func `modifications that do not lead from the mappings to the transaction are rejected`() throws {
    try withNumbers([1, 2]) { database, ui, writer in
      let mappings = YapDatabaseViewMappings(groups: ["a"], view: "numbers")
      let refused = { (modifications: [YapDatabaseModification], mappings: YapDatabaseViewMappings) in
        code {
          _ = try ui.read { transaction in
            try (transaction.ext("numbers") as? YapDatabaseViewTransaction)?.changes(for: modifications, with: mappings)
          }
        }
      }
      #expect(refused([], mappings) == .mismatchedMappings)  // never updated
      try ui.read { try mappings.update(with: $0) }
      #expect(refused([], mappings) == nil)
      for number in 3...5 {
        try writer.readWrite { try $0.setObject(Self.bytes(number), forKey: "\(number)", inCollection: "a") }
      }
      let jumped = try ui.beginLongLivedReadTransaction()
      #expect(refused([], mappings) == .mismatchedMappings)
      #expect(refused(Array(jumped.dropFirst()), mappings) == .mismatchedMappings)
      #expect(refused(Array(jumped.dropLast()), mappings) == .mismatchedMappings)
      #expect(refused(jumped.reversed(), mappings) == .mismatchedMappings)
      #expect(refused(jumped + jumped, mappings) == .mismatchedMappings)
      #expect(refused(jumped, YapDatabaseViewMappings(groups: ["a"], view: "other")) == .mismatchedMappings)
      #expect(mappings.numberOfItems(inGroup: "a") == 2)
      #expect(refused(jumped, mappings) == nil && mappings.numberOfItems(inGroup: "a") == 5)
      #expect(refused(jumped, mappings) == .mismatchedMappings)  // a second time
      #expect(code { try writer.readWrite { try mappings.update(with: $0) } } == .invalidArgument)
      try database.unregister("numbers")
      try ui.beginLongLivedReadTransaction()
      #expect(code { try ui.read { try mappings.update(with: $0) } } == .notRegistered)
    }
  }

  @Test func `dynamic sections appear and disappear with their rows`() throws {
    try withNumbers([1, 2]) { _, ui, writer in
      let mappings = YapDatabaseViewMappings(groups: ["a", "b"], view: "numbers")
      mappings.setIsDynamicSection(true, forGroup: "b")
      try ui.read { try mappings.update(with: $0) }
      #expect(
        mappings.numberOfSections() == 1 && mappings.visibleGroups == ["a"] && mappings.section(forGroup: "b") == nil
      )
      try writer.readWrite { try $0.setObject(Self.bytes(7), forKey: "7", inCollection: "b") }
      var found = try move(ui, mappings)
      #expect(found == YapDatabaseViewChanges(sectionChanges: [.init(kind: .insert, index: 1, group: "b")]))
      try writer.readWrite { try $0.removeObject(forKey: "7", inCollection: "b") }
      found = try move(ui, mappings)
      #expect(found == YapDatabaseViewChanges(sectionChanges: [.init(kind: .delete, index: 1, group: "b")]))
      // A section that stays without rows.
      try writer.readWrite { try $0.removeAllObjects(inCollection: "a") }
      found = try move(ui, mappings)
      #expect(found.sectionChanges.isEmpty && found.rowChanges.map(\.indexPath) == [[0, 0], [0, 1]])
      #expect(found.rowChanges.allSatisfy { $0.kind == .delete && $0.key == nil && $0.collection == nil })
      #expect(mappings.numberOfSections() == 1 && mappings.isEmpty)
    }
  }

  @Test func `ranges show a part, fixed or moving with its rows`() throws {
    try withNumbers(Array(10...19)) { _, ui, writer in
      let fixed = YapDatabaseViewMappings(groups: ["a"], view: "numbers")
      fixed.setRangeOptions(.fixed(length: 3, from: .end), forGroup: "a")
      let flexible = YapDatabaseViewMappings(groups: ["a"], view: "numbers")
      var range = YapDatabaseViewRangeOptions.flexible(length: 3, from: .end)
      range.growth = .onPinSide
      range.maxLength = 4
      flexible.setRangeOptions(range, forGroup: "a")
      flexible.setIsReversed(true, forGroup: "a")
      try ui.read { try fixed.update(with: $0) }
      try ui.read { try flexible.update(with: $0) }
      #expect(fixed.visibleRange(forGroup: "a") == 7..<10 && flexible.visibleRange(forGroup: "a") == 7..<10)
      #expect(flexible.position(at: IndexPath(row: 0, section: 0))?.index == 9)
      #expect(flexible.indexPath(forIndex: 7, inGroup: "a") == IndexPath(row: 2, section: 0))
      #expect(flexible.indexPath(forIndex: 6, inGroup: "a") == nil)
      #expect(flexible.position(at: IndexPath(row: 3, section: 0)) == nil)
      try writer.readWrite { try $0.setObject(Self.bytes(20), forKey: "20", inCollection: "a") }
      let modifications = try ui.beginLongLivedReadTransaction()
      let found = try ui.read { transaction in
        let view = try #require(try transaction.ext("numbers") as? YapDatabaseViewTransaction)
        return try [fixed, flexible].map { try view.changes(for: modifications, with: $0).rowChanges }
      }
      #expect(found[0].map(\.kind) == [.delete, .insert] && found[0].map(\.key) == ["17", "20"])
      #expect(found[1].map(\.kind) == [.insert] && found[1].first?.newIndexPath?.row == 0)
      #expect(flexible.visibleRange(forGroup: "a") == 7..<11)
      try writer.readWrite { transaction in
        try transaction.setObject(Self.bytes(21), forKey: "21", inCollection: "a")
        try transaction.setObject(Self.bytes(5), forKey: "5", inCollection: "a")
      }
      let last = try move(ui, flexible).rowChanges
      #expect(last.map(\.kind) == [.delete, .insert] && last.map(\.key) == ["17", "21"])
      #expect(flexible.visibleRange(forGroup: "a") == 9..<13)
    }
  }

  @Test func `few rows are shown in one section`() throws {
    try withNumbers([1, 2]) { _, ui, writer in
      let mappings = YapDatabaseViewMappings(
        view: "numbers",
        filter: { group, _ in group != "c" },
        sort: { left, right, _ in left < right }
      )
      mappings.setConsolidation(below: 4)
      try writer.readWrite { transaction in
        try transaction.setObject(Self.bytes(3), forKey: "3", inCollection: "b")
        try transaction.setObject(Self.bytes(4), forKey: "4", inCollection: "c")
      }
      try ui.beginLongLivedReadTransaction()
      try ui.read { try mappings.update(with: $0) }
      #expect(mappings.isUsingConsolidatedGroup && mappings.numberOfItems(inSection: 0) == 3)
      #expect(mappings.indexPath(forIndex: 0, inGroup: "b") == IndexPath(row: 2, section: 0))
      let position = mappings.position(at: IndexPath(row: 2, section: 0))
      #expect(position?.group == "b" && position?.index == 0)
      try writer.readWrite { try $0.setObject(Self.bytes(0), forKey: "0", inCollection: "b") }
      let found = try move(ui, mappings)
      #expect(found.sectionChanges.map(\.kind) == [.delete, .insert, .insert] && found.rowChanges.isEmpty)
      #expect(!mappings.isUsingConsolidatedGroup && mappings.visibleGroups == ["a", "b"])
    }
  }

  @Test func `notifications say whether a view or a group has changed`() throws {
    try withNumbers([1, 2]) { _, ui, writer in
      try writer.readWrite { try $0.setObject(Self.bytes(3), forKey: "3", inCollection: "b") }
      let jumped = try ui.beginLongLivedReadTransaction()
      #expect(ui.hasChange(forView: "numbers", in: jumped) && !ui.hasChange(forView: "other", in: jumped))
      #expect(ui.hasChange(forGroup: "b", inView: "numbers", in: jumped))
      #expect(!ui.hasChange(forGroup: "a", inView: "numbers", in: jumped))
      #expect(ui.hasChange(forAnyGroups: ["a", "b"], inView: "numbers", in: jumped))
      #expect(
        !ui.hasChange(forAnyGroups: [], inView: "numbers", in: jumped)
          && !ui.hasChange(forView: "numbers", in: jumped.prefix(0))
      )
    }
  }
}
