import Foundation
import Testing

@testable import YapEngine

/// Changes of sections, and of rows whose section or group changes as a whole.
@Suite struct SectionChangesTests {
  enum Clearing: CaseIterable {
    case everything, collection, keys
  }

  private func clear(_ clearing: Clearing, _ transaction: YapDatabaseReadWriteTransaction) throws {
    switch clearing {
    case .everything: try transaction.removeAllObjectsInAllCollections()
    case .collection: try transaction.removeAllObjects(inCollection: "g")
    case .keys: try transaction.removeObjects(forKeys: ["1.0", "2.0"], inCollection: "g")
    }
  }

  /// A view that groups numbers by their size, whatever their collection.
  private static let bySize = YapDatabaseView(
    grouping: .withObjectBlock { _, _, _, object in (object as? Double ?? 0) < 10 ? "small" : "large" },
    sorting: .withKeyBlock { _, _, _, left, _, right in left.compare(right) }
  )

  @Test(arguments: Clearing.allCases)
  func `a static section that is emptied loses its rows and stays`(_ clearing: Clearing) throws {
    try NumberView.with(1, 2) { view in
      let mappings = YapDatabaseViewMappings(nil)
      try view.update(mappings)
      try view.writer.readWrite { try clear(clearing, $0) }
      let changes = try view.jump(mappings)
      #expect(changes.summary == ["delete 0.0", "delete 0.1"])
      #expect(changes.rowChanges.map(\.key) == (clearing == .keys ? ["1.0", "2.0"] : [nil, nil]))
      #expect(changes.rowChanges.allSatisfy { $0.originalGroup == "g" && $0.changes == [.object, .metadata] })
    }
  }

  @Test(arguments: Clearing.allCases, [false, true])
  func `rows that are stored after a clearing are inserted`(_ clearing: Clearing, _ isDynamic: Bool) throws {
    try NumberView.with(1, 2) { view in
      let mappings = YapDatabaseViewMappings(nil)
      mappings.isDynamicSectionForAllGroups = isDynamic
      try view.update(mappings)
      try view.writer.readWrite { transaction in
        try clear(clearing, transaction)
        try transaction.setObject(3.0, forKey: "3.0", inCollection: "g")
      }
      #expect(try view.jump(mappings).summary == ["delete 0.0", "delete 0.1", "insert 0.0"])
    }
  }

  @Test func `a row that left its group before the group was cleared moves`() throws {
    try NumberView.with { view in
      try view.database.unregister(NumberView.name)
      try view.database.register(Self.bySize, withName: NumberView.name)
      try view.set(1, inGroup: "first")
      try view.set(2, inGroup: "second")
      let mappings = YapDatabaseViewMappings(groups: ["small", "large"], view: NumberView.name)
      try view.update(mappings)
      try view.writer.readWrite { try $0.setObject(12.0, forKey: "2.0", inCollection: "second") }
      try view.writer.readWrite { try $0.removeAllObjects(inCollection: "first") }
      let changes = try view.jump(mappings)
      #expect(changes.summary == ["delete 0.0", "move 0.1 to 1.0"])
      #expect(changes.rowChanges.map(\.key) == [nil, "2.0"])
    }
  }

  @Test func `a new row that left its group before the group was cleared is inserted`() throws {
    try NumberView.with { view in
      try view.database.unregister(NumberView.name)
      try view.database.register(Self.bySize, withName: NumberView.name)
      try view.set(1, inGroup: "first")
      let mappings = YapDatabaseViewMappings(groups: ["small", "large"], view: NumberView.name)
      try view.update(mappings)
      try view.set(2, inGroup: "second")
      try view.writer.readWrite { transaction in
        try transaction.setObject(12.0, forKey: "2.0", inCollection: "second")
        try transaction.removeAllObjects(inCollection: "first")
      }
      #expect(try view.jump(mappings).summary == ["delete 0.0", "insert 1.0"])
    }
  }

  @Test func `an update in a section that is shifted is a move`() throws {
    try NumberView.with { view in
      let mappings = YapDatabaseViewMappings(
        view: NumberView.name,
        filter: { _, _ in true },
        sort: { left, right, _ in left < right }
      )
      try view.set(1, inGroup: "B")
      try view.update(mappings)
      try view.writer.readWrite { transaction in
        try transaction.setObject(1.0, forKey: "lion", inCollection: "A")
        try transaction.replaceObject(2.0, forKey: "1.0", inCollection: "B")
      }
      let changes = try view.jump(mappings)
      #expect(changes.summary == ["insert section 0", "move 0.0 to 1.0"])
      #expect(changes.rowChanges.first?.changes == .object)
    }
  }
}
