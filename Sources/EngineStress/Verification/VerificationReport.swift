internal import CommitLedger

/// The result of checking a stopped database.
package struct VerificationReport: Codable, Sendable, Equatable {
  package static let currentSchema = "yapbench-verify/1"

  package enum Verdict: String, Codable, Sendable {
    /// The rows were compared with the ledger, and no error was found.
    case passed
    /// At least one error was found.
    case wrongData
    /// No error was found, but without a ledger the rows could not be compared with the commits.
    case incomplete
  }

  package var schema = currentSchema
  package var path: String
  package var databaseBytes: Int
  /// The size of the WAL file; nil if there is none.
  package var walBytes: Int?
  /// The number of frames of the WAL that the first open read.
  package var recoveredFrames = 0
  /// The number of the newest commit, as the engine has stored it.
  package var commit: UInt64 = 0
  /// The number of ledger entries.
  package var entries = 0
  /// The numbers of rows and of collections, without the ledger's.
  package var rows = 0
  package var collections = 0
  /// The number of stored views, and of the rows on their pages.
  package var views = 0
  package var viewRows = 0
  var hasLedger = false
  /// The number of acknowledged commits, and the newest of them; nil without a log of acknowledgements.
  package var acknowledgedCommits: Int?
  package var newestAcknowledged: UInt64?
  /// The first errors. Each names the key, the commit or the count.
  package private(set) var errors: [String] = []
  /// The number of all errors.
  package private(set) var errorCount = 0

  package var verdict: Verdict {
    if errorCount > 0 { return .wrongData }
    return hasLedger ? .passed : .incomplete
  }

  /// The checks that were made, as sentences.
  package var checked: [String] {
    var lines = [
      "SQLite's integrity check, the stored number of the newest commit, and the names of all collections.",
      "Every row was read.",
    ]
    if views > 0 { lines.append("Every row on a page of a stored view exists and is on one page.") }
    if hasLedger {
      lines.append("Every row, and the absence of every other, was compared with the ledger of all commits.")
    }
    if newestAcknowledged != nil { lines.append("Every acknowledged commit was compared with the file.") }
    return lines
  }

  /// The checks that this database or the arguments do not allow, as sentences.
  package var unchecked: [String] {
    var lines: [String] = []
    if !hasLedger {
      lines.append(
        "The database has no ledger, so a lost commit, a changed value or a missing row cannot be found. Databases of "
          + "stress campaigns have one."
      )
    }
    if newestAcknowledged == nil {
      lines.append(
        "Without --acknowledged, the loss of the newest commits as a whole cannot be found, such as by a deleted WAL."
      )
    }
    if views > 0 {
      lines.append("Groups and orders of stored views are functions of the program that registers the views.")
    }
    return lines
  }

  mutating func add(_ error: String) {
    errorCount += 1
    if errors.count < StoreVerification.shownErrors { errors.append(error) }
  }

  /// Adds the result of the comparison with the ledger.
  mutating func add(_ ledger: LedgerCheck.Report) {
    commit = ledger.commit
    entries = ledger.entries
    rows = ledger.rows
    for error in ledger.errors { add(error) }
    errorCount += ledger.errorCount - ledger.errors.count
  }
}
