import Foundation
import Testing

@testable import YapEngine

/// Mappings that are copied, moved by several calls at the same time, or not moved because of an error.
@Suite struct MappingsMovesTests {
  /// A database with the keys "1" to "3" in a view of one group, and a connection on a bookmark.
  private func withKeys(
    _ body: (_ ui: YapDatabaseConnection, _ writer: YapDatabaseConnection) throws -> Void
  ) throws {
    try withDatabase { database in
      let writer = try database.newConnection()
      try writer.readWrite { transaction in
        for key in ["1", "2", "3"] { try transaction.setObject(bytes(key), forKey: key) }
      }
      let view = YapDatabaseView(
        grouping: .withKeyBlock { _, _, _ in "all" },
        sorting: .withKeyBlock { _, _, _, left, _, right in left.compare(right) }
      )
      try database.register(view, withName: "keys")
      let ui = try database.newConnection()
      try ui.beginLongLivedReadTransaction()
      try body(ui, writer)
    }
  }

  private func change(
    _ mappings: YapDatabaseViewMappings,
    _ ui: YapDatabaseConnection,
    _ modifications: [YapDatabaseModification]
  ) throws -> [YapDatabaseViewRowChange.Kind] {
    try ui.read { transaction in
      let view = try #require(try transaction.ext("keys") as? YapDatabaseViewTransaction)
      return try view.changes(for: modifications, with: mappings).rowChanges.map(\.kind)
    }
  }

  @Test func `a copy has the settings and the snapshot, and moves independently`() throws {
    try withKeys { ui, writer in
      let mappings = YapDatabaseViewMappings(groups: ["all"], view: "keys")
      mappings.setIsReversed(true, forGroup: "all")
      mappings.isDynamicSectionForAllGroups = true
      try ui.read { try mappings.update(with: $0) }
      let copy = mappings.copy()
      #expect(copy.snapshot == mappings.snapshot && copy.isDynamicSection(forGroup: "all"))
      try writer.readWrite { try $0.setObject(bytes("4"), forKey: "4") }
      let jumped = try ui.beginLongLivedReadTransaction()
      try #expect(change(copy, ui, jumped) == [.insert])
      #expect(copy.numberOfItems(inGroup: "all") == 4 && mappings.numberOfItems(inGroup: "all") == 3)
      // The copy is reversed too, so the newest row is the first.
      #expect(copy.position(at: IndexPath(row: 0, section: 0))?.index == 3)
      copy.setIsReversed(false, forGroup: "all")
      try #expect(change(mappings, ui, jumped) == [.insert])
      #expect(mappings.position(at: IndexPath(row: 0, section: 0))?.index == 3)
    }
  }

  //  a task                              another
  //  ──────────────────────────────────  ──────────────────────────────────
  //  requests changes, and reads what
  //  the mappings show
  //                                      moves the mappings
  //  fails
  @Test func `changes from a state that is no longer shown are rejected`() throws {
    try withKeys { ui, writer in
      let isBeside = SharedFlag()
      let mappings = YapDatabaseViewMappings(
        view: "keys",
        filter: { _, transaction in
          if isBeside.lower() { try isBeside.mappings?.update(with: transaction) }
          return true
        },
        sort: { left, right, _ in left < right }
      )
      isBeside.mappings = mappings
      try ui.read { try mappings.update(with: $0) }
      try writer.readWrite { try $0.removeObject(forKey: "1") }
      let jumped = try ui.beginLongLivedReadTransaction()
      isBeside.raise()
      #expect(code { _ = try change(mappings, ui, jumped) } == .mismatchedMappings)
      #expect(mappings.numberOfItems(inGroup: "all") == 2)
      try #expect(change(mappings, ui, []).isEmpty)
    }
  }

  @Test func `changes are rejected if a setting is changed meanwhile`() throws {
    try withKeys { ui, writer in
      let isBeside = SharedFlag()
      let mappings = YapDatabaseViewMappings(
        view: "keys",
        filter: { group, _ in
          if isBeside.lower() {
            isBeside.mappings?.setRangeOptions(.fixed(length: 1, from: .end), forGroup: group)
          }
          return true
        },
        sort: { left, right, _ in left < right }
      )
      isBeside.mappings = mappings
      try ui.read { try mappings.update(with: $0) }
      try writer.readWrite { try $0.removeObject(forKey: "1") }
      let jumped = try ui.beginLongLivedReadTransaction()
      isBeside.raise()
      #expect(code { _ = try change(mappings, ui, jumped) } == .mismatchedMappings)
      #expect(mappings.numberOfItems(inGroup: "all") == 1)
      // They still stand on the snapshot before, with the new setting.
      try #expect(change(mappings, ui, jumped).isEmpty)
    }
  }

  @Test func `mappings do not move if a closure throws`() throws {
    try withKeys { ui, writer in
      let fails = SharedFlag()
      let mappings = YapDatabaseViewMappings(
        view: "keys",
        filter: { _, _ in
          if fails.lower() { throw Deliberate() }
          return true
        },
        sort: { left, right, _ in left < right }
      )
      try ui.read { try mappings.update(with: $0) }
      let before = mappings.snapshot
      try writer.readWrite { try $0.removeObject(forKey: "2") }
      let jumped = try ui.beginLongLivedReadTransaction()
      fails.raise()
      #expect(throws: Deliberate()) { try change(mappings, ui, jumped) }
      #expect(mappings.snapshot == before && mappings.numberOfItems(inGroup: "all") == 3)
      try #expect(change(mappings, ui, jumped) == [.delete])
    }
  }
}

/// An action that a closure runs once, after a request.
// The tests that use it run on one thread.
private final class SharedFlag: @unchecked Sendable {
  var mappings: YapDatabaseViewMappings?
  private var isRaised = false

  func raise() { isRaised = true }

  func lower() -> Bool {
    defer { isRaised = false }
    return isRaised
  }
}
