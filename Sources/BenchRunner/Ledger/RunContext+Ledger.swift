internal import BenchDrivers
internal import BenchScenario

/// The ledger of a run, if it has one.
extension RunContext {
  /// Compares the whole file with its ledger.
  /// - Parameter location: the moment, for the reports, such as "at the end".
  /// - Returns: the newest entry in the file; nil without a ledger.
  @discardableResult
  func compareLedger(
    on connection: any DriverConnection,
    _ location: String,
    _ checks: inout CheckCounts
  ) throws -> (commit: UInt64, digest: UInt64)? {
    guard let ledger, invariants.contains(.ledger) else { return nil }
    var newest: (UInt64, UInt64)?
    try connection.read { transaction in
      newest = try ledger.compare(
        collections.keys.sorted(),
        in: transaction,
        acknowledged: acknowledged,
        at: location,
        &checks
      )
    }
    return newest
  }

  /// Compares the file with its ledger after the engine was started again, and continues the ledger. Must be called
  /// while no worker uses the engine.
  /// - Parameter recovered: the newest commit that the file contained when it was opened.
  func restartLedger(recovered: UInt64) throws {
    guard let ledger else { return }
    var checks = CheckCounts()
    defer { add(checks) }
    let connection = try database.connect(.plain("check after restart", objectCache: false))
    ledger.forget(after: recovered)
    ledger.permitCommits(withoutEntry: scenario.views.count)
    let location = "after the end of the engine's process"
    guard let newest = try compareLedger(on: connection, location, &checks) else { return }
    ledger.restart(after: newest, recovered: recovered, newest: database.commit)
  }
}
