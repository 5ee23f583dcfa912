import Foundation
import Testing

@testable import YapEngine

/// A database with a view of numbers, which groups them by collection and sorts them, and a connection on a bookmark.
struct NumberView {
  let database: YapDatabase
  let ui: YapDatabaseConnection
  let writer: YapDatabaseConnection

  static let name = "numbers"

  static func with(
    _ numbers: Double...,
    options: YapDatabaseOptions = .quick,
    _ body: (NumberView) throws -> Void
  ) throws {
    try withDatabase(options) { database in
      let view = NumberView(
        database: database,
        ui: try database.newConnection(),
        writer: try database.newConnection()
      )
      try database.register(view.extensionOfNumbers, withName: name)
      try view.set(numbers)
      try view.ui.beginLongLivedReadTransaction()
      try body(view)
    }
  }

  var extensionOfNumbers: YapDatabaseView {
    YapDatabaseView(
      grouping: .withKeyBlock { _, collection, _ in collection },
      sorting: .withObjectBlock { _, _, _, _, left, _, _, right in
        let (left, right) = (left as? Double ?? 0, right as? Double ?? 0)
        return left < right ? .orderedAscending : left > right ? .orderedDescending : .orderedSame
      }
    )
  }

  /// Stores numbers under keys such as "1.5", in one commit.
  func set(_ numbers: [Double], inGroup group: String = "g") throws {
    try writer.readWrite { transaction in
      for number in numbers { try transaction.setObject(number, forKey: "\(number)", inCollection: group) }
    }
  }

  func set(_ numbers: Double..., inGroup group: String = "g") throws { try set(numbers, inGroup: group) }

  func remove(_ numbers: Double..., inGroup group: String = "g") throws {
    try writer.readWrite { try $0.removeObjects(forKeys: numbers.map { "\($0)" }, inCollection: group) }
  }

  /// Moves the bookmark, and updates mappings to it.
  func update(_ mappings: YapDatabaseViewMappings...) throws {
    try ui.beginLongLivedReadTransaction()
    try ui.read { transaction in for mappings in mappings { try mappings.update(with: transaction) } }
  }

  /// Moves the bookmark, and returns the changes of mappings.
  func jump(_ mappings: YapDatabaseViewMappings) throws -> YapDatabaseViewChanges {
    let jumped = try ui.beginLongLivedReadTransaction()
    return try ui.read { transaction in
      let view = try #require(try transaction.ext(Self.name) as? YapDatabaseViewTransaction)
      return try view.changes(for: jumped, with: mappings)
    }
  }

  /// The numbers that mappings show, by section.
  func shown(_ mappings: YapDatabaseViewMappings) throws -> [[Double]] {
    try ui.read { transaction in
      let view = try #require(try transaction.ext(Self.name) as? YapDatabaseViewTransaction)
      return try (0..<mappings.numberOfSections()).map { section in
        try (0..<mappings.numberOfItems(inSection: section)).map { row in
          let path = IndexPath(row: row, section: section)
          return try #require(try view.object(atIndexPath: path, withMappings: mappings) as? Double)
        }
      }
    }
  }
}

extension YapDatabaseViewMappings {
  /// Mappings of the group "g" with a range.
  convenience init(_ range: YapDatabaseViewRangeOptions?) {
    self.init(groups: ["g"], view: NumberView.name)
    setRangeOptions(range, forGroup: "g")
  }
}

extension YapDatabaseViewChanges {
  /// The changes in short, such as "insert 0.4" for a row inserted at row 4 of section 0.
  var summary: [String] {
    sectionChanges.map { "\($0.kind) section \($0.index)" }
      + rowChanges.map { change in
        let paths = [change.indexPath, change.newIndexPath].compactMap { $0 }.map { "\($0.section).\($0.row)" }
        return "\(change.kind) \(paths.joined(separator: " to "))"
      }
  }
}
