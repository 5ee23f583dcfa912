internal import CommitLedger
internal import HarnessPrimitives
internal import SQLiteBinding
internal import YapEngine

/// Opens a database as a power loss has left it, and checks it.
struct ImageCheck {
  /// The findings about an image.
  struct Result {
    /// The newest commit that the image contains; 0 if it cannot be read.
    var commit: UInt64 = 0
    /// Descriptions of everything that is wrong, except missing commits.
    var errors: [String] = []
    var rows = 0
    /// Whether all pages of the file were checked.
    var hasCheckedIntegrity = false
  }

  /// The number in the ledger of the first writer that commits after recovery. Workloads have lower numbers.
  private static let firstWriter: UInt32 = 1 << 30

  /// The path at which images are written.
  let path: String
  let options: YapDatabaseOptions

  /// - Parameters:
  ///   - recoveries: The number of recoveries before: 0, or 1 after a second crash.
  ///   - checksIntegrity: Whether to check all pages of the file.
  ///   - onCommit: Called with the number of the commit that follows the recovery, once it is acknowledged.
  /// - Throws: `StoreProblem`. The errors of the engine are findings.
  func check(
    _ image: DiskImage,
    recoveries: Int = 0,
    checksIntegrity: Bool,
    onCommit: (UInt64) -> Void = { _ in }
  ) throws -> Result {
    try image.write(at: path)
    defer { DiskImage.remove(at: path) }
    var result = Result()
    do {
      try recover(&result, writer: Self.firstWriter + UInt32(recoveries), onCommit)
      if checksIntegrity {
        result.errors += try SQLiteHandle(path: path).integrityProblems()
        result.hasCheckedIntegrity = true
      }
    } catch {
      result.errors.append("\(error)")
    }
    return result
  }

  /// Opens the database, compares it with its ledger, commits once more, and closes it.
  private func recover(_ result: inout Result, writer number: UInt32, _ onCommit: (UInt64) -> Void) throws {
    let database = try YapDatabase(path: path, options: options)
    // In case of an error. Closing twice has no effect, and the first error is the one to report.
    defer { try? database.close() }
    let connection = try database.newConnection()
    let report = try connection.read { try LedgerCheck().check($0, unrecorded: 1) }
    result.commit = report.commit
    result.rows = report.rows
    result.errors += report.errors
    if report.errors.isEmpty {
      var random = RandomStream(seed: report.commit, "after recovery")
      let made = try LedgeredWriter(connection, number: number)
        .commit(&random, unrecorded: report.commit - report.newestEntry)
      onCommit(made)
      if made != report.commit + 1 {
        result.errors.append("the commit after recovery is \(made); expected \(report.commit + 1)")
      }
    }
    try database.close()
  }
}
