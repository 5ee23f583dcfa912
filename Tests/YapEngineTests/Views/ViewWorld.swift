import Foundation

@testable import YapEngine

/// The rows of the trial of views: rows of two numbers, some of whose collections and keys are equal in Swift but not
/// in the database.
enum ViewKeyspace {
  static let collections = ["", "\u{e9}", "e\u{301}"]
  static let keysEach = 140
  static let slotCount = collections.count * keysEach

  static func collection(of slot: Int) -> String { collections[slot / keysEach] }

  static func key(of slot: Int) -> String {
    switch slot % keysEach {
    case 0: ""
    case 1: "\u{e9}"
    case 2: "e\u{301}"
    case 3: "nul\u{0}a"
    case let number: "key \(number)"
    }
  }

  static func bytes(_ value: UInt16) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xff)] }

  static func value(_ found: Any?) -> UInt16? {
    let bytes = (found as? Instance)?.content ?? found as? [UInt8]
    guard let bytes, bytes.count == 2 else { return nil }
    return UInt16(bytes[0]) << 8 | UInt16(bytes[1])
  }

  /// The order of two rows' names in the database.
  static func order(_ left: (String, String), _ right: (String, String)) -> ComparisonResult {
    for (left, right) in [(left.0, right.0), (left.1, right.1)] {
      if left.utf8.lexicographicallyPrecedes(right.utf8) { return .orderedAscending }
      if right.utf8.lexicographicallyPrecedes(left.utf8) { return .orderedDescending }
    }
    return .orderedSame
  }

  static func order<Value: Comparable>(_ left: Value, _ right: Value) -> ComparisonResult {
    left < right ? .orderedAscending : right < left ? .orderedDescending : .orderedSame
  }
}

/// The rows at one snapshot. It is a value type, so a copy is a snapshot.
struct ViewRows: Equatable {
  struct Row: Equatable {
    var object: UInt16
    var metadata: UInt16?
  }

  var rows = [Row?](repeating: nil, count: ViewKeyspace.slotCount)
}

/// The views of the trial. The contents of a view are a function of the rows, because its sorting considers no two rows
/// equal.
enum ViewKind: String, CaseIterable {
  case byObject, byMetadata, byRow, byKey

  /// The view. Each variant has other closures and another version tag.
  func view(_ variant: Int) -> YapDatabaseView {
    var options = YapDatabaseView.Options()
    options.isPersistent = self != .byMetadata
    if self == .byRow {
      options.allowedCollections = variant == 0 ? .only(["", "e\u{301}"]) : .allBut([""])
      options.dependencies = [Self.byObject.rawValue]
    }
    return YapDatabaseView(
      grouping: grouping(variant),
      sorting: sorting(variant),
      versionTag: "\(variant)",
      options: options
    )
  }

  private func grouping(_ variant: Int) -> YapDatabaseViewGrouping {
    switch self {
    case .byObject:
      .withObjectBlock { _, _, _, object in
        Self.group(ofObject: ViewKeyspace.value(object) ?? 0, variant)
      }
    case .byMetadata:
      .withMetadataBlock { _, _, _, metadata in Self.group(ofMetadata: ViewKeyspace.value(metadata)) }
    case .byRow:
      .withRowBlock { _, _, _, object, metadata in
        Self.group(ofObject: ViewKeyspace.value(object) ?? 0, ViewKeyspace.value(metadata))
      }
    case .byKey: .withKeyBlock { _, collection, _ in collection }
    }
  }

  private func sorting(_ variant: Int) -> YapDatabaseViewSorting {
    let turned: @Sendable (ComparisonResult) -> ComparisonResult = { order in
      variant == 0 ? order : order == .orderedAscending ? .orderedDescending : .orderedAscending
    }
    return switch self {
    case .byObject:
      .withObjectBlock { _, _, collection1, key1, object1, collection2, key2, object2 in
        let order = ViewKeyspace.order(ViewKeyspace.value(object1) ?? 0, ViewKeyspace.value(object2) ?? 0)
        return turned(order == .orderedSame ? ViewKeyspace.order((collection1, key1), (collection2, key2)) : order)
      }
    case .byMetadata:
      .withMetadataBlock { _, _, collection1, key1, metadata1, collection2, key2, metadata2 in
        let order = ViewKeyspace.order(ViewKeyspace.value(metadata1) ?? 0, ViewKeyspace.value(metadata2) ?? 0)
        return turned(order == .orderedSame ? ViewKeyspace.order((collection1, key1), (collection2, key2)) : order)
      }
    case .byRow:
      .withRowBlock { _, _, collection1, key1, object1, metadata1, collection2, key2, object2, metadata2 in
        let left = (ViewKeyspace.value(object1) ?? 0) &+ (ViewKeyspace.value(metadata1) ?? 0)
        let right = (ViewKeyspace.value(object2) ?? 0) &+ (ViewKeyspace.value(metadata2) ?? 0)
        let order = ViewKeyspace.order(left, right)
        return turned(order == .orderedSame ? ViewKeyspace.order((collection1, key1), (collection2, key2)) : order)
      }
    case .byKey:
      .withKeyBlock { _, _, collection1, key1, collection2, key2 in
        turned(ViewKeyspace.order((collection1, key1), (collection2, key2)))
      }
    }
  }

  private static func group(ofObject value: UInt16, _ variant: Int) -> String? {
    value % 5 == 0 ? nil : "group \(value % (variant == 0 ? 3 : 2))"
  }

  private static func group(ofMetadata value: UInt16?) -> String? { value == nil ? nil : "with metadata" }

  /// The group, one of two names that are equal in Swift.
  private static func group(ofObject object: UInt16, _ metadata: UInt16?) -> String? {
    object % 4 == 0 ? nil : metadata == nil ? "\u{e9}" : "e\u{301}"
  }

  /// The expected contents of the view: the slots of each group, in order.
  func expected(_ rows: ViewRows, _ variant: Int) -> [ByteString: [Int]] {
    var groups: [ByteString: [(slot: Int, value: UInt16)]] = [:]
    for (slot, row) in rows.rows.enumerated() {
      guard let row, let group = group(of: row, slot, variant) else { continue }
      groups[ByteString(group), default: []].append((slot, value(of: row)))
    }
    return groups.mapValues { entries in
      entries.sorted { left, right in
        var order = ViewKeyspace.order(left.value, right.value)
        if order == .orderedSame { order = ViewKeyspace.order(Self.name(left.slot), Self.name(right.slot)) }
        return order == (variant == 0 ? .orderedAscending : .orderedDescending)
      }.map(\.slot)
    }
  }

  private func group(of row: ViewRows.Row, _ slot: Int, _ variant: Int) -> String? {
    let collection = ViewKeyspace.collection(of: slot)
    switch self {
    case .byObject: return Self.group(ofObject: row.object, variant)
    case .byMetadata: return Self.group(ofMetadata: row.metadata)
    case .byRow:
      let isFirst = collection.utf8.isEmpty
      let isThird = slot / ViewKeyspace.keysEach == 2
      guard variant == 0 ? isFirst || isThird : !isFirst else { return nil }
      return Self.group(ofObject: row.object, row.metadata)
    case .byKey: return collection
    }
  }

  private func value(of row: ViewRows.Row) -> UInt16 {
    switch self {
    case .byObject: row.object
    case .byMetadata: row.metadata ?? 0
    case .byRow: row.object &+ (row.metadata ?? 0)
    case .byKey: 0
    }
  }

  private static func name(_ slot: Int) -> (String, String) {
    (ViewKeyspace.collection(of: slot), ViewKeyspace.key(of: slot))
  }
}

/// The state of the trial at one snapshot.
struct ViewWorld {
  var rows = ViewRows()
  /// The registered views and their variants.
  var views: [ViewKind: Int] = [:]
}
