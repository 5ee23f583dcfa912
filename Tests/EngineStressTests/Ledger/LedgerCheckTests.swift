import CommitLedger
import Foundation
import HarnessPrimitives
import TestSupport
import Testing
import YapEngine

@testable import EngineStress

/// Commits without a ledger entry at the end of the ledger.
@Suite struct LedgerCheckTests {
  @Test func `the given number of commits without an entry is accepted`() throws {
    let folder = try TemporaryFolder(prefersMemory: true)
    let options = LedgeredDatabase.options(synchronous: .off)
    let database = try YapDatabase(path: folder.path + "/ledger.sqlite", options: options)
    let connection = try database.newConnection()
    let writer = LedgeredWriter(connection, number: 1)
    var random = RandomStream(seed: 1)
    for _ in 0..<5 { try writer.commit(&random) }
    for name in ["first", "second"] { try database.register(Self.view, withName: name) }
    for (accepted, isFound) in [(0, true), (1, true), (2, false), (3, false)] as [(UInt64, Bool)] {
      let report = try connection.read { try LedgerCheck().check($0, unrecorded: accepted) }
      #expect(report.newestEntry == 5 && report.commit == 7)
      #expect(report.errors.isEmpty != isFound)
    }
    try database.close()
  }

  @Test func `errors that are not described are counted`() throws {
    let folder = try TemporaryFolder(prefersMemory: true)
    let options = LedgeredDatabase.options(synchronous: .off)
    let database = try YapDatabase(path: folder.path + "/ledger.sqlite", options: options)
    let connection = try database.newConnection()
    let writer = LedgeredWriter(connection, number: 1)
    var random = RandomStream(seed: 1)
    repeat {
      try writer.commit(&random)
    } while try !connection.read {
      try $0.numberOfKeys(inCollection: "accounts") > 5
    }
    let rows = try connection.readWrite { transaction in
      let rows = try transaction.numberOfKeys(inCollection: "accounts")
      try transaction.removeAllObjects(inCollection: "accounts")
      return rows
    }
    let report = try connection.read { try LedgerCheck(shownErrors: 3).check($0, unrecorded: 1) }
    #expect(rows > 5 && report.errors.count == 3 && report.errorCount == rows)
    try database.close()
  }

  private static var view: YapDatabaseView {
    YapDatabaseView(
      grouping: .withKeyBlock { _, collection, _ in collection == "accounts" ? "" : nil },
      sorting: .withKeyBlock { _, _, _, _, _, _ in .orderedSame }
    )
  }
}
