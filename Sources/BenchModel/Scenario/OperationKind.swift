/// One kind of operation inside a transaction.
public enum OperationKind: Sendable, Hashable, CustomStringConvertible {
  case get, getMetadata, getRow, exists
  /// Reads that many keys at once.
  case multiGet(Int)
  case enumerate
  case set, setMetadata, replace, touch, remove
  case readModifyWrite
  /// An empty transaction: what a begin and an end cost.
  case empty

  /// The name as a scenario writes it and a report shows it.
  public var description: String {
    if case .multiGet(let keys) = self { return "multiGet(\(keys))" }
    return OperationScalar.plain.first { $0.value == self }?.key ?? ""
  }

  public var isWrite: Bool {
    switch self {
    case .set, .setMetadata, .replace, .touch, .remove, .readModifyWrite: true
    case .get, .getMetadata, .getRow, .exists, .multiGet, .enumerate, .empty: false
    }
  }

  /// Whether it needs a collection to work on.
  public var needsCollection: Bool { self != .empty }
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
