/// The kind of transaction that an actor opens.
public enum TransactionKind: String, CaseIterable, Sendable, ScenarioWord {
  case read, readWrite

  static let noun = "a kind of transaction"
}

/// The call by which a transaction runs. Times of asynchronous calls include the switch to a thread of the engine.
public enum TransactionCall: String, CaseIterable, Sendable, ScenarioWord {
  /// Runs on the worker's own thread.
  case sync
  /// Runs on a thread of the engine; the worker waits for the end.
  case async

  static let noun = "a way to call a transaction"
}

/// The lifetime of an actor's connection.
public enum ConnectionLifetime: String, CaseIterable, Sendable, ScenarioWord {
  case kept
  /// Opened for each transaction and closed after it, which is part of the transaction's time.
  case perTransaction

  static let noun = "a connection's lifetime"
}

/// A group of workers with one load: their operations, their connections and their rate.
public struct ActorSettings: Sendable, Equatable {
  public var name: String
  /// The names of connections, which its workers take in turn.
  public var connections: [String]
  public var connectionLifetime = ConnectionLifetime.kept
  /// The number of workers, which take arrivals from one schedule.
  public var threads = 1
  public var operations: [OperationWeight]
  public var transactionKind: TransactionKind
  public var transactionCall = TransactionCall.sync
  /// The number of operations of one transaction, drawn uniformly for each.
  public var operationsPerTransaction: ClosedRange<Int> = 1...1
  public var snapshot = SnapshotMode.latest
  /// The collection that it works on; nil only if no operation needs one.
  public var collection: String?
  /// The view that it reads; nil if no operation reads a view.
  public var view: String?
  public var keys = KeyDistribution.uniform
  public var load = LoadModel.closed(thinkNanoseconds: 0)
  /// The longest wait of an arrival of an open load; one that waits longer is dropped, and counted.
  public var deadlineNanoseconds: UInt64?

  /// Whether it may change data.
  public var writes: Bool { transactionKind == .readWrite }

  /// Whether other transactions begin inside of its own, which the engine may refuse.
  public var nests: Bool { operations.contains { $0.kind.nestedConnection != nil } }

  /// The connections that it writes on inside of its own transactions.
  public var connectionsWrittenInside: [String] {
    operations.map(\.kind).filter(\.writesInside).compactMap(\.nestedConnection)
  }

  public var transfers: Bool { operations.contains(where: \.kind.isTransfer) }

  /// Whether one of its transactions may write the objects of more than one key.
  var writesSeveralKeys: Bool {
    transfers
      || operationsPerTransaction.upperBound > 1
        && operations.contains { [.set, .replace, .readModifyWrite].contains($0.kind) }
  }
}

/// The law by which an actor picks keys of a collection. `Scalars.keyDistributions` has the words.
public enum KeyDistribution: Sendable, Equatable {
  case sequential
  case uniform
  case zipfian(theta: Double)
  case scrambledZipfian
  case latest
  /// Both are fractions of 1.
  case hotspot(dataShare: Double, operationShare: Double)
  /// The fraction of the keys that gets `percentile` of the operations; both are fractions of 1.
  case exponential(percentile: Double, fraction: Double)
}

/// The snapshot that an actor reads.
public enum SnapshotMode: Sendable, Equatable {
  /// The newest snapshot at the start of each transaction.
  case latest
  /// A snapshot that stays until the actor moves it.
  case longLived(SnapshotMove)

  public var isLongLived: Bool { self != .latest }

  /// Whether it takes the connections of a pool in turn, so that the actor needs the pool for itself.
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
  /// A fixed number of commits late: the pool has one connection more. At each commit the next connection moves, and
  /// the actor reads on the one that moved longest ago.
  case behind(commits: Int)
  /// Once, at a time of the phase.
  case after(nanoseconds: UInt64)
  case never
}
