internal import BenchDrivers
internal import BenchModel
internal import LatencyMetrics
internal import ThreadingPrimitives

/// The work of a transaction, between the start and the end of its measured time.
extension Worker {
  /// - Returns: the time at which it ended.
  mutating func read() throws -> UInt64 {
    let floor = actor.context.acknowledged
    let connection = connection
    do {
      reported.laneWait = try connection.read(by: actor.settings.transactionCall) { transaction in
        let snapshot = transaction.snapshot
        connection.check(snapshot, atLeast: floor, &checks)
        answers.begin(at: snapshot, on: connection, isWriting: false, isChosen: checkBudget.isOpen)
        try perform { worker, operation in try worker.read(operation, transaction) }
      }
    } catch is RefusedTransaction { answers.forget() }
    return MonotonicClock.now
  }

  /// - Returns: the time at which it ended, after its commit.
  mutating func readWrite() throws -> UInt64 {
    var changes = 0
    var commit: UInt64 = 0
    storedBytes = 0
    var times: CommitTimes?
    let connection = connection
    do {
      times = try connection.readWrite(by: actor.settings.transactionCall) { transaction in
        commit = transaction.snapshot
        // It sees all earlier commits, and its own number is the next one.
        connection.check(commit - 1, atLeast: actor.context.acknowledged, &checks)
        answers.begin(at: commit, on: connection, isWriting: true, isChosen: checkBudget.isOpen)
        try takingBackIfRefused(commit) { worker in
          try worker.perform { worker, operation in
            if operation.kind.isWrite {
              changes += try worker.write(operation, transaction)
            } else {
              try worker.read(operation, transaction)
            }
          }
        }
        if commitCheck.notesGroups { noteGroup(commit) }
      }
    } catch is RefusedTransaction {
      answers.forget()
      return MonotonicClock.now
    }
    let end = MonotonicClock.now
    reported = ReportedTimes(laneWait: times?.laneWait, writeLaneWait: times?.writeLaneWait)
    // A transaction without changes makes no commit.
    if changes > 0 {
      actor.context.acknowledge(commit)
      reported.commit = times
    }
    actor.transactionStored(bytes: storedBytes)
    return end
  }

  /// Records the rows whose objects the transaction leaves written, before it commits.
  private func noteGroup(_ commit: UInt64) {
    guard let collection = actor.collection, let oracle = collection.oracle, plan.rows.count > 1 else { return }
    let written = AnswerOracle.Mark(commit: commit, isAbsent: false)
    let rows = Set(plan.rows).filter { oracle.mark($0, .object) == written }
    if rows.count > 1 { collection.groups.add(CommitGroups.Group(commit: commit, rows: rows.sorted())) }
  }

  mutating func perform(_ body: (inout Worker, PlannedOperation) throws -> Void) throws {
    if slots.isSingle { return try body(&self, plan.operations[0]) }
    var start = MonotonicClock.now
    for index in plan.operations.indices {
      let operation = plan.operations[index]
      // A refused operation is timed too, and is the last one.
      let result = Result { try body(&self, operation) }
      let end = MonotonicClock.now
      recorder.record(end - start, in: slots.service(ofOperation: operation.index))
      start = end
      try result.get()
    }
  }

  private mutating func read(_ operation: PlannedOperation, _ transaction: any DriverTransaction) throws {
    guard let collection = actor.collection else { return }  // an empty transaction
    let name = collection.name
    switch operation.kind {
    case .get:
      let row = plan.rows[operation.firstRow]
      answers.add(try transaction.object(collection.keys.key(row), in: name), row, .object, collection)
    case .getMetadata:
      let row = plan.rows[operation.firstRow]
      answers.add(try transaction.metadata(collection.keys.key(row), in: name), row, .metadata, collection)
    case .getRow:
      let row = plan.rows[operation.firstRow]
      let found = try transaction.row(collection.keys.key(row), in: name)
      answers.add(found?.object, row, .object, collection)
      answers.add(found?.metadata, row, .metadata, collection)
    case .exists:
      let row = plan.rows[operation.firstRow]
      answers.add(presence: try transaction.exists(collection.keys.key(row), in: name), row, collection)
    case .multiGet(let count):
      let rows = Array(plan.rows[operation.firstRow..<operation.firstRow + count])
      try readTogether(rows, collection) { try transaction.objects($0, in: name, $1) }
    case .scan(let count):
      let rows = collection.rows(from: plan.rows[operation.firstRow], count: count)
      try readTogether(rows, collection) { try transaction.scan($0, in: name, $1) }
    case .enumerate:
      try enumerate(collection, transaction)
    case .viewAt:
      try readView(operation, count: 1, collection, transaction)
    case .viewRange(let count):
      try readView(operation, count: count, collection, transaction)
    case .nestedRead, .nestedWrite:
      try nest(operation, collection)
    case .begin, .empty: break
    case .set, .setMetadata, .replace, .touch, .remove, .removeCollection, .readModifyWrite, .transfer:
      break  // never in a read transaction
    }
  }

  /// Reads several rows with one call of the engine, which must return an answer for each.
  private mutating func readTogether(
    _ rows: [Int],
    _ collection: CheckedCollection,
    _ read: (_ keys: [String], _ visit: (Int, [UInt8]?) -> Void) throws -> Void
  ) throws {
    var shown = 0
    try read(rows.map(collection.keys.key)) { index, object in
      answers.add(object, rows[index], .object, collection)
      shown += 1
    }
    if shown != rows.count {
      answers.report("a read of \(rows.count) keys in one call returned \(shown) answers")
    }
  }

  /// The values of a long enumeration are not kept until its end. Each is checked immediately, as part of the measured
  /// time.
  private mutating func enumerate(_ collection: CheckedCollection, _ transaction: any DriverTransaction) throws {
    guard answers.isNeeded else { return try transaction.enumerate(collection.name) { _, _ in } }
    var enumeration = EnumerationCheck(collection)
    try transaction.enumerate(collection.name) { key, object in
      let (row, objection) = enumeration.visit(key)
      if let objection { answers.report(objection) }
      guard let row else { return }
      answers.add(object, row, .object, collection)
      answers.check(&checks, actor)
    }
    if let objection = enumeration.objectionToMissing(at: transaction.snapshot) { answers.report(objection) }
  }

  /// - Returns: the number of rows that it changed.
  mutating func write(_ operation: PlannedOperation, _ transaction: any DriverTransaction) throws -> Int {
    guard let collection = actor.collection else { return 0 }
    switch operation.kind {
    case .removeCollection: return try removeAll(collection, transaction)
    case .transfer(let count): return try transfer(operation, count, collection, transaction)
    default: break
    }
    let row = plan.rows[operation.firstRow]
    let key = collection.keys.key(row)
    let commit = transaction.snapshot
    let wasPresent = collection.oracle?.isPresent(row) ?? true
    let present = AnswerOracle.Mark(commit: commit, isAbsent: false)
    let absent = AnswerOracle.Mark(commit: commit, isAbsent: true)
    switch operation.kind {
    case .readModifyWrite, .set, .nestedWrite:
      if operation.kind == .readModifyWrite {
        answers.add(try transaction.object(key, in: collection.name), row, .object, collection)
      }
      let metadata = operation.metadataSize.map { _ in value(.metadata, operation, collection, commit) }
      let object = value(.object, operation, collection, commit)
      try transaction.set(object, metadata: metadata, key, in: collection.name)
      storedBytes += key.utf8.count + object.count + (metadata?.count ?? 0)
      collection.oracle?.set(present, row, .object)
      collection.oracle?.set(metadata == nil ? absent : present, row, .metadata)
      return 1
    case .replace:
      let object = value(.object, operation, collection, commit)
      try transaction.replace(object, key, in: collection.name)
      if wasPresent {
        collection.oracle?.set(present, row, .object)
        storedBytes += key.utf8.count + object.count
      }
    case .setMetadata:
      let metadata = value(.metadata, operation, collection, commit)
      try transaction.setMetadata(metadata, key, in: collection.name)
      if wasPresent {
        collection.oracle?.set(present, row, .metadata)
        storedBytes += key.utf8.count + metadata.count
      }
    case .touch:
      try transaction.touch(key, in: collection.name)
    case .remove:
      try transaction.remove(key, in: collection.name)
      if wasPresent {
        collection.oracle?.set(absent, row, .object)
        collection.oracle?.set(absent, row, .metadata)
      }
    case .get, .getMetadata, .getRow, .exists, .multiGet, .scan, .enumerate, .viewAt, .viewRange, .begin, .empty,
      .nestedRead, .removeCollection, .transfer:
      return 0
    }
    return wasPresent ? 1 : 0
  }

  private mutating func value(
    _ kind: Payload.Kind,
    _ operation: PlannedOperation,
    _ collection: CheckedCollection,
    _ commit: UInt64
  ) -> [UInt8] {
    let row = plan.rows[operation.firstRow]
    let isBehindObject = kind == .metadata && operation.size > 0
    let blank = plan.takeValue(operation.firstValue + (isBehindObject ? 1 : 0))
    return blank?.labelled(
      Payload.Label(commit: commit, row: row, collection: collection.number, kind: kind)
    ) ?? []
  }
}
