internal import BenchDrivers
internal import BenchModel

/// The state of a worker that begins transactions inside of its own.
struct NestedWork {
  /// The connection of each operation, in the actor's order; nil for operations that begin no nested transaction.
  let connections: [MeasuredConnection?]
  /// The answers of nested reads, whose snapshot is not that of the outer transaction.
  var answers: AnswerCheck

  /// Returns nil for an actor that begins no nested transactions.
  init?(_ actor: RunningActor, thread: Int) {
    guard actor.settings.nests else { return nil }
    connections = actor.settings.operations.map { operation in
      // Each worker always takes the same connection of a pool.
      operation.kind.nestedConnection.flatMap { actor.context.connections[$0] }.map { $0[thread % $0.count] }
    }
    answers = AnswerCheck(actor.context, memory: actor.context.takeMemory(Self.memory(actor, thread)))
  }

  func keepMemory(_ actor: RunningActor, thread: Int) {
    actor.context.keep(answers.memory, of: Self.memory(actor, thread))
  }

  private static func memory(_ actor: RunningActor, _ thread: Int) -> String {
    "\(actor.settings.name)/\(thread)/nested"
  }
}

/// Thrown after the engine has refused a nested transaction, so that the outer one is rolled back.
struct RefusedTransaction: Error {}

extension Worker {
  /// Reads or writes the drawn row in a transaction of another connection, inside of the current transaction.
  /// - Throws: `RefusedTransaction` if the engine reports a deadlock.
  mutating func nest(_ operation: PlannedOperation, _ collection: CheckedCollection) throws {
    guard let connection = nested?.connections[operation.index] else { return }
    do {
      if operation.kind.writesInside {
        try writeInside(operation, connection)
      } else {
        try readInside(operation, connection, collection)
      }
    } catch  where actor.context.database.isDeadlock(error) {
      actor.refused(operation.index)
      throw RefusedTransaction()
    }
  }

  /// A transaction may have several nested reads, each of another snapshot, so each is checked immediately. The check
  /// is part of the outer transaction's time.
  private mutating func readInside(
    _ operation: PlannedOperation,
    _ connection: MeasuredConnection,
    _ collection: CheckedCollection
  ) throws {
    let floor = actor.context.acknowledged
    let row = plan.rows[operation.firstRow]
    try connection.connection.read { transaction in
      let snapshot = transaction.snapshot
      connection.check(snapshot, atLeast: floor, &checks)
      nested?.answers.begin(at: snapshot, on: connection, isWriting: false, isChosen: checkBudget.isOpen)
      nested?.answers.add(
        try transaction.object(collection.keys.key(row), in: collection.name),
        row,
        .object,
        collection
      )
    }
    nested?.answers.check(&checks, actor)
  }

  private mutating func writeInside(_ operation: PlannedOperation, _ connection: MeasuredConnection) throws {
    var commit: UInt64 = 0
    // The nested commit is permanent even if the outer transaction is rolled back, so its bytes are counted separately.
    let storedAround = storedBytes
    storedBytes = 0
    defer { storedBytes = storedAround }
    try connection.connection.readWrite { transaction in
      commit = transaction.snapshot
      connection.check(commit - 1, atLeast: actor.context.acknowledged, &checks)
      _ = try write(operation, transaction)
    }
    actor.context.acknowledge(commit)
    actor.transactionStored(bytes: storedBytes)
  }

  /// Runs the work of a read-write transaction. If it is refused, its marks are taken back before another thread can
  /// write, because the number of its commit is used again.
  mutating func takingBackIfRefused(_ commit: UInt64, _ work: (inout Worker) throws -> Void) throws {
    do { try work(&self) } catch let refusal as RefusedTransaction {
      actor.context.takeBack(after: commit - 1)
      throw refusal
    }
  }
}
