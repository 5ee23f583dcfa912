/// What kind of transaction an actor opens.
public enum TransactionKind: String, CaseIterable, Sendable, ScenarioWord {
  case read, readWrite

  static let noun = "a kind of transaction"
}

/// How a transaction is called. Only what a thread waits for is measured without the cooperative pool in between.
public enum TransactionCall: String, CaseIterable, Sendable, ScenarioWord {
  /// On the worker's own thread.
  case sync
  /// On a thread of the engine's; the worker waits until it is told of the end.
  case async

  static let noun = "a way to call a transaction"
}

/// How long an actor's connection lives.
public enum ConnectionLifetime: String, CaseIterable, Sendable, ScenarioWord {
  case kept
  /// Opened for each transaction and closed behind it, which is part of the transaction's time.
  case perTransaction

  static let noun = "a connection's lifetime"
}

/// Somebody who uses the engine: what is done, on which connection, how often.
public struct ActorSettings: Sendable, Equatable {
  public var name: String
  /// Names of connections, which its workers take in turn.
  public var connections: [String]
  public var connectionLifetime = ConnectionLifetime.kept
  /// Workers that take arrivals from one schedule.
  public var threads: Int
  public var operations: [OperationWeight]
  public var transactionKind: TransactionKind
  public var transactionCall = TransactionCall.sync
  /// Operations of one transaction, drawn uniformly for each.
  public var operationsPerTransaction: ClosedRange<Int>
  public var snapshot: SnapshotMode
  /// Where it works; `nil` only where every operation is `empty`.
  public var collection: String?
  /// The view that it reads, if it reads one.
  public var view: String?
  public var keys: KeyDistribution
  public var load: LoadModel
  /// For an open load: an arrival that waits longer is dropped, and counted.
  public var deadlineNanoseconds: UInt64?

  public init(
    name: String,
    connections: [String],
    threads: Int = 1,
    operations: [OperationWeight],
    transactionKind: TransactionKind,
    operationsPerTransaction: ClosedRange<Int> = 1...1,
    snapshot: SnapshotMode = .latest,
    collection: String? = nil,
    keys: KeyDistribution = .uniform,
    load: LoadModel = .closed(thinkNanoseconds: 0),
    deadlineNanoseconds: UInt64? = nil
  ) {
    self.name = name
    self.connections = connections
    self.threads = threads
    self.operations = operations
    self.transactionKind = transactionKind
    self.operationsPerTransaction = operationsPerTransaction
    self.snapshot = snapshot
    self.collection = collection
    self.keys = keys
    self.load = load
    self.deadlineNanoseconds = deadlineNanoseconds
  }

  /// Whether it may change data.
  public var writes: Bool { transactionKind == .readWrite }

  /// Whether transactions begin inside of its own, which the engine may refuse.
  public var nests: Bool { operations.contains { $0.kind.nestedConnection != nil } }

  /// The connections that it writes on inside of its own transactions.
  public var connectionsWrittenInside: [String] {
    operations.map(\.kind).filter(\.writesInside).compactMap(\.nestedConnection)
  }
}
