import Foundation
import HarnessPrimitives
import TestSupport

@testable import YapEngine

/// A list that shows a view through mappings and applies the changes that they compute.
final class MappedList {
  private let mappings: YapDatabaseViewMappings
  private var shown: ShownList?

  /// Shows the existing groups, each with random settings.
  init(_ random: inout RandomStream) {
    let leftOut = random.below(6)
    mappings = YapDatabaseViewMappings(
      view: ViewKind.byObject.rawValue,
      filter: { group, _ in group != "group \(leftOut)" },
      sort: { left, right, _ in left < right }
    )
    mappings.isDynamicSectionForAllGroups = random.chance(oneIn: 2)
    if random.chance(oneIn: 3) { mappings.setConsolidation(below: random.below(80)) }
    for group in ["group 0", "group 1", "group 2"] {
      mappings.setIsReversed(random.chance(oneIn: 2), forGroup: group)
      switch random.below(3) {
      case 0: mappings.setRangeOptions(.fixed(length: 20, offset: random.below(5), from: .end), forGroup: group)
      case 1:
        var range = YapDatabaseViewRangeOptions.flexible(length: 15, offset: random.below(9), from: .beginning)
        if random.chance(oneIn: 2) { range.growth = .onBothSides }
        range.maxLength = 30
        mappings.setRangeOptions(range, forGroup: group)
      default: break
      }
      if random.chance(oneIn: 2) { mappings.setCellDrawingDependencies([-1], forGroup: group) }
    }
  }

  /// Moves the list after the connection's bookmark has moved.
  /// - Parameter modifications: The returned modifications; nil if the connection had no bookmark before, so that the
  ///   list may have missed some.
  func move(_ connection: YapDatabaseConnection, _ modifications: [YapDatabaseModification]?) throws {
    try connection.read { transaction in
      guard let view = try transaction.ext(mappings.view) as? YapDatabaseViewTransaction else {
        return shown = nil
      }
      guard let modifications, var list = shown else {
        try mappings.update(with: transaction)
        return shown = try read(view)
      }
      let changes = try view.changes(for: modifications, with: mappings)
      let after = try read(view)
      try list.apply(changes, after) { change in change.collectionKey.map { $0.collection + "/" + $0.key } }
      shown = after
    }
  }

  private func read(_ view: YapDatabaseViewTransaction) throws -> ShownList {
    try ShownList(mappings) { path in
      try view.collectionKey(atIndexPath: path, withMappings: mappings).map { $0.collection + "/" + $0.key }
    }
  }
}
