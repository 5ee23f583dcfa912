/// One kind of operation inside a transaction. `Scalars.operations` has its name and meaning.
public enum OperationKind: Sendable, Hashable, CustomStringConvertible {
  case get, getMetadata, getRow, exists
  case multiGet(Int)
  case scan(Int)
  case enumerate
  /// Reads the row of a view at the index of a drawn row.
  case viewAt
  /// Reads rows of a view from such an index on.
  case viewRange(Int)
  case set, setMetadata, replace, touch, remove
  case removeCollection
  case readModifyWrite
  /// The argument is the number of rows in all; the sum of their balances stays.
  case transfer(Int)
  case begin
  case empty
  /// Reads a row in a transaction on the connection of that name, inside of the current transaction.
  case nestedRead(String)
  /// The same with a read-write transaction, which writes the row.
  case nestedWrite(String)

  /// The name in a scenario and in a report.
  public var description: String {
    switch self {
    case .multiGet(let count): "multiGet(\(count))"
    case .scan(let count): "scan(\(count))"
    case .viewRange(let count): "viewRange(\(count))"
    case .transfer(let count): "transfer(\(count))"
    case .nestedRead(let connection): "nestedRead(\(connection))"
    case .nestedWrite(let connection): "nestedWrite(\(connection))"
    default: Scalars.operations.name(of: self) ?? ""
    }
  }

  /// The connection of the nested transaction; nil for an operation without one.
  public var nestedConnection: String? {
    switch self {
    case .nestedRead(let connection), .nestedWrite(let connection): connection
    default: nil
    }
  }

  /// Whether the nested transaction writes.
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

  /// Whether it changes objects without keeping the sum of the balances that `transfer` moves.
  var changesObjects: Bool {
    switch self {
    case .set, .replace, .remove, .removeCollection, .readModifyWrite, .nestedWrite: true
    case .get, .getMetadata, .getRow, .exists, .multiGet, .scan, .enumerate, .viewAt, .viewRange, .setMetadata, .touch,
      .transfer, .begin, .empty, .nestedRead:
      false
    }
  }

  /// The number of rows that are drawn for it.
  public var drawnRowCount: Int {
    switch self {
    case .multiGet(let count), .transfer(let count): count
    case .get, .getMetadata, .getRow, .exists, .scan, .viewAt, .viewRange, .set, .setMetadata, .replace, .touch,
      .remove, .readModifyWrite, .nestedRead, .nestedWrite:
      1
    case .enumerate, .removeCollection, .begin, .empty: 0
    }
  }

  /// The number of objects that it writes.
  public var writtenObjectCount: Int {
    switch self {
    case .set, .replace, .readModifyWrite, .nestedWrite: 1
    case .transfer(let count): count
    case .get, .getMetadata, .getRow, .exists, .multiGet, .scan, .enumerate, .viewAt, .viewRange, .setMetadata, .touch,
      .remove, .removeCollection, .begin, .empty, .nestedRead:
      0
    }
  }

  /// Whether it writes metadata, if the collection has some.
  public var writesMetadata: Bool {
    switch self {
    case .set, .setMetadata, .readModifyWrite, .nestedWrite: true
    case .get, .getMetadata, .getRow, .exists, .multiGet, .scan, .enumerate, .viewAt, .viewRange, .replace, .touch,
      .remove, .removeCollection, .transfer, .begin, .empty, .nestedRead:
      false
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
