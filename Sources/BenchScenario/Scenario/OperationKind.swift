/// A kind of operation that an actor performs: a verb with its argument.
public struct OperationKind: Sendable, Hashable, CustomStringConvertible {
  public let verb: OperationVerb
  /// The number of rows that the operation reads or writes, which is drawn from this range each time; nil for a verb
  /// without such an argument.
  private let counts: ClosedRange<Int>?
  /// The connection of the nested transaction; nil for an operation without one.
  public let nestedConnection: String?

  public init(_ verb: OperationVerb, _ counts: ClosedRange<Int>? = nil, on connection: String? = nil) {
    (self.verb, self.counts, nestedConnection) = (verb, counts, connection)
  }

  public init(_ verb: OperationVerb, _ count: Int) { self.init(verb, count...count) }

  /// The name in a report, which a scenario may write in other forms, such as `scan(1k)` for `scan(1000)`.
  public var description: String {
    let argument = counts?.text ?? nestedConnection
    return verb.rawValue + (argument.map { "(\($0))" } ?? "")
  }

  /// The argument of `multiGet`, `transfer` and `viewRange`, and the longest scan; 1 for any other operation.
  public var rowCount: Int { counts?.upperBound ?? 1 }

  /// The number of rows that are drawn for the operation.
  public var drawnRowCount: Int {
    switch verb.traits.draws {
    case .nothing: 0
    case .row: 1
    case .rows: rowCount
    }
  }

  /// The number of objects that are generated for the operation, which writes at most as many.
  public var writtenObjectCount: Int {
    switch verb.traits.writes {
    case .nothing, .metadata: 0
    case .object, .row: max(drawnRowCount, 1)
    }
  }

  /// The number of rows that the operation writes or removes, as far as it is known before the operation.
  public var changedRowCount: Int {
    switch verb.traits.writes {
    case .nothing: verb.traits.removes ? drawnRowCount : 0
    case .object, .metadata, .row: max(drawnRowCount, 1)
    }
  }

  /// The numbers of rows among which the length of a scan is drawn; nil for any other operation.
  public var scanLengths: ClosedRange<Int>? { verb == .scan ? counts : nil }
}

/// An operation and its weight: its frequency relative to the other operations of its actor.
public struct OperationWeight: Sendable, Equatable {
  public var kind: OperationKind
  /// The collection that the operation names; nil if it uses the actor's.
  public var collection: String?
  public var weight: Int
  /// The distribution of the operation's rows; nil if it is the actor's.
  public var keys: KeyDistribution?

  public init(_ kind: OperationKind, in collection: String? = nil, weight: Int, keys: KeyDistribution? = nil) {
    (self.kind, self.collection, self.weight, self.keys) = (kind, collection, weight, keys)
  }

  /// - Parameter verb: a verb without an argument.
  public init(_ verb: OperationVerb, in collection: String? = nil, weight: Int) {
    self.init(OperationKind(verb), in: collection, weight: weight)
  }

  /// The name in expectations and reports, such as `get`, or `threads.touch` if the operation names its collection.
  public var name: String { Self.name(of: kind, in: collection) }

  static func name(of kind: OperationKind, in collection: String?) -> String {
    (collection.map { $0 + "." } ?? "") + kind.description
  }
}
