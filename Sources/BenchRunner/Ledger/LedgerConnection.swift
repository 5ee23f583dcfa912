internal import BenchDrivers

/// The part of a ledger that one writer fills: its transactions have numbers of their own.
struct LedgerConnection {
  /// One of this many checked transactions reads the entry of the previous commit.
  private static let readingInterval: UInt64 = 16

  private let ledger: RunLedger
  private let number: UInt32

  init(_ ledger: RunLedger) {
    self.ledger = ledger
    number = ledger.newConnection()
  }

  /// Checks the snapshot of a read-write transaction that has begun.
  /// - Parameter isChecked: whether the entry of the previous commit may be read for the check.
  func begin(_ transaction: any DriverTransaction, isChecked: Bool, _ checks: inout CheckCounts) throws {
    let reads = isChecked && transaction.snapshot % Self.readingInterval == 0
    try ledger.checkBegin(of: transaction, readsEntry: reads, &checks)
  }

  /// Stores the entry of a read-write transaction after its last write.
  func end(_ transaction: any DriverTransaction, with changes: [CommitChanges], _ checks: inout CheckCounts) throws {
    var all = changes.first ?? CommitChanges()
    for more in changes.dropFirst() { all.add(more) }
    try ledger.append(all, connection: number, in: transaction, &checks)
  }
}
