/// A view: the rows of a collection in groups, each in an order. It is registered before the dataset is loaded, or by
/// an event.
public struct ViewSettings: Sendable, Equatable, Codable {
  public var name: String
  public var collection: String
  public var group: ViewGroup
  public var sort: ViewSort

  public init(name: String, collection: String, group: ViewGroup = .all, sort: ViewSort = .row) {
    self.name = name
    self.collection = collection
    self.group = group
    self.sort = sort
  }
}

/// Which group of a view a row belongs to.
public enum ViewGroup: Sendable, Equatable, Codable {
  /// One group for all.
  case all
  /// By the row's number, divided by that many: what remains.
  case bucket(Int)

  public var count: Int {
    switch self {
    case .all: 1
    case .bucket(let count): count
    }
  }

  /// The name of a row's group.
  public func name(ofRow row: Int) -> String { String(row % count) }
}

/// By which generated field of its object a row has its place; rows that are the same by it are in their own order.
public enum ViewSort: String, CaseIterable, Sendable, ScenarioWord, Codable {
  /// The number of the row, which never changes.
  case row
  /// The commit that wrote it: each write moves the row to the end.
  case commit
  /// How many bytes it has.
  case size

  static let noun = "a field to sort by"
}

/// The fields that every generated value carries, and views are made over.
public struct GeneratedFields: Sendable, Equatable {
  public var row: Int
  public var commit: UInt64
  public var size: Int

  /// - Returns: nil for what has no header.
  public init?(_ value: [UInt8]) {
    guard value.count >= ValueShape.headerBytes else { return nil }
    (commit, row) = value.withUnsafeBytes { bytes in
      (
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
        Int(truncatingIfNeeded: UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
      )
    }
    size = value.count
  }

  /// Whether it comes before another one in a view of this order.
  public func isBefore(_ other: GeneratedFields, by sort: ViewSort) -> Bool {
    switch sort {
    case .row: row < other.row
    case .commit: (commit, row) < (other.commit, other.row)
    case .size: (size, row) < (other.size, other.row)
    }
  }
}
