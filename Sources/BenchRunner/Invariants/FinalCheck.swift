internal import BenchDrivers
internal import BenchScenario
internal import ThreadingPrimitives

/// The check of all data after the last phase.
struct FinalCheck {
  let context: RunContext
  let interruption: StopFlag
  let onProgress: @Sendable (RunProgress) -> Void

  /// Checks each collection, as far as the scenario states the invariants: its number of rows, the sum of its balances,
  /// and that each row is as the run wrote it last. Returns false if an interruption left collections unchecked.
  func run(_ checks: inout CheckCounts) throws -> Bool {
    guard context.database.keepsData else { return true }
    let connection = try context.database.connect(.plain("final check", objectCache: false))
    try context.compareLedger(on: connection, "at the end", &checks)
    for (name, collection) in context.collections.sorted(by: { $0.key < $1.key }) {
      guard let expected = collection.presentRows else { continue }
      if interruption.isRaised { return false }
      onProgress(.finishing(what: "checking all rows of \"\(name)\""))
      try connection.read { transaction in
        let count = try transaction.count(in: name)
        if count != expected { report("\"\(name)\" contains \(count) rows; expected \(expected)") }
        if context.invariants.contains(.conservation), collection.firstBalance != nil {
          checks.conservation += 1
          if let objection = try collection.objectionToSum(in: transaction) {
            context.violations.report(.conservation, "at the end: \(objection)")
          }
        }
        guard context.invariants.contains(.knownAnswers) else { return }
        try check(collection, in: transaction, &checks)
      }
    }
    return true
  }

  private func check(
    _ collection: CheckedCollection,
    in transaction: any DriverTransaction,
    _ checks: inout CheckCounts
  ) throws {
    let snapshot = transaction.snapshot
    var enumeration = EnumerationCheck(collection, at: snapshot)
    try transaction.enumerateRows(collection.name) { key, object, metadata in
      checks.knownAnswers += 1
      let (row, objection) = enumeration.visit(key, object)
      if let objection { report(objection) }
      guard let row else { return }
      if let objection = collection.objection(to: object, of: .object, row: row, at: snapshot) {
        report("the object of \"\(collection.name)\"/\(key) \(objection)")
      }
      if let objection = collection.objection(to: metadata, of: .metadata, row: row, at: snapshot) {
        report("the metadata of \"\(collection.name)\"/\(key) \(objection)")
      }
    }
    if let objection = enumeration.objectionToMissing() { report(objection) }
  }

  private func report(_ what: String) { context.violations.report(.knownAnswers, "at the end: \(what)") }
}
