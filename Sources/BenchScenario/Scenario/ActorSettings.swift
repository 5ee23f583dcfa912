/// The kind of transaction that an actor opens.
public enum TransactionKind: String, CaseIterable, Sendable, ScenarioWord {
  case read, readWrite

  static let noun = "a kind of transaction"
}

/// The driver's call by which a worker runs a transaction. The worker waits for the end of either call.
public enum TransactionCall: String, CaseIterable, Sendable, ScenarioWord {
  /// The engine's synchronous call.
  case sync
  /// The engine's asynchronous call; its time includes the switch to another thread if the engine makes one.
  case async

  static let noun = "a way to call a transaction"
}

/// The lifetime of an actor's connection.
public enum ConnectionLifetime: String, CaseIterable, Sendable, ScenarioWord {
  case kept
  /// Opened for each transaction and closed after it; the transaction's time includes both.
  case perTransaction

  static let noun = "a connection's lifetime"
}

/// A group of workers with the same operations, connections and load.
public struct ActorSettings: Sendable, Equatable {
  public var name: String
  /// The names of connections or pools. Each worker uses their connections in turn.
  public var connections: [String]
  public var connectionLifetime = ConnectionLifetime.kept
  /// The number of workers. With an open load, they take arrivals from one schedule.
  public var threads = 1
  public var operations: [OperationWeight]
  public var transactionKind: TransactionKind
  public var transactionCall = TransactionCall.sync
  /// The number of operations of one transaction, drawn uniformly for each.
  public var operationsPerTransaction: ClosedRange<Int> = 1...1
  /// Whether each transaction performs every operation as often as its weight, in the order of `operations`. The number
  /// of operations is then the sum of the weights.
  public var performsEach = false
  public var snapshot = SnapshotMode.latest
  /// After each move of its long-lived snapshot, the actor reads the rows of its collection that the commits in between
  /// have changed, at most this many; nil if it does not react to changes.
  public var reactingRows: Int?
  /// The collection of the operations that name none; nil only if none of these needs one.
  public var collection: String?
  /// The view that the operations read; nil if none reads a view.
  public var view: String?
  public var keys = KeyDistribution.uniform
  public var load = LoadModel.closed(thinkNanoseconds: 0)
  /// The longest wait of an arrival of an open load; one that waits longer is dropped. nil if none is dropped.
  public var deadlineNanoseconds: UInt64?

  /// Whether its own transactions are read-write transactions.
  public var writes: Bool { transactionKind == .readWrite }

  /// Whether its transactions begin nested transactions, which the engine may refuse.
  public var nests: Bool { operations.contains { $0.kind.nestedConnection != nil } }

  /// The connections of its nested read-write transactions.
  public var connectionsWrittenInside: [String] {
    operations.map(\.kind).filter(\.writesInside).compactMap(\.nestedConnection)
  }

  public var transfers: Bool { operations.contains(where: \.kind.isTransfer) }

  /// Returns the collection that an operation uses; nil if it uses none.
  public func collection(of operation: OperationWeight) -> String? {
    operation.kind.needsCollection ? operation.collection ?? collection : nil
  }

  /// The collections that its operations use and in which it reacts to changes, each once.
  public var collections: [String] {
    let used = operations.compactMap(collection(of:)) + (reactingRows == nil ? [] : [collection].compactMap { $0 })
    return used.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// Whether one of its transactions may write the objects of more than one key.
  var writesSeveralKeys: Bool {
    transfers
      || operationsPerTransaction.upperBound > 1
        && operations.contains { [.insert, .set, .replace, .readModifyWrite].contains($0.kind) }
  }
}

/// The distribution by which an actor draws rows of a collection. `Scalars.keyDistributions` has the words.
///
/// As in YCSB, `scrambledZipfian`, `latest` and `exponential` draw inserted rows too, and the others loaded rows only.
public enum KeyDistribution: Sendable, Equatable {
  case sequential
  case uniform
  case zipfian(theta: Double)
  case scrambledZipfian
  case latest
  /// The first `dataShare` of the rows gets `operationShare` of the operations; both are fractions of 1.
  case hotspot(dataShare: Double, operationShare: Double)
  /// Without the cut after the oldest row, the newest rows would get `percentile` of the operations. The number of
  /// these rows is `fraction` of the number of loaded rows. Both are fractions of 1.
  case exponential(percentile: Double, fraction: Double)
}

/// The snapshot that an actor reads.
public enum SnapshotMode: Sendable, Equatable {
  /// The newest snapshot at the start of each transaction.
  case latest
  /// A snapshot that stays until the actor or an event moves it.
  case longLived(SnapshotMove)

  public var isLongLived: Bool { self != .latest }

  /// Whether the actor moves the connections of a pool in turn, so that it needs the pool for itself.
  var isBehind: Bool {
    if case .longLived(.behind) = self { true } else { false }
  }

  /// Whether the actor itself moves the snapshot while a phase runs, which is timed as the operation `advance`.
  public var movesByItself: Bool {
    switch self {
    case .latest, .longLived(.never): false
    case .longLived(.onNotification), .longLived(.every), .longLived(.behind), .longLived(.after): true
    }
  }
}

/// The rule by which a long-lived snapshot moves to the newest commit. `Scalars.snapshotMoves` has the words.
public enum SnapshotMove: Sendable, Equatable {
  case onNotification
  case every(nanoseconds: UInt64)
  /// At each commit, the connection of the pool that moved longest ago moves. The actor reads on the one that moves
  /// next, which is about this number of commits late. The pool has one connection more than this number.
  case behind(commits: Int)
  /// Once, at a time counted from the start of the phase.
  case after(nanoseconds: UInt64)
  case never
}
