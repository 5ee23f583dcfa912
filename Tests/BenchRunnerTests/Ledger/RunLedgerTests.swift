import BenchDrivers
import TestSupport
import Testing

@testable import BenchRunner
@testable import BenchScenario

@Suite("The ledger of a run") struct RunLedgerTests {
  private struct Refused: Error {}

  private let folder: TemporaryFolder
  private let database: any DriverDatabase
  private let connection: any DriverConnection
  private let violations = ViolationLog(checked: [.ledger])
  private let ledger: RunLedger

  init() throws {
    folder = try TemporaryFolder(prefersMemory: true)
    database = try Drivers.open(EngineSettings(driver: .yap, synchronous: .off), path: folder.path + "/file.sqlite")
    connection = try database.connect(.plain("writer"))
    ledger = RunLedger(after: database.commit, violations)
  }

  /// Makes a commit with an entry.
  private func append() throws {
    var checks = CheckCounts()
    try connection.readWrite { try ledger.append(CommitChanges(), connection: 1, in: $0, &checks) }
  }

  /// Returns the newest entry in the file.
  private func newestEntry() throws -> (commit: UInt64, digest: UInt64) {
    var checks = CheckCounts()
    var newest: (commit: UInt64, digest: UInt64) = (0, 0)
    try connection.read {
      newest = try ledger.compare([], in: $0, acknowledged: database.commit, at: "after a commit", &checks)
    }
    return newest
  }

  @Test func `a vacuum may be the newest commit after the loss of the commit behind it`() throws {
    try append()
    let newest = try newestEntry()
    try ledger.permitCommit { try database.vacuum() }
    let vacuum = database.commit
    try append()
    ledger.forget(after: vacuum)
    ledger.restart(after: newest, recovered: vacuum, newest: vacuum)
    #expect(violations.violations(of: .ledger) == [])
  }

  @Test func `a commit without an entry is a violation if the call that it was permitted for has failed`() throws {
    try append()
    #expect(throws: Refused.self) { try ledger.permitCommit { throw Refused() } }
    try database.vacuum()
    #expect(violations.violations(of: .ledger) == [])
    try append()
    #expect(violations.violations(of: .ledger).count == 1)
  }
}
