internal import BenchDrivers
internal import BenchModel

/// What a worker needs for transactions inside of its own.
struct NestedWork {
  /// Of each operation, in the actor's order; nil for those that begin none.
  let connections: [MeasuredConnection?]
  /// What was read there, which is of another snapshot than that of the transaction around.
  var answers: AnswerCheck

  /// nil for an actor that begins none.
  init?(_ actor: RunningActor, thread: Int) {
    guard actor.settings.nests else { return nil }
    connections = actor.settings.operations.map { operation in
      // Of a pool each worker takes always the same.
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

/// The engine has refused the transaction inside, so that the one around it is rolled back.
struct RefusedTransaction: Error {}

extension Worker {
  /// Reads or writes the drawn row in a transaction of another connection, inside of the one at hand.
  /// - Throws: `RefusedTransaction` where the engine says that it would wait without end.
  mutating func nest(_ operation: PlannedOperation, _ collection: CheckedCollection) throws {
    guard let connection = nested?.connections[operation.index] else { return }
    do {
      if operation.kind.writesInside {
        try writeInside(operation, connection)
      } else {
        try readInside(operation, connection, collection)
      }
    } catch  where actor.context.database.tellsOfDeadlock(error) {
      actor.refused(operation.index)
      throw RefusedTransaction()
    }
  }

  /// There may be several of them in one transaction, each at another snapshot, so that each is checked at once, as a
  /// part of its time.
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
    // What it stores is there, whatever becomes of the transaction around.
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

  /// Runs the work of a read-write transaction. Where it is refused, nothing of it will be there, and that is said
  /// before anybody else can write: the number of its commit is used again.
  mutating func takingBackIfRefused(_ commit: UInt64, _ work: (inout Worker) throws -> Void) throws {
    do { try work(&self) } catch let refusal as RefusedTransaction {
      actor.context.takeBack(after: commit - 1)
      throw refusal
    }
  }
}
