import Foundation
import HarnessPrimitives
import TestSupport

@testable import YapEngine

/// Random commits of a database with a view. One connection jumps over several of them at once, another over each, with
/// the same mappings: both must show the same rows, and the changes of both must lead there.
struct JumpDatabaseTrial {
  /// A list on a connection of its own.
  private struct Screen {
    let connection: YapDatabaseConnection
    let mappings: YapDatabaseViewMappings
    var list: ShownList

    init(_ view: NumberView, _ mappings: YapDatabaseViewMappings) throws {
      connection = try view.database.newConnection()
      try connection.beginLongLivedReadTransaction()
      try connection.read { try mappings.update(with: $0) }
      self.mappings = mappings
      list = try Self.read(connection, mappings)
    }

    private static func read(
      _ connection: YapDatabaseConnection,
      _ mappings: YapDatabaseViewMappings
    ) throws -> ShownList {
      try connection.read { transaction in
        guard let view = try transaction.ext(NumberView.name) as? YapDatabaseViewTransaction else {
          throw Discrepancy("the view is missing")
        }
        return try ShownList(mappings) { path in
          try view.collectionKey(atIndexPath: path, withMappings: mappings).map { $0.collection + "/" + $0.key }
        }
      }
    }

    mutating func jump() throws {
      let jumped = try connection.beginLongLivedReadTransaction()
      let changes = try connection.read { transaction in
        try (transaction.ext(NumberView.name) as? YapDatabaseViewTransaction)?.changes(for: jumped, with: mappings)
      }
      let after = try Self.read(connection, mappings)
      try list.apply(changes ?? YapDatabaseViewChanges(), after) { change in
        change.collectionKey.map { $0.collection + "/" + $0.key }
      }
      list = after
    }
  }

  private let view: NumberView
  private var random: RandomStream
  private let groups = ["a", "b", "c"]

  init(_ view: NumberView, seed: UInt64) {
    self.view = view
    random = RandomStream(seed: seed)
  }

  /// Makes 8 jumps of new mappings.
  mutating func run() throws {
    let mappings = randomMappings()
    var jumping = try Screen(view, mappings)
    var stepping = try Screen(view, mappings.copy())
    for _ in 0..<8 {
      for _ in 0...random.below(8) {
        try commit()
        try stepping.jump()
      }
      try jumping.jump()
      try Discrepancy.check(jumping.list, stepping.list, "a jump over several commits")
    }
  }

  private mutating func randomMappings() -> YapDatabaseViewMappings {
    let mappings = YapDatabaseViewMappings(groups: groups, view: NumberView.name)
    mappings.isDynamicSectionForAllGroups = random.chance(oneIn: 2)
    for group in groups {
      mappings.setIsReversed(random.chance(oneIn: 2), forGroup: group)
      var range = YapDatabaseViewRangeOptions.flexible(
        length: random.below(9),
        offset: random.below(3),
        from: random.chance(oneIn: 2) ? .beginning : .end
      )
      if random.chance(oneIn: 2) { range.growth = [.inRangeOnly, .onNonPinSide, .onBothSides][random.below(3)] }
      if random.chance(oneIn: 3) { range.maxLength = 1 + random.below(9) }
      if random.chance(oneIn: 3) { range.minLength = random.below(6) }
      mappings.setRangeOptions(range, forGroup: group)
    }
    return mappings
  }

  private mutating func commit() throws {
    try view.writer.readWrite { transaction in
      for _ in 0...random.below(5) {
        let (group, key) = (groups[random.below(groups.count)], "\(random.below(15))")
        switch random.below(20) {
        case 0...11: try transaction.setObject(Double(random.below(30)), forKey: key, inCollection: group)
        case 12...17: try transaction.removeObject(forKey: key, inCollection: group)
        case 18: if random.chance(oneIn: 4) { try transaction.removeAllObjects(inCollection: group) }
        default: if random.chance(oneIn: 12) { try transaction.removeAllObjectsInAllCollections() }
        }
      }
    }
  }
}
