import Foundation
import TestSupport

@testable import YapEngine

/// Views that several tests use.
enum ViewSamples {
  /// A view of rows by collection, sorted by their bytes. `asked` gets a line for each call of a closure.
  static func byBytes(
    tag: String = "1",
    _ options: YapDatabaseView.Options = .init(),
    asked: SharedList<String>? = nil
  ) -> YapDatabaseView {
    YapDatabaseView(
      grouping: .withKeyBlock { _, collection, key in
        asked?.append("group \(key)")
        return collection
      },
      sorting: .withObjectBlock { _, _, _, _, left, _, _, right in
        asked?.append("sort")
        return ViewKeyspace.order(left as? [UInt8] ?? [], right as? [UInt8] ?? [])
      },
      versionTag: tag,
      options: options
    )
  }

  static func options(_ change: (inout YapDatabaseView.Options) -> Void) -> YapDatabaseView.Options {
    var options = YapDatabaseView.Options()
    change(&options)
    return options
  }
}

extension Array where Element: Comparable {
  /// Compares element by element, then by length.
  static func < (left: Self, right: Self) -> Bool { left.lexicographicallyPrecedes(right) }
}

extension ViewKeyspace {
  static func order(_ left: [UInt8], _ right: [UInt8]) -> ComparisonResult {
    left.lexicographicallyPrecedes(right)
      ? .orderedAscending : right.lexicographicallyPrecedes(left) ? .orderedDescending : .orderedSame
  }
}

extension YapDatabaseConnection {
  /// The keys of a group, in order; nil if the view does not exist.
  func keys(_ view: String, _ group: String = "") throws -> [String]? {
    try read { transaction in try transaction.keys(view, group) }
  }
}

extension YapDatabaseReadTransaction {
  func view(_ name: String) throws -> YapDatabaseViewTransaction? { try ext(name) as? YapDatabaseViewTransaction }

  func keys(_ view: String, _ group: String = "") throws -> [String]? {
    guard let view = try self.view(view) else { return nil }
    var keys: [String] = []
    try view.enumerateKeys(inGroup: group) { _, key, _, _ in keys.append(key) }
    return keys
  }
}
