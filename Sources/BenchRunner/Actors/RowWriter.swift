internal import BenchDrivers
internal import BenchScenario
internal import CommitLedger

/// Performs the operations that change rows: writes the plan's values, marks the rows in the oracle, and counts the
/// bytes.
struct RowWriter {
  private let collection: CheckedCollection
  /// The index of the collection in the actor's list.
  private let index: Int
  /// Bytes of keys, objects and metadata that the current transaction has stored.
  private(set) var storedBytes = 0
  /// The last row that the current transaction has inserted.
  private(set) var lastInsertedRow: Int?
  /// The changes of the current transaction; empty without a ledger.
  private(set) var changes = CommitChanges()
  private let keepsLedger: Bool

  init(_ collection: CheckedCollection, index: Int) {
    self.collection = collection
    self.index = index
    keepsLedger = collection.versions != nil
  }

  /// Begins a transaction.
  mutating func begin() {
    storedBytes = 0
    lastInsertedRow = nil
    if keepsLedger { changes.removeAll() }
  }

  /// Records that the current transaction has been acknowledged.
  func acknowledge() {
    if let row = lastInsertedRow { collection.rows.acknowledge(row) }
  }

  /// - Parameters:
  ///   - rowCount: the argument of `transfer`.
  ///   - answers: receives the values that the operation reads.
  /// - Returns: the number of rows that it changed or touched; without an oracle, at least 1.
  mutating func write(
    _ operation: PlannedOperation,
    _ verb: OperationVerb,
    rowCount: Int = 1,
    of plan: inout TransactionPlan,
    in transaction: any DriverTransaction,
    answers: inout AnswerCheck
  ) throws -> Int {
    switch verb {
    case .insert: return try insert(operation, of: &plan, in: transaction)
    case .removeCollection: return try removeAll(in: transaction)
    case .transfer:
      let rows = plan.rows[operation.firstRow..<operation.firstRow + rowCount]
      return try transfer(operation, between: rows, of: &plan, in: transaction, answers: &answers)
    default: break
    }
    let row = plan.row(of: operation)
    let key = plan.key(of: operation)
    let commit = transaction.snapshot
    let wasPresent = collection.oracle?.isPresent(row) ?? true
    let absent = AnswerOracle.Mark(commit: commit, isAbsent: true)
    switch verb {
    case .readModifyWrite, .set, .nestedWrite:
      if verb == .readModifyWrite {
        answers.add(try transaction.object(key, in: collection.name), of: .object, row: row, in: index)
      }
      try set(row, key, by: operation, of: &plan, in: transaction)
      return 1
    case .replace, .setMetadata:
      let part: RowPart = verb == .replace ? .object : .metadata
      let value = value(part, of: operation, row: row, &plan, commit: commit)
      switch part {
      case .object: try transaction.replace(value, key, in: collection.name)
      case .metadata: try transaction.setMetadata(value, key, in: collection.name)
      }
      if wasPresent {
        storedBytes += key.utf8.count
        let digest = addWritten(value, as: part, row: row, commit: commit)
        switch part {
        case .object: addToLedger(.object, key, object: digest)
        case .metadata: addToLedger(.metadata, key, metadata: digest)
        }
      }
    case .touch:
      try transaction.touch(key, in: collection.name)
      if wasPresent, keepsLedger { changes.addTouch(key, in: collection.name) }
    case .remove:
      try transaction.remove(key, in: collection.name)
      if wasPresent {
        collection.oracle?.set(absent, of: .object, row: row)
        collection.oracle?.set(absent, of: .metadata, row: row)
        addToLedger(.removal, key)
      }
    case .get, .getMetadata, .getRow, .exists, .multiGet, .scan, .enumerate, .viewAt, .viewRange, .begin, .empty,
      .nestedRead, .insert, .removeCollection, .transfer:
      return 0
    }
    return wasPresent ? 1 : 0
  }

  /// Writes the row with the next number, and adds it to the plan.
  private mutating func insert(
    _ operation: PlannedOperation,
    of plan: inout TransactionPlan,
    in transaction: any DriverTransaction
  ) throws -> Int {
    let row = try nextRow(at: transaction.snapshot)
    plan.append(insertedRow: row, in: index)
    lastInsertedRow = row
    try set(row, collection.keys.key(row), by: operation, of: &plan, in: transaction)
    return 1
  }

  private func nextRow(at commit: UInt64) throws -> Int {
    if let row = collection.rows.take(at: commit) { return row }
    // The null driver keeps no rows, so it can get the last one again.
    guard collection.oracle != nil else { return collection.rows.limit - 1 }
    throw RunError(
      problem: "the collection \"\(collection.name)\" is full: it has room for "
        + "\(collection.rows.limit - collection.rows.loaded) inserts",
      remedy: "raise its \"inserts\" in the scenario, or insert at a lower rate"
    )
  }

  /// Writes the object of a row, and its metadata if the operation has some.
  private mutating func set(
    _ row: Int,
    _ key: String,
    by operation: PlannedOperation,
    of plan: inout TransactionPlan,
    in transaction: any DriverTransaction
  ) throws {
    let commit = transaction.snapshot
    let metadata = operation.metadataSize.map { _ in value(.metadata, of: operation, row: row, &plan, commit: commit) }
    let object = value(.object, of: operation, row: row, &plan, commit: commit)
    try transaction.set(object, metadata: metadata, key, in: collection.name)
    storedBytes += key.utf8.count
    let objectDigest = addWritten(object, as: .object, row: row, commit: commit)
    var metadataDigest: UInt64 = 0
    if let metadata {
      metadataDigest = addWritten(metadata, as: .metadata, row: row, commit: commit)
    } else {
      collection.oracle?.set(AnswerOracle.Mark(commit: commit, isAbsent: true), of: .metadata, row: row)
    }
    addToLedger(.row, key, object: objectDigest, metadata: metadataDigest)
  }

  /// Marks a part of a row as written, and adds its bytes.
  /// - Returns: the digest of the value; 0 without a ledger.
  private mutating func addWritten(_ value: [UInt8], as part: RowPart, row: Int, commit: UInt64) -> UInt64 {
    storedBytes += value.count
    let digest = keepsLedger ? LedgerDigest.of(value) : 0
    collection.oracle?.set(AnswerOracle.Mark(commit: commit, isAbsent: false), of: part, row: row, digest: digest)
    return digest
  }

  /// Adds a write to the changes of the transaction, if the run has a ledger.
  private mutating func addToLedger(
    _ change: LedgerEntry.Write.Change,
    _ key: String,
    object: UInt64 = 0,
    metadata: UInt64 = 0
  ) {
    guard keepsLedger else { return }
    changes.add(LedgerEntry.Write(change, key, in: collection.name, object: object, metadata: metadata))
  }

  /// Takes a value of the operation from the plan, and labels it.
  private func value(
    _ part: RowPart,
    of operation: PlannedOperation,
    row: Int,
    _ plan: inout TransactionPlan,
    commit: UInt64
  ) -> [UInt8] {
    let isBehindObject = part == .metadata && operation.size > 0
    let blank = plan.takeValue(at: operation.firstValue + (isBehindObject ? 1 : 0))
    return blank?.labelled(Payload.Label(commit: commit, row: row, collection: collection.number, part: part)) ?? []
  }

  private mutating func removeAll(in transaction: any DriverTransaction) throws -> Int {
    try transaction.removeAll(in: collection.name)
    guard let oracle = collection.oracle else { return 1 }
    let absent = AnswerOracle.Mark(commit: transaction.snapshot, isAbsent: true)
    var removed = 0
    for row in 0..<collection.rows.count where oracle.isPresent(row) {
      oracle.set(absent, of: .object, row: row)
      oracle.set(absent, of: .metadata, row: row)
      removed += 1
    }
    // Without rows, the engine makes no commit.
    if removed > 0 { addToLedger(.clearing, "") }
    return removed
  }

  /// Moves the same amount from the first row's balance to the balance of each other row.
  private mutating func transfer(
    _ operation: PlannedOperation,
    between drawn: ArraySlice<Int>,
    of plan: inout TransactionPlan,
    in transaction: any DriverTransaction,
    answers: inout AnswerCheck
  ) throws -> Int {
    var rows: [Int] = []
    for row in drawn where !rows.contains(row) { rows.append(row) }
    var balances: [Int64] = []
    for row in rows {
      let value = try transaction.object(collection.keys.key(row), in: collection.name)
      answers.add(value, of: .object, row: row, in: index)
      // A missing balance counts as 0: the null driver has none, and otherwise `conservation` finds the wrong sum.
      balances.append(value.flatMap(Payload.balance) ?? 0)
    }
    let amount = Int64(operation.size % 97) + 1
    balances[0] &-= amount * Int64(rows.count - 1)
    for other in 1..<max(rows.count, 1) { balances[other] &+= amount }
    let commit = transaction.snapshot
    for (position, row) in rows.enumerated() {
      let label = Payload.Label(commit: commit, row: row, collection: collection.number, part: .object)
      guard let blank = plan.takeValue(at: operation.firstValue + position) else { continue }
      let key = collection.keys.key(row)
      let object = blank.labelled(label, balance: balances[position])
      try transaction.replace(object, key, in: collection.name)
      storedBytes += key.utf8.count
      let digest = addWritten(object, as: .object, row: row, commit: commit)
      addToLedger(.object, key, object: digest)
    }
    return rows.count
  }
}
