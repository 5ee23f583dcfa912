internal import Foundation
internal import YapEngine

/// The stored view of crash tests: the rows of each collection, in the order of their keys.
enum CrashView {
  static let name = "by key"

  static var view: YapDatabaseView {
    var options = YapDatabaseView.Options()
    options.allowedCollections = .only(Set(LedgeredWriter.Shape().collections))
    return YapDatabaseView(
      grouping: .withKeyBlock { _, collection, _ in collection },
      sorting: .withKeyBlock { _, _, _, left, _, right in
        left == right ? .orderedSame : left < right ? .orderedAscending : .orderedDescending
      },
      versionTag: "1",
      options: options
    )
  }

  /// Compares the view with the rows.
  /// - Throws: `WrongResult` if they differ.
  static func check(_ transaction: YapDatabaseReadTransaction) throws {
    guard let view = try transaction.ext(name) as? YapDatabaseViewTransaction else {
      throw WrongResult("the view \"\(name)\" is registered, but a transaction does not have it")
    }
    for collection in LedgeredWriter.Shape().collections {
      var expected: [String] = []
      try transaction.enumerateKeys(inCollection: collection) { key, _ in expected.append(key) }
      var found: [String] = []
      try view.enumerateKeys(inGroup: collection) { _, key, _, _ in found.append(key) }
      guard found == expected.sorted() else {
        let missing = Set(expected).subtracting(found).sorted()
        let more = Set(found).subtracting(expected).sorted()
        throw WrongResult(
          "the stored view \"\(name)\" has \(found.count) rows of collection \"\(collection)\", which has "
            + "\(expected.count); missing: \(missing); too many: \(more)"
        )
      }
    }
  }
}
