internal import BenchDrivers
internal import BenchResults
internal import BenchScenario
internal import ThreadingPrimitives

/// Thrown after the engine has refused a nested transaction, so that the outer transaction ends without a commit.
struct RefusedTransaction: Error {}

/// Draws the transactions of one worker, runs their operations, and keeps the answers until they are checked.
struct OperationRunner {
  private let actor: RunningActor
  private var generator: WorkGenerator
  private(set) var plan = TransactionPlan()
  private var answers: AnswerCheck
  /// The parts of the actor's operations by which they are performed, without the texts of their kinds.
  private let operations: [(verb: OperationVerb, isWrite: Bool, rowCount: Int)]
  /// The names of the actor's collections.
  private let names: [String]
  /// One for each collection of the actor.
  private var writers: [RowWriter]
  /// nil for an actor that begins no nested transactions.
  private var nested: NestedTransactions?
  private let thread: Int
  /// Whether the rows of each commit that writes several rows are recorded, for `CommitCheck`.
  private let recordsGroups: Bool
  /// nil without a ledger.
  private let ledger: LedgerConnection?

  init(_ actor: RunningActor, thread: Int) {
    self.actor = actor
    self.thread = thread
    generator = WorkGenerator(
      actor.settings,
      actor.collections,
      seed: actor.context.seed,
      phase: actor.phase.settings.name,
      thread: thread
    )
    answers = AnswerCheck(actor, memory: "\(actor.settings.name)/\(thread)")
    operations = actor.settings.operations.map(\.kind).map { ($0.verb, $0.verb.isWrite, $0.rowCount) }
    names = actor.collections.map(\.name)
    writers = actor.collections.indices.map { RowWriter(actor.collections[$0], index: $0) }
    nested = NestedTransactions(actor, thread: thread)
    recordsGroups = CommitCheck.checksGroups(actor)
    ledger = actor.context.ledger.map { LedgerConnection($0) }
  }

  /// Draws the next transaction.
  @inline(__always)
  mutating func draw() { generator.draw(&plan) }

  /// Checks the answers of the last transaction.
  mutating func checkAnswers() { answers.check() }

  /// Drops the answers of a transaction that did not reach its end.
  mutating func dropAnswers() { answers.drop() }

  /// Ends the phase: adds the counts of checks to the tally, and sets its digest of the work that was drawn.
  func end(_ tally: inout WorkerTally) {
    answers.end(&tally.checks)
    nested?.end(&tally.checks)
    tally.digests = [WorkerDigest(thread: thread, marks: generator.digest.marks)]
  }

  /// Runs the drawn transaction.
  /// - Parameter isChecked: whether the answers of its reads are checked.
  /// - Returns: the time at which the engine's call ended, in nanoseconds of the monotonic clock.
  mutating func run(
    on connection: MeasuredConnection,
    isChecked: Bool,
    _ recording: inout WorkerRecording
  ) throws -> UInt64 {
    answers.isChosen = isChecked
    do {
      if operations[plan.firstOperation.index].verb == .begin {
        try connection.advance(&answers.checks, atLeast: actor.context.acknowledged)
      } else if actor.settings.transactionKind == .read {
        try read(on: connection, &recording)
      } else {
        return try write(on: connection, &recording)
      }
    } catch is RefusedTransaction { answers.drop() }
    return MonotonicClock.now
  }

  // MARK: Transactions

  @inline(__always)
  private mutating func read(on connection: MeasuredConnection, _ recording: inout WorkerRecording) throws {
    let floor = actor.context.acknowledged
    recording.reported.laneWait = try connection.read(by: actor.settings.transactionCall) { transaction in
      let snapshot = transaction.snapshot
      connection.check(snapshot, atLeast: floor, &answers.checks)
      answers.begin(at: snapshot, on: connection, isWriting: false)
      _ = try perform(in: transaction, &recording)
    }
  }

  /// - Returns: the time at which the engine's call ended.
  private mutating func write(on connection: MeasuredConnection, _ recording: inout WorkerRecording) throws -> UInt64 {
    var changes = 0
    var commit: UInt64 = 0
    for index in writers.indices { writers[index].begin() }
    let times = try connection.readWrite(by: actor.settings.transactionCall) { transaction in
      commit = transaction.snapshot
      // The transaction sees all earlier commits, and `commit` is the number of its own.
      connection.check(commit - 1, atLeast: actor.context.acknowledged, &answers.checks)
      answers.begin(at: commit, on: connection, isWriting: true)
      try ledger?.begin(transaction, isChecked: answers.isChosen, &answers.checks)
      do { changes = try perform(in: transaction, &recording) } catch let refusal as RefusedTransaction {
        // The transaction's marks are undone before another thread can write, because its number is used again.
        actor.context.takeBack(after: commit - 1)
        throw refusal
      }
      if changes > 0 { try ledger?.end(transaction, with: writers.map(\.changes), &answers.checks) }
      guard recordsGroups else { return }
      for (index, collection) in actor.collections.enumerated() {
        collection.addGroup(of: plan.rows(in: index), commit: commit)
      }
    }
    let end = MonotonicClock.now
    (recording.reported.laneWait, recording.reported.writeLaneWait) = (times?.laneWait, times?.writeLaneWait)
    // A transaction without changes makes no commit.
    if changes > 0 {
      actor.context.acknowledge(commit)
      for writer in writers { writer.acknowledge() }
      recording.reported.commit = times
    }
    actor.addStored(bytes: writers.reduce(0) { $0 + $1.storedBytes })
    return end
  }

  /// Performs the drawn operations, and records the time of each unless all transactions have exactly one operation.
  /// - Returns: the number of rows that they changed.
  @inline(__always)
  private mutating func perform(
    in transaction: any DriverTransaction,
    _ recording: inout WorkerRecording
  ) throws -> Int {
    if recording.slots.isSingle { return try perform(plan.firstOperation, in: transaction, &recording) }
    var changes = 0
    var start = MonotonicClock.now
    for operation in plan.operations {
      // A refused operation is timed too, and is the last one.
      let result = Result { try perform(operation, in: transaction, &recording) }
      let end = MonotonicClock.now
      recording.record(end - start, in: recording.slots.service(ofOperation: operation.index))
      recording.recordOutcome(service: end - start)
      start = end
      changes += try result.get()
    }
    return changes
  }

  // MARK: Operations

  /// - Returns: the number of rows that it changed.
  @inline(__always)
  private mutating func perform(
    _ operation: PlannedOperation,
    in transaction: any DriverTransaction,
    _ recording: inout WorkerRecording
  ) throws -> Int {
    guard let index = operation.collection else { return 0 }  // an empty transaction
    let (verb, isWrite, rowCount) = operations[operation.index]
    if isWrite {
      return try writers[index].write(
        operation,
        verb,
        rowCount: rowCount,
        of: &plan,
        in: transaction,
        answers: &answers
      )
    }
    let misses = recording.slots.hasOutcomes(ofOperation: operation.index) ? transaction.cacheMisses : nil
    try read(operation, at: index, in: transaction)
    if let misses, let outcome = transaction.cacheMisses?.outcome(since: misses) {
      recording.reported.outcomeSlot = recording.slots.outcome(outcome, ofOperation: operation.index)
    }
    return 0
  }

  /// - Parameter index: the index of the collection in the actor's list.
  private mutating func read(
    _ operation: PlannedOperation,
    at index: Int,
    in transaction: any DriverTransaction
  ) throws {
    let (verb, _, rowCount) = operations[operation.index]
    switch verb {
    case .get:
      let object = try transaction.object(plan.key(of: operation), in: names[index])
      answers.add(object, of: .object, row: plan.row(of: operation), in: index)
    case .getMetadata:
      let metadata = try transaction.metadata(plan.key(of: operation), in: names[index])
      answers.add(metadata, of: .metadata, row: plan.row(of: operation), in: index)
    case .getRow:
      let found = try transaction.row(plan.key(of: operation), in: names[index])
      answers.add(found?.object, of: .object, row: plan.row(of: operation), in: index)
      answers.add(found?.metadata, of: .metadata, row: plan.row(of: operation), in: index)
    case .exists:
      let isPresent = try transaction.exists(plan.key(of: operation), in: names[index])
      answers.add(presence: isPresent, ofRow: plan.row(of: operation), in: index)
    case .multiGet:
      let range = operation.firstRow..<operation.firstRow + rowCount
      let (rows, keys) = (Array(plan.rows[range]), Array(plan.keys[range]))
      let name = names[index]
      try readTogether(rows, at: index) { try transaction.objects(keys, in: name, $0) }
    case .scan:
      let collection = actor.collections[index]
      let first = plan.row(of: operation)
      let rows = collection.rowsToScan(from: first, count: operation.scanLength, at: transaction.snapshot)
      let keys = rows.map(collection.keys.key)
      try readTogether(rows, at: index) { try transaction.scan(keys, in: collection.name, $0) }
    case .enumerate:
      try enumerate(actor.collections[index], at: index, in: transaction)
    case .viewAt, .viewRange:
      try readView(from: plan.row(of: operation), count: rowCount, at: index, in: transaction)
    case .nestedRead, .nestedWrite:
      try nested?.perform(operation, of: &plan, isChecked: answers.isChosen)
    case .begin, .empty: break
    case .insert, .set, .setMetadata, .replace, .touch, .remove, .removeCollection, .readModifyWrite, .transfer:
      break  // `RowWriter` performs these
    }
  }

  /// Reads several rows with one call of the engine, which must return an answer for each.
  private mutating func readTogether(
    _ rows: [Int],
    at index: Int,
    _ read: (_ visit: (Int, [UInt8]?) -> Void) throws -> Void
  ) throws {
    var shown = 0
    try read { position, object in
      answers.add(object, of: .object, row: rows[position], in: index)
      shown += 1
    }
    if shown != rows.count {
      answers.report("a read of \(rows.count) keys in one call returned \(shown) answers")
    }
  }

  /// Enumerates the collection. Each value is checked immediately, as part of the measured time, because keeping all of
  /// them could take too much memory.
  private mutating func enumerate(
    _ collection: CheckedCollection,
    at index: Int,
    in transaction: any DriverTransaction
  ) throws {
    guard answers.isNeeded else { return try transaction.enumerate(collection.name) { _, _ in } }
    var enumeration = EnumerationCheck(collection, at: transaction.snapshot)
    try transaction.enumerate(collection.name) { key, object in
      let (row, objection) = enumeration.visit(key, object)
      if let objection { answers.report(objection) }
      guard let row else { return }
      answers.add(object, of: .object, row: row, in: index)
      answers.check()
    }
    if let objection = enumeration.objectionToMissing() { answers.report(objection) }
  }

  /// Reads rows of a view, beginning at the index that the drawn row has in its group if all rows exist and are sorted
  /// by number. Checks that the rows belong to the group and are in order, and keeps their objects for the check.
  private mutating func readView(
    from row: Int,
    count: Int,
    at index: Int,
    in transaction: any DriverTransaction
  ) throws {
    guard let view = actor.view else { return }
    let collection = actor.collections[index]
    if let registration = actor.registration {
      let isThere = try transaction.hasView(view.name)
      answers.add(presence: isThere, of: registration)
      guard isThere else { return }
    }
    let group = view.group.name(ofRow: row)
    var last: GeneratedFields?
    try transaction.viewRange(view.name, group: group, from: row / view.group.count, count: count) { key, object in
      guard answers.isNeeded else { return }
      guard let shown = collection.row(ofKey: key, with: object) else {
        return answers.report(
          "the view \"\(view.name)\" shows the key \"\(key)\" with an object that is not of its row"
        )
      }
      answers.add(object, of: .object, row: shown, in: index)
      guard let fields = GeneratedFields(object) else { return }
      if view.group.name(ofRow: fields.row) != group {
        answers.report("the view \"\(view.name)\" shows \(key) in group \(group), to which it does not belong")
      }
      if let last, !last.isBefore(fields, by: view.sort) {
        answers.report("the view \"\(view.name)\" shows \(key) after a row that must follow it")
      }
      last = fields
    }
  }
}
