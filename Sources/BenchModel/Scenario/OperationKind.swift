/// One kind of operation inside a transaction.
public enum OperationKind: Sendable, Hashable, CustomStringConvertible {
  case get, getMetadata, getRow, exists
  /// Reads that many keys at once.
  case multiGet(Int)
  /// Reads the rows of so many keys that follow one another in the keys' order.
  case scan(Int)
  case enumerate
  /// Reads the row at one place of a view; the place is that of a row that is drawn.
  case viewAt
  /// Reads so many rows of a view from such a place on.
  case viewRange(Int)
  case set, setMetadata, replace, touch, remove
  case removeCollection
  case readModifyWrite
  /// Moves a part of the balance of one row to others, so many rows in all: their sum stays.
  case transfer(Int)
  /// Begins the long-lived read anew, on the newest snapshot.
  case begin
  /// An empty transaction: what a begin and an end cost.
  case empty
  /// Reads a row in a transaction of the connection of that name, which begins inside of the one at hand.
  case nestedRead(String)
  /// The same with a read-write transaction, which writes the row.
  case nestedWrite(String)

  /// The name as a scenario writes it and a report shows it.
  public var description: String {
    for (word, counted) in OperationScalar.counted {
      if let count, counted(count) == self { return "\(word)(\(count))" }
    }
    for (word, nested) in OperationScalar.nested {
      if let nestedConnection, nested(nestedConnection) == self { return "\(word)(\(nestedConnection))" }
    }
    return OperationScalar.plain.first { $0.value == self }?.key ?? ""
  }

  /// What stands in its parentheses.
  private var count: Int? {
    switch self {
    case .multiGet(let count), .scan(let count), .transfer(let count), .viewRange(let count): count
    default: nil
    }
  }

  /// The connection of the transaction that begins inside of the one at hand; nil where none does.
  public var nestedConnection: String? {
    switch self {
    case .nestedRead(let connection), .nestedWrite(let connection): connection
    default: nil
    }
  }

  /// Whether the transaction inside of the one at hand writes.
  public var writesInside: Bool {
    if case .nestedWrite = self { true } else { false }
  }

  /// Whether it needs a transaction that may write.
  public var isWrite: Bool {
    switch self {
    case .set, .setMetadata, .replace, .touch, .remove, .removeCollection, .readModifyWrite, .transfer: true
    case .get, .getMetadata, .getRow, .exists, .multiGet, .scan, .enumerate, .viewAt, .viewRange, .begin, .empty,
      .nestedRead, .nestedWrite:
      false
    }
  }

  /// Whether it changes objects, and with them the balances that `transfer` moves.
  var changesObjects: Bool {
    switch self {
    case .set, .replace, .remove, .removeCollection, .readModifyWrite, .nestedWrite: true
    default: false
    }
  }

  public var readsView: Bool {
    switch self {
    case .viewAt, .viewRange: true
    default: false
    }
  }

  public var isTransfer: Bool {
    if case .transfer = self { true } else { false }
  }

  /// Whether it needs a collection to work on.
  public var needsCollection: Bool { self != .empty && self != .begin }
}

/// An operation and how often it is drawn, relative to the others of its actor.
public struct OperationWeight: Sendable, Equatable {
  public var kind: OperationKind
  public var weight: Int

  public init(_ kind: OperationKind, weight: Int) {
    self.kind = kind
    self.weight = weight
  }
}
