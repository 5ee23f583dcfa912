internal import CommitLedger
internal import HarnessPrimitives
internal import SQLiteBinding
internal import ThreadingPrimitives
internal import YapEngine

/// Compares a session with the acknowledged commits once the fault is removed: caches, numbers, notifications, views,
/// and the file.
struct FaultVerification {
  let session: FaultSession
  let fault: InjectedFault
  /// The number of calls that have failed.
  let failedCalls: UInt64
  /// The newest commit before the session.
  let base: UInt64

  /// Returns the names of the counts to add.
  func verify() -> [String] {
    let hasCheckedBackup = verifyBackup()
    let isPoisoned = session.database.map(verifyOpen) ?? false
    if session.database != nil { verifyClosing(isPoisoned: isPoisoned) }
    let notified = session.state.withLock { $0.notified }
    if !notified.isEmpty, notified != Array(base + 1...base + UInt64(notified.count)) {
      fail("expected a notification of each commit from \(base + 1) on, found \(notified)")
    }
    let newest = session.state.withLock { $0.newest }
    if notified.count != Int(newest - base) {
      fail("expected notifications up to commit \(newest), found \(notified)")
    }
    do { try verifyReopened() } catch { fail("after reopening: \(error)") }
    return [isPoisoned ? FaultCount.poisoned : FaultCount.working] + (hasCheckedBackup ? [FaultCount.backups] : [])
  }

  private func fail(_ text: String) { session.fail(text) }

  // MARK: The same handle

  /// Returns whether writes are refused because of the recorded damage.
  private func verifyOpen(_ database: YapDatabase) -> Bool {
    let newest = session.state.withLock { $0.newest }
    if database.snapshot != newest {
      fail("expected \(newest) as the newest commit of the open database, found \(database.snapshot)")
    }
    if fault.method == .sync, failedCalls > 0, !session.hasBackedUp, database.damage == nil {
      fail("a sync has failed, but the open database does not record it as damage")
    }
    do {
      let rows = try StoredRows(path: session.path)
      for connection in session.connections { verifyCaches(of: connection, rows, isPoisoned: database.damage != nil) }
    } catch { fail("reading the file beside the open database: \(error)") }
    let failures = session.state.withLock { $0.failures.count }
    let before = session.state.withLock { $0.errorCount }
    if session.connections.isEmpty { session.connect() }
    session.commit(1)
    let after = session.state.withLock { $0.errorCount }
    if after > before, database.damage == nil, session.state.withLock({ $0.failures.count }) == failures {
      fail("the same handle cannot commit, although it records no damage")
    }
    return after > before
  }

  /// Compares each row as the connection's caches show it with the row in the file.
  private func verifyCaches(of connection: YapDatabaseConnection, _ rows: StoredRows, isPoisoned: Bool) {
    do {
      try connection.read { transaction in
        guard transaction.snapshot == rows.snapshot else {
          if !connection.isInLongLivedReadTransaction {
            fail("\(connection.name) reads commit \(transaction.snapshot), the file has commit \(rows.snapshot)")
          }
          return
        }
        for collection in LedgeredWriter.Shape().collections {
          for index in 0..<DamageStore.keyCount {
            let key = "key-\(index)"
            let object = try transaction.object(forKey: key, inCollection: collection) as? [UInt8]
            let metadata = try transaction.metadata(forKey: key, inCollection: collection) as? [UInt8]
            if object != rows.objects["\(collection)/\(key)"] || metadata != rows.metadata["\(collection)/\(key)"] {
              fail("\(connection.name) shows a value of row \"\(collection)\"/\(key) that is not in the file")
            }
          }
        }
        if session.hasView { try verifyView(transaction, rows) }
      }
    } catch is YapDatabaseError where isPoisoned {
      return
    } catch { fail("\(connection.name) cannot read, although no damage is recorded: \(error)") }
  }

  private func verifyView(_ transaction: YapDatabaseReadTransaction, _ rows: StoredRows) throws {
    let view = try transaction.ext(DamageStore.view) as? YapDatabaseViewTransaction
    var viewed: [String] = []
    for collection in LedgeredWriter.Shape().collections {
      try view?.enumerateKeys(inGroup: collection) { _, key, _, _ in viewed.append("\(collection)/\(key)") }
    }
    if viewed.sorted() != rows.objects.keys.sorted() {
      fail("expected the \(rows.objects.count) rows of the file in the view, found \(viewed.count)")
    }
  }

  private func verifyClosing(isPoisoned: Bool) {
    let errors = session.state.withLock { $0.errorCount }
    session.close()
    guard session.database != nil else { return }
    if !isPoisoned { fail("the database cannot be closed, although no damage is recorded") }
    session.close()
    if session.state.withLock({ $0.errorCount }) > errors + 1 { session.release() }
  }

  // MARK: The backup

  /// Opens the backup, which must have all rows of its commit.
  /// - Returns: Whether there is a backup.
  private func verifyBackup() -> Bool {
    guard let (path, commit) = session.backup else { return false }
    do {
      let database = try YapDatabase(path: path, options: DamageStore.options)
      let (found, report) = try database.newConnection().read { transaction in
        (transaction.snapshot, try LedgerCheck().check(transaction, acknowledged: commit))
      }
      try database.close()
      if found != commit { fail("expected commit \(commit) as the newest in the backup, found \(found)") }
      if let error = report.errors.first { fail("in the backup: \(error)") }
      for problem in try SQLiteHandle(path: path).integrityProblems() { fail("in the backup: \(problem)") }
    } catch { fail("opening the backup: \(error)") }
    return true
  }

  // MARK: The file

  /// The file has every acknowledged commit. If a sync has failed, it may also have the complete commits of calls that
  /// have thrown: SQLite has written them, and reads them when it opens the WAL again.
  private func verifyReopened() throws {
    let (newest, entries, failedCommits) = session.state.withLock { ($0.newest, $0.entries, $0.failedCommits) }
    let unrecorded = session.state.withLock { $0.unrecorded }
    let database = try YapDatabase(path: session.path, options: DamageStore.options)
    let connection = try database.newConnection()
    let withoutEntry = try connection.read { transaction in
      let possible = fault.method == .sync && failedCalls > 0 ? failedCommits : 0
      let further = transaction.snapshot - min(newest, transaction.snapshot)
      if transaction.snapshot < newest || further > possible {
        fail("after reopening: expected commit \(newest) as the newest, found \(transaction.snapshot)")
      }
      let acknowledged = newest - min(unrecorded, newest)
      let report = try LedgerCheck().check(transaction, acknowledged: acknowledged, unrecorded: unrecorded + further)
      if let error = report.errors.first { fail("after reopening: \(error)") }
      for (commit, entry) in entries where try transaction.ledgerEntry(of: commit)?.digest != entry {
        fail("after reopening: the ledger entry of commit \(commit) is not the acknowledged one")
      }
      return transaction.snapshot - min(report.newestEntry, transaction.snapshot)
    }
    let writer = LedgeredWriter(connection, number: 99)
    var random = RandomStream(seed: 1, "after reopening")
    try writer.commit(&random, unrecorded: withoutEntry)
    try database.close()
    for problem in try SQLiteHandle(path: session.path).integrityProblems() { fail("after reopening: \(problem)") }
  }
}

/// The rows of a database's file, read without the engine; the ledger's rows are left out.
private struct StoredRows {
  var objects: [String: [UInt8]] = [:]
  var metadata: [String: [UInt8]] = [:]
  var snapshot: UInt64 = 0

  init(path: String) throws {
    let handle = try SQLiteHandle(path: path)
    try handle.setCheckpointOnClose(false)
    try handle.execute("BEGIN")
    snapshot = UInt64(try handle.integer("SELECT number FROM snapshot WHERE id = 1") ?? 0)
    let statement = try handle.prepare("SELECT collection, key, object, metadata FROM rows")
    while try statement.step() {
      let collection = statement.text(at: 0)
      guard collection != LedgerEntry.collection else { continue }
      let name = "\(collection)/\(statement.text(at: 1))"
      objects[name] = Array(statement.bytes(at: 2))
      if !statement.isNull(at: 3) { metadata[name] = Array(statement.bytes(at: 3)) }
    }
  }
}

/// The names of the counts of the campaign of faults.
enum FaultCount {
  static let runs = "runs"
  static let faulty = "runs with failed calls"
  static let reported = "runs in which an error reached the caller"
  static let absorbed = "runs in which every call of the engine succeeded"
  static let poisoned = "databases that refused writes until they were opened again"
  static let working = "databases that worked on, or were closed"
  static let backups = "backups opened and compared with the ledger"
}
