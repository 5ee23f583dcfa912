internal import CommitLedger
internal import SQLiteBinding
internal import YapEngine

/// Checks a stopped database. Its files are only read: a copy of them is opened.
package struct StoreVerification: Sendable {
  /// The most errors that a report describes.
  package static let shownErrors = 1_000

  private let check: LedgerCheck

  /// - Parameter payload: Returns the payload of a stored object, whose digest the ledger contains.
  package init(payload: @escaping LedgerCheck.Payload = { object, _ in object }) {
    check = LedgerCheck(shownErrors: Self.shownErrors, payload: payload)
  }

  /// Checks the database.
  /// - Parameters:
  ///   - path: The path of the database file.
  ///   - log: The commits that were acknowledged; nil if that is not known.
  ///   - unrecorded: The most commits after the newest ledger entry that may have no entry, such as registrations of
  ///     views.
  ///   - folder: An existing, empty folder for the copy.
  /// - Throws: `StoreProblem` if there is no database of the engine, or it cannot be copied; the file system's errors.
  package func verify(
    _ path: String,
    acknowledged log: AcknowledgementLog? = nil,
    unrecorded: UInt64 = 0,
    in folder: String
  ) throws -> VerificationReport {
    let copy = try StoreCopy(of: path, in: folder)
    var report = VerificationReport(path: path, databaseBytes: copy.databaseBytes, walBytes: copy.walBytes)
    report.acknowledgedCommits = log?.count
    report.newestAcknowledged = log?.newest
    for commit in log?.repeated ?? [] {
      report.add("commit \(commit) was acknowledged twice: it was lost, and its number was given again")
    }
    do {
      try checkRows(copy, acknowledged: log?.newest ?? 0, unrecorded: unrecorded, &report)
      // The engine has closed the copy, so this handle is the only one.
      try checkTables(copy, &report)
    } catch let error as YapDatabaseError {
      if error.code == .incompatible {
        // The engine names the copy, and advises how to open another database.
        let problem = error.message.replacing(copy.path, with: "it").prefix { $0 != ";" }
        throw StoreProblem(.invalid, path: path, String(problem), remedy: "Name a database of this engine.")
      }
      report.add("the database cannot be read: \(error)")
    } catch let error as SQLiteError {
      report.add("the database cannot be read: \(error)")
    }
    return report
  }

  /// Opens the copy through the engine, and compares its rows with the ledger.
  private func checkRows(
    _ copy: StoreCopy,
    acknowledged: UInt64,
    unrecorded: UInt64,
    _ report: inout VerificationReport
  ) throws {
    let database = try YapDatabase(path: copy.path, options: LedgeredDatabase.options(synchronous: .off))
    // In case of an error. Closing twice has no effect, and the first error is the one to report.
    defer { try? database.close() }
    report.recoveredFrames = database.recovery?.frames ?? 0
    let connection = try database.newConnection(name: "verify")
    try connection.read { transaction in
      report.hasLedger = try transaction.numberOfKeys(inCollection: LedgerEntry.collection) > 0
      if report.hasLedger || acknowledged > 0 {
        let ledger = try check.check(transaction, acknowledged: acknowledged, unrecorded: unrecorded)
        report.add(ledger)
        if acknowledged > ledger.newestEntry, acknowledged <= ledger.commit {
          report.add("commit \(acknowledged) was acknowledged, but has no ledger entry")
        }
      } else {
        report.add(try Self.readAll(transaction))
      }
      report.collections = try transaction.allCollections().count - (report.hasLedger ? 1 : 0)
    }
    try database.close()
  }

  /// Reads every row of a database without a ledger.
  private static func readAll(_ transaction: YapDatabaseReadTransaction) throws -> LedgerCheck.Report {
    var report = LedgerCheck.Report()
    report.commit = transaction.snapshot
    for collection in try transaction.allCollections() {
      try transaction.enumerateRows(inCollection: collection) { _, _, _, _ in report.rows += 1 }
    }
    return report
  }

  /// Checks the tables that the engine's interface does not show.
  private func checkTables(_ copy: StoreCopy, _ report: inout VerificationReport) throws {
    let handle = try SQLiteHandle(path: copy.path)
    for problem in try handle.integrityProblems() { report.add(problem) }
    let unnamed = try handle.prepare(
      "SELECT collection, key FROM data WHERE collection NOT IN (SELECT number FROM collections)"
    )
    while try unnamed.step() {
      report.add("row \(unnamed.text(at: 1)) belongs to collection number \(unnamed.integer(at: 0)), which has no name")
    }
    let stored = try handle.integer("SELECT number FROM snapshot WHERE id = 1") ?? -1
    if stored != Int64(bitPattern: report.commit) {
      report.add("the stored number of the newest commit is \(stored), but the engine has read \(report.commit)")
    }
    let rows = try handle.integer("SELECT count(*) FROM data") ?? -1
    if rows != report.rows + report.entries {
      report.add("the table has \(rows) rows, but enumerations have visited \(report.rows + report.entries)")
    }
    let views = try StoredViewsCheck(handle)
    report.views = views.views
    report.viewRows = views.rows
    for error in views.errors { report.add(error) }
  }
}
