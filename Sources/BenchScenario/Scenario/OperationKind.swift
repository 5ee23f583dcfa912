/// A kind of operation that an actor performs. `Scalars.operations` has the names and meanings.
public enum OperationKind: Sendable, Hashable, CustomStringConvertible {
  case get, getMetadata, getRow, exists
  case multiGet(Int)
  /// Reads a number of rows that is drawn from this range each time.
  case scan(ClosedRange<Int>)
  case enumerate
  /// Reads one row of a view: at the index that the drawn row has while no row is missing.
  case viewAt
  /// Reads up to this number of rows of a view, from the index that the drawn row has while no row is missing.
  case viewRange(Int)
  /// Adds a row that was not loaded.
  case insert
  case set, setMetadata, replace, touch, remove
  case removeCollection
  case readModifyWrite
  /// Moves an amount between this number of drawn rows, so that the sum of their balances stays the same.
  case transfer(Int)
  case begin
  case empty
  /// Reads an object in a nested transaction on the connection with this name.
  case nestedRead(String)
  /// Writes an object in a nested read-write transaction on the connection with this name.
  case nestedWrite(String)

  /// The name in a report, which a scenario may write in other forms, such as `scan(1k)` for `scan(1000)`.
  public var description: String {
    switch self {
    case .multiGet(let count): "multiGet(\(count))"
    case .scan(let counts):
      counts.count == 1 ? "scan(\(counts.lowerBound))" : "scan(\(counts.lowerBound)..\(counts.upperBound))"
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

  /// Whether the operation begins a nested read-write transaction.
  public var writesInside: Bool {
    if case .nestedWrite = self { true } else { false }
  }

  /// Whether the actor's own transaction must be a read-write transaction.
  public var isWrite: Bool {
    switch self {
    case .insert, .set, .setMetadata, .replace, .touch, .remove, .removeCollection, .readModifyWrite, .transfer: true
    case .get, .getMetadata, .getRow, .exists, .multiGet, .scan, .enumerate, .viewAt, .viewRange, .begin, .empty,
      .nestedRead, .nestedWrite:
      false
    }
  }

  /// Whether the operation changes objects and may change the sum of the balances that `transfer` moves.
  var changesObjects: Bool {
    switch self {
    case .insert, .set, .replace, .remove, .removeCollection, .readModifyWrite, .nestedWrite: true
    case .get, .getMetadata, .getRow, .exists, .multiGet, .scan, .enumerate, .viewAt, .viewRange, .setMetadata, .touch,
      .transfer, .begin, .empty, .nestedRead:
      false
    }
  }

  /// The number of rows that are drawn for the operation.
  public var drawnRowCount: Int {
    switch self {
    case .multiGet(let count), .transfer(let count): count
    case .get, .getMetadata, .getRow, .exists, .scan, .viewAt, .viewRange, .set, .setMetadata, .replace, .touch,
      .remove, .readModifyWrite, .nestedRead, .nestedWrite:
      1
    case .enumerate, .insert, .removeCollection, .begin, .empty: 0
    }
  }

  /// The number of objects that are generated for the operation, which writes at most as many.
  public var writtenObjectCount: Int {
    switch self {
    case .insert, .set, .replace, .readModifyWrite, .nestedWrite: 1
    case .transfer(let count): count
    case .get, .getMetadata, .getRow, .exists, .multiGet, .scan, .enumerate, .viewAt, .viewRange, .setMetadata, .touch,
      .remove, .removeCollection, .begin, .empty, .nestedRead:
      0
    }
  }

  /// Whether the operation writes metadata if the collection has metadata.
  public var writesMetadata: Bool {
    switch self {
    case .insert, .set, .setMetadata, .readModifyWrite, .nestedWrite: true
    case .get, .getMetadata, .getRow, .exists, .multiGet, .scan, .enumerate, .viewAt, .viewRange, .replace, .touch,
      .remove, .removeCollection, .transfer, .begin, .empty, .nestedRead:
      false
    }
  }

  /// Whether the operation is a read of one row, so that the connection's caches have one outcome for it. `exists` is
  /// none, because the caches do not count it.
  public var hasCacheOutcome: Bool {
    switch self {
    case .get, .getMetadata, .getRow, .viewAt: true
    case .exists, .multiGet, .scan, .enumerate, .viewRange, .insert, .set, .setMetadata, .replace, .touch, .remove,
      .removeCollection, .readModifyWrite, .transfer, .begin, .empty, .nestedRead, .nestedWrite:
      false
    }
  }

  /// The numbers of rows among which the length of a scan is drawn; nil for any other operation.
  public var scanLengths: ClosedRange<Int>? {
    if case .scan(let counts) = self { counts } else { nil }
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

  /// Whether the operation uses a collection.
  public var needsCollection: Bool { self != .empty && self != .begin }

  /// Whether the operation may name a collection other than the actor's.
  var mayNameCollection: Bool { needsCollection && !readsView && nestedConnection == nil }
}

/// An operation and its weight: its frequency relative to the other operations of its actor.
public struct OperationWeight: Sendable, Equatable {
  public var kind: OperationKind
  /// The collection that the operation names; nil if it uses the actor's.
  public var collection: String?
  public var weight: Int

  public init(_ kind: OperationKind, in collection: String? = nil, weight: Int) {
    self.kind = kind
    self.collection = collection
    self.weight = weight
  }

  /// The name in expectations and reports, such as `get`, or `threads.touch` if the operation names its collection.
  public var name: String { Self.name(of: kind, in: collection) }

  static func name(of kind: OperationKind, in collection: String?) -> String {
    (collection.map { $0 + "." } ?? "") + kind.description
  }
}
