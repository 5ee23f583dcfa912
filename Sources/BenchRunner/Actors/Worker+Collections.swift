internal import BenchDrivers
internal import BenchModel

/// Operations that change several rows.
extension Worker {
  /// - Returns: the number of rows that it changed.
  func removeAll(_ collection: CheckedCollection, _ transaction: any DriverTransaction) throws -> Int {
    try transaction.removeAll(in: collection.name)
    guard let oracle = collection.oracle else { return 1 }
    let absent = AnswerOracle.Mark(commit: transaction.snapshot, isAbsent: true)
    var removed = 0
    for row in 0..<collection.rows where oracle.isPresent(row) {
      oracle.set(absent, row, .object)
      oracle.set(absent, row, .metadata)
      removed += 1
    }
    return removed
  }

  /// Moves the same amount from the first row's balance to the balance of each other row.
  /// - Returns: the number of rows that it changed.
  mutating func transfer(
    _ operation: PlannedOperation,
    _ count: Int,
    _ collection: CheckedCollection,
    _ transaction: any DriverTransaction
  ) throws -> Int {
    var rows: [Int] = []
    for row in plan.rows[operation.firstRow..<operation.firstRow + count] where !rows.contains(row) { rows.append(row) }
    var balances: [Int64] = []
    for row in rows {
      let value = try transaction.object(collection.keys.key(row), in: collection.name)
      answers.add(value, row, .object, collection)
      // A missing balance counts as 0. Where the driver keeps data, the check of the sum finds the error.
      balances.append(value.flatMap(Payload.balance) ?? 0)
    }
    let amount = Int64(operation.size % 97) + 1
    balances[0] &-= amount * Int64(rows.count - 1)
    for index in 1..<max(rows.count, 1) { balances[index] &+= amount }
    for (index, row) in rows.enumerated() {
      let label = Payload.Label(commit: transaction.snapshot, row: row, collection: collection.number, kind: .object)
      guard let blank = plan.takeValue(operation.firstValue + index) else { continue }
      let key = collection.keys.key(row)
      let object = blank.labelled(label, balance: balances[index])
      try transaction.replace(object, key, in: collection.name)
      storedBytes += key.utf8.count + object.count
      collection.oracle?.set(AnswerOracle.Mark(commit: transaction.snapshot, isAbsent: false), row, .object)
    }
    return rows.count
  }
}
