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
  /// The distribution of the operations that state none of their own.
  public var keys = KeyDistribution.uniform
  public var load = LoadModel.closed(thinkNanoseconds: 0)
  /// The longest wait of an arrival of an open load; one that waits longer is dropped. nil if none is dropped.
  public var deadlineNanoseconds: UInt64?
  /// The number of operations, of all its workers, after which its work in a phase ends; nil for no limit.
  public var operationCount: Int?

  /// Whether its own transactions are read-write transactions.
  public var writes: Bool { transactionKind == .readWrite }

  /// Whether its transactions begin nested transactions, which the engine may refuse.
  public var nests: Bool { operations.contains { $0.kind.nestedConnection != nil } }

  /// The connections of its nested read-write transactions.
  public var connectionsWrittenInside: [String] {
    operations.map(\.kind).filter(\.verb.writesInside).compactMap(\.nestedConnection)
  }

  public var transfers: Bool { operations.contains { $0.kind.verb == .transfer } }

  /// Returns the collection that an operation uses; nil if it uses none.
  public func collection(of operation: OperationWeight) -> String? {
    operation.kind.verb.needsCollection ? operation.collection ?? collection : nil
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
        && operations.contains { $0.kind.verb.isWrite && $0.kind.writtenObjectCount > 0 }
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

// MARK: Keys

extension ScenarioGrammar {
  static let actor = Section(
    "an actor",
    blank: ActorSettings(name: "", connections: [], operations: [], transactionKind: .read),
    notes: ScenarioNotes.actor
  ) {
    Key("connection", connections, in: \.connections).required
      .means(
        "The connection or pool to use, or several. A worker takes the next connection for each transaction; the first "
          + "one of each worker is another. Workers that share a connection queue for it."
      )
    Key("threads", .integer(1...1024), in: \.threads)
      .means("The number of workers. With an open load, they take arrivals from one schedule.")
    Key("operations", weights, in: \.weights).required
      .means("The operations, each with its weight or with a mapping of its weight and its keys.")
    Key("transaction", .section(transaction), in: \.transaction).means("The kind and size of the actor's transactions.")
    Key("snapshot", snapshotForm, in: \.snapshotChoice)
      .means("The snapshot to read: the newest at the start of each transaction (`latest`), or a long-lived one.")
    Key("connectionLifetime", .word, in: \.connectionLifetime)
      .means("Whether the connection is kept, or is opened for each transaction and closed after it.")
    Key("collection", .name, in: \.collection)
      .means(
        "The collection to work on. Every operation except `empty` and `begin` needs one, unless it names its own."
      )
    Key("view", .name, in: \.view).means("The view to read. Without this key, the only view of the collection is read.")
    Key("keys", keyDistribution, in: \.keys)
      .means("The distribution from which rows are drawn, for all operations that state none of their own.")
    Key("load", loadForm, in: \.load)
      .means(
        "The schedule of transactions: each after the end of the previous one (`closed`), or at given times or "
          + "rates."
      )
    Key("deadline", .duration, in: \.deadlineNanoseconds)
      .means(
        "For open loads: the maximum wait of an arrival. An arrival that waits longer is dropped and counted in "
          + "`harness.dropped`."
      )
    Key("operationCount", .count, in: \.operationCount)
      .means(
        "The number of operations, of all its threads together, after which the actor's work in a phase ends. See "
          + "[the ends of phases](#phase)."
      )
  }

  /// One name, or a list of names. The decoder reports a name that is listed twice.
  private static let connections = Form<[String]>(
    kind: .nameOrNames,
    read: { node, context in
      if node.elements?.isEmpty ?? false {
        context.log.report("expected \(ValueKind.nameOrNames.expectation), found an empty one", at: node.location)
      }
      let expected = Scalars.connectionName.description.expectation
      return (node.elements ?? [node]).compactMap {
        context.log.parse($0, expected: expected, by: Scalars.name.parse)
      }
    },
    node: { (names) throws(ScalarProblem) in
      names.count == 1 ? .text(names[0]) : .list(names.map(YAMLNode.text))
    }
  )

  private static let keyDistribution = Form(Scalars.keyDistribution, text: { $0.text })

  /// The value of an operation of an actor, unless it is the weight alone.
  static let operation = Section("an operation of an actor", blank: OperationWeight(.empty, weight: 1)) {
    Key("weight", Form(Scalars.weight, text: { "\($0)" }), in: \.weight).required
      .means("The frequency relative to the other operations of the actor, from 1 to 1000000.")
    Key("keys", keyDistribution, in: \.keys)
      .means("The distribution from which the operation's rows are drawn; by default the `keys` of the actor.")
  }

  /// A mapping of operations to weights. The decoder reports an operation that is listed twice.
  private static let weights = Form<[OperationWeight]>(
    kind: .weights(operation.grammar),
    read: { node, context in
      let pairs = context.log.pairs(of: node, expected: ValueKind.weights(operation.grammar).expectation)
      return pairs?.compactMap { pair in
        let name = context.log.parse(pair.key, at: pair.keyLocation, by: Scalars.operation)
        let value = weighted(pair.value, context)
        return name.map { OperationWeight($0.kind, in: $0.collection, weight: value.weight, keys: value.keys) }
      }
    },
    node: { (operations) throws(ScalarProblem) in
      var mapping = WrittenMapping()
      for written in operations {
        mapping.add(written.name, written.keys == nil ? .text("\(written.weight)") : try operation.node(of: written))
      }
      return mapping.node()
    }
  )

  /// Reads a weight, or a mapping of an operation's keys.
  private static func weighted(_ node: YAMLNode, _ context: ReadingContext) -> OperationWeight {
    if node.pairs != nil { return operation.read(node, context)?.value ?? operation.blank }
    let expected = "a weight such as 95, or a mapping such as {weight: 95, keys: latest}"
    let weight = context.log.parse(node, expected: expected, by: Scalars.weight.parse)
    return OperationWeight(.empty, weight: weight ?? 1)
  }

  static let transaction = Section("a transaction", blank: TransactionChoice()) {
    Key("kind", .word, in: \.kind)
      .means("The kind; by default `readWrite` if an operation other than `nestedWrite` writes, otherwise `read`.")
    Key("operations", Form(Scalars.transactionSize, text: { $0.text }), in: \.size)
      .means(
        "The number of operations, drawn for each transaction. With `each`, every transaction performs all "
          + "operations of the actor, each as often as its weight, in the order of the file."
      )
    Key("api", .word, in: \.call).means("Whether the engine's synchronous or asynchronous calls are used.")
  }

  private static let snapshot = Section("a snapshot", blank: LongLivedSnapshot(move: .never)) {
    Key("longLived", Form(Scalars.snapshotMove, text: { $0.text }), in: \.move).required
      .means("The rule by which the snapshot moves to the newest commit.")
    Key("react", Form(Scalars.reaction, text: { $0 == .max ? "all" : "\($0)" }), in: \.reactingRows)
      .means(
        "After each move, the rows of the actor's collection that the commits in between have changed are read "
          + "again, at most this many. Timed as `notification.toRead`. Needs `longLived: onNotification` or `every`."
      )
  }

  /// A word, or a long-lived snapshot. The value is nil for the newest snapshot.
  private static let snapshotForm = Form<LongLivedSnapshot?>(
    kind: .wordOrMapping(["latest"], snapshot.grammar),
    read: { node, context in
      if node.pairs != nil { return snapshot.read(node, context).map { .some($0.value) } }
      let expected = ValueKind.wordOrMapping(["latest"], snapshot.grammar).expectation
      func latest(_ text: String) throws(ScalarProblem) -> LongLivedSnapshot? {
        guard text == "latest" else { throw ScalarProblem(expected: expected, found: text) }
        return nil
      }
      return context.log.parse(node, expected: expected, by: latest)
    },
    node: { (snapshot) throws(ScalarProblem) in
      guard let snapshot else { return .text("latest") }
      return try ScenarioGrammar.snapshot.node(of: snapshot)
    }
  )
}

/// The keys of a transaction.
struct TransactionChoice: Sendable, Equatable {
  /// nil for the kind that follows from the operations.
  var kind: TransactionKind?
  var size = Scalars.TransactionSize.drawn(1...1)
  var call = TransactionCall.sync
}

/// The keys of a long-lived snapshot.
struct LongLivedSnapshot: Sendable, Equatable {
  var move: SnapshotMove
  var reactingRows: Int?
}

extension ActorSettings {
  /// The operations. With new ones, the kind of the transactions follows from them.
  var weights: [OperationWeight] {
    get { operations }
    set {
      operations = newValue
      transactionKind = usualTransactionKind
    }
  }

  /// The kind of the transactions unless it is stated.
  private var usualTransactionKind: TransactionKind {
    operations.contains { $0.kind.verb.isWrite } ? .readWrite : .read
  }

  /// The settings of the transactions, which are read after the operations.
  var transaction: TransactionChoice {
    get {
      TransactionChoice(
        kind: transactionKind == usualTransactionKind ? nil : transactionKind,
        size: performsEach ? .each : .drawn(operationsPerTransaction),
        call: transactionCall
      )
    }
    set {
      transactionKind = newValue.kind ?? usualTransactionKind
      transactionCall = newValue.call
      switch newValue.size {
      case .drawn(let range): (performsEach, operationsPerTransaction) = (false, range)
      case .each:
        let count = max(operations.reduce(0) { $0 + $1.weight }, 1)
        (performsEach, operationsPerTransaction) = (true, count...count)
      }
    }
  }

  /// The long-lived snapshot; nil for the newest one.
  var snapshotChoice: LongLivedSnapshot? {
    get {
      guard case .longLived(let move) = snapshot else { return nil }
      return LongLivedSnapshot(move: move, reactingRows: reactingRows)
    }
    set {
      snapshot = newValue.map { .longLived($0.move) } ?? .latest
      reactingRows = newValue?.reactingRows
    }
  }
}
