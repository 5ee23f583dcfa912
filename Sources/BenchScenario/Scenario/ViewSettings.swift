/// A view: the rows of a collection in groups, each in an order. It is registered before the dataset is loaded, or by
/// an event.
public struct ViewSettings: Sendable, Equatable, Codable {
  public var name: String
  public var collection: String
  public var group = ViewGroup.all
  public var sort = ViewSort.row
}

/// The rule by which a row belongs to a group of a view.
public enum ViewGroup: Sendable, Equatable, Codable {
  /// One group for all.
  case all
  /// The remainder of the row's number divided by this count.
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

/// The generated field of its object by which a row is sorted. Rows with equal fields are sorted by their numbers.
public enum ViewSort: String, CaseIterable, Sendable, ScenarioWord, Codable {
  /// The number of the row, which never changes.
  case row
  /// The commit that wrote the row: each write moves it to the end.
  case commit
  /// Its size in bytes.
  case size

  static let noun = "a field to sort by"
}

/// The fields that every generated value carries, and that views sort by.
public struct GeneratedFields: Sendable, Equatable {
  public var row: Int
  public var commit: UInt64
  public var size: Int

  /// - Returns: nil for a value without a header.
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

  /// Whether it is before another one in a view of this order.
  public func isBefore(_ other: GeneratedFields, by sort: ViewSort) -> Bool {
    switch sort {
    case .row: row < other.row
    case .commit: (commit, row) < (other.commit, other.row)
    case .size: (size, row) < (other.size, other.row)
    }
  }
}
