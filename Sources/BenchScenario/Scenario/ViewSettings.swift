/// A view: the rows of a collection in groups, each in an order. It is registered before the dataset is loaded, or by
/// an event.
public struct ViewSettings: Sendable, Equatable, Codable {
  public var name: String
  public var collection: String
  public var group = ViewGroup.all
  public var sort = ViewSort.row
}

/// The rule that assigns the rows of a view to groups.
public enum ViewGroup: Sendable, Equatable, Codable {
  /// One group for all rows.
  case all
  /// This many groups: a row's group is the remainder of its number divided by the count.
  case bucket(Int)

  public var count: Int {
    switch self {
    case .all: 1
    case .bucket(let count): count
    }
  }

  /// Returns the name of the group to which a row belongs.
  public func name(ofRow row: Int) -> String { String(row % count) }
}

/// The field by which the rows of a group are sorted. Rows with equal fields are sorted by their numbers.
public enum ViewSort: String, CaseIterable, Sendable, ScenarioWord, Codable {
  /// The number of the row, which never changes.
  case row
  /// The commit that wrote the row's object last: each write moves the row to the end.
  case commit
  /// The size in bytes of the generated value that the object contains.
  case size

  static let noun = "a field to sort by"
}

/// The fields of a generated value by which views sort its row.
public struct GeneratedFields: Sendable, Equatable {
  public var row: Int
  public var commit: UInt64
  public var size: Int

  /// Reads the fields of a value; nil if it is too short for a header.
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

  /// Whether a row with these fields precedes a row with `other` in a view of this order.
  public func isBefore(_ other: GeneratedFields, by sort: ViewSort) -> Bool {
    switch sort {
    case .row: row < other.row
    case .commit: (commit, row) < (other.commit, other.row)
    case .size: (size, row) < (other.size, other.row)
    }
  }
}

// MARK: Keys

extension ScenarioGrammar {
  static let view = Section(
    "a view",
    like: "{name: latest, collection: messages, sort: commit}",
    blank: ViewSettings(name: "", collection: "")
  ) {
    Key("name", .name, in: \.name).required.means("The name of the view.")
    Key("collection", .name, in: \.collection).required.means("The collection whose rows the view contains.")
    Key("group", Form(Scalars.viewGroup, text: { $0.text }), in: \.group).means("The rule that assigns rows to groups.")
    Key("sort", .word, in: \.sort)
      .means(
        "The field by which the rows of a group are sorted: the number of the row, the commit that wrote it, or "
          + "its size."
      )
  }
}
