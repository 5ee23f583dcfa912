internal import BenchDrivers
internal import BenchScenario

/// The transactions that a worker begins on other connections inside of its own transactions.
struct NestedTransactions {
  private let actor: RunningActor
  private let collection: CheckedCollection
  /// The index of the collection in the actor's list.
  private let index: Int
  /// The verb of each operation, by its index, and whether it writes in its nested transaction.
  private let verbs: [(verb: OperationVerb, writes: Bool)]
  /// The connection of each operation; nil for operations that begin no nested transaction.
  private let connections: [MeasuredConnection?]
  /// The answers of nested reads, which have snapshots of their own.
  private var answers: AnswerCheck
  /// A nested commit is permanent even if a later operation is refused, so its bytes are counted separately.
  private var writer: RowWriter
  /// nil without a ledger.
  private let ledger: LedgerConnection?

  /// Returns nil for an actor that begins no nested transactions.
  init?(_ actor: RunningActor, thread: Int) {
    guard actor.settings.nests, let index = actor.ownCollection else { return nil }
    self.actor = actor
    self.index = index
    collection = actor.collections[index]
    let kinds = actor.settings.operations.map(\.kind)
    verbs = kinds.map { ($0.verb, $0.verb.writesInside) }
    connections = kinds.map { kind in
      // Each worker always takes the same connection of a pool.
      kind.nestedConnection.flatMap { actor.context.connections[$0] }.map { $0[thread % $0.count] }
    }
    answers = AnswerCheck(actor, memory: "\(actor.settings.name)/\(thread)/nested")
    writer = RowWriter(collection, index: index)
    ledger = actor.context.ledger.map { LedgerConnection($0) }
  }

  /// Ends the phase, and adds the checks.
  func end(_ checks: inout CheckCounts) { answers.end(&checks) }

  /// Reads or writes the drawn row in a transaction of another connection.
  /// - Parameter isChecked: whether the answer of a nested read is checked.
  /// - Throws: `RefusedTransaction` if the engine refuses the nested transaction; any other error of the engine.
  mutating func perform(_ operation: PlannedOperation, of plan: inout TransactionPlan, isChecked: Bool) throws {
    guard let connection = connections[operation.index] else { return }
    answers.isChosen = isChecked
    do {
      if verbs[operation.index].writes {
        try write(operation, of: &plan, on: connection)
      } else {
        try read(row: plan.row(of: operation), on: connection)
      }
    } catch  where actor.context.database.isDeadlock(error) {
      actor.addRefusal(ofOperation: operation.index)
      throw RefusedTransaction()
    }
  }

  /// A transaction may have several nested reads, each with its own snapshot, so each is checked immediately. The check
  /// is part of the outer transaction's time.
  private mutating func read(row: Int, on connection: MeasuredConnection) throws {
    let floor = actor.context.acknowledged
    try connection.connection.read { transaction in
      let snapshot = transaction.snapshot
      connection.check(snapshot, atLeast: floor, &answers.checks)
      answers.begin(at: snapshot, on: connection, isWriting: false)
      let object = try transaction.object(collection.keys.key(row), in: collection.name)
      answers.add(object, of: .object, row: row, in: index)
    }
    answers.check()
  }

  private mutating func write(
    _ operation: PlannedOperation,
    of plan: inout TransactionPlan,
    on connection: MeasuredConnection
  ) throws {
    var commit: UInt64 = 0
    writer.begin()
    try connection.connection.readWrite { transaction in
      commit = transaction.snapshot
      connection.check(commit - 1, atLeast: actor.context.acknowledged, &answers.checks)
      try ledger?.begin(transaction, isChecked: true, &answers.checks)
      let changes = try writer.write(
        operation,
        verbs[operation.index].verb,
        of: &plan,
        in: transaction,
        answers: &answers
      )
      if changes > 0 { try ledger?.end(transaction, with: [writer.changes], &answers.checks) }
    }
    actor.context.acknowledge(commit)
    actor.addStored(bytes: writer.storedBytes)
  }
}
